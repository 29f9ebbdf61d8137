#include "boxes/reorder_buffer/reorder_buffer.h"

#include "parts/ownership.h"

namespace cutaway::boxes {

using engine::Cycle;

ReorderBuffer::ReorderBuffer(std::string path, const ReorderBufferSpec& spec, unsigned shaders,
                             unsigned units)
    : Box(std::move(path)), quads_in(shaders), quads_out(units), spec_(spec), entries_(spec.entries) {}

Cycle ReorderBuffer::tick(Cycle now) {
  bool progress = false;
  blocked_by_ = -1;
  for (unsigned i = 0; i < spec_.quads_per_cycle && !entries_.empty(); i++) {
    if (!release(now, entries_.front())) break;
    progress = true;
  }
  progress |= take_quads(now);
  progress |= take_entries(now);
  if (progress) return busy(now);
  if (entries_.empty()) return idle(now);
  if (blocked_by_ >= 0) return blocked(now, quads_out[static_cast<size_t>(blocked_by_)]);
  return starved(now, quads_in[0]);
}

bool ReorderBuffer::take_entries(Cycle now) {
  bool progress = false;
  while (const parts::ReorderEntry* entry = entries_in.peek(now)) {
    if (entries_.full()) break;
    CUTAWAY_CHECK(entry->order == oldest_ + entries_.size());
    entries_.push().entry = entries_in.take(now);
    progress = true;
  }
  return progress;
}

bool ReorderBuffer::take_quads(Cycle now) {
  bool progress = false;
  for (auto& port : quads_in) {
    while (const parts::ShadedQuad* quad = port.peek(now)) {
      const uint32_t index = quad->order - oldest_;
      // The entry itself may still be on its wire.
      if (index >= entries_.size()) break;
      Entry& entry = entries_[release_in_completion_order ? first_open(index) : index];
      entry.quad = port.take(now);
      entry.shaded = true;
      counters.quads++;
      progress = true;
    }
  }
  return progress;
}

// The fault: a quad takes the place of the oldest one of its draw that is still being shaded.
uint32_t ReorderBuffer::first_open(uint32_t index) {
  while (index > 0 && !entries_[index - 1].entry.draw_end) index--;
  while (entries_[index].shaded) index++;
  return index;
}

bool ReorderBuffer::release(Cycle now, Entry& entry) {
  if (entry.entry.draw_end) {
    if (!release_end(now, entry.entry)) return false;
  } else {
    if (!entry.shaded) return false;
    if (entry.quad.quad.mask) {
      const unsigned unit =
          parts::owner_of_tile(entry.quad.quad.x, entry.quad.quad.y, static_cast<unsigned>(quads_out.size()));
      if (!quads_out[unit].ready(now)) {
        blocked_by_ = static_cast<int>(unit);
        return false;
      }
      quads_out[unit].send(now, std::move(entry.quad));
    } else {
      counters.dead_quads++;
    }
  }
  entries_.pop();
  oldest_++;
  return true;
}

bool ReorderBuffer::release_end(Cycle now, const parts::ReorderEntry& end) {
  for (unsigned unit = 0; unit < quads_out.size(); unit++) {
    if (end_sent_ >> unit & 1) continue;
    if (!quads_out[unit].ready(now)) {
      blocked_by_ = static_cast<int>(unit);
      return false;
    }
    parts::ShadedQuad message;
    message.quad.state = end.state;
    message.quad.origin = end.origin;
    message.quad.draw_end = true;
    quads_out[unit].send(now, std::move(message));
    end_sent_ |= 1u << unit;
  }
  end_sent_ = 0;
  return true;
}

std::string ReorderBuffer::why_busy() const {
  if (entries_.empty()) return "";
  return fmt::format("{} entries, the oldest {}", entries_.size(),
                     entries_.front().entry.draw_end ? "a draw end"
                     : entries_.front().shaded       ? "shaded"
                                                     : "not shaded");
}

}  // namespace cutaway::boxes
