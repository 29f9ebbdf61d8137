#include "boxes/reorder_buffer/reorder_buffer.h"

namespace cutaway::boxes {

using engine::Cycle;

ReorderBuffer::ReorderBuffer(std::string path, const ReorderBufferSpec& spec, unsigned shaders)
    : Box(std::move(path)), quads_in(shaders), spec_(spec), shaded_(spec.entries) {}

Cycle ReorderBuffer::tick(Cycle now) {
  bool progress = false;
  for (unsigned i = 0; i < spec_.quads_per_cycle && release(now); i++) progress = true;
  progress |= take_quads(now);
  if (progress) return busy(now);
  if (!entries_in.peek(now)) return idle(now);
  if (!quads_out.ready(now)) return blocked(now, quads_out);
  return starved(now, quads_in[0]);
}

bool ReorderBuffer::take_quads(Cycle now) {
  bool progress = false;
  for (auto& port : quads_in) {
    while (const parts::ShadedQuad* quad = port.peek(now)) {
      const uint32_t order =
          release_in_completion_order ? first_open(now, quad->quad.origin.draw) : quad->order;
      CUTAWAY_CHECK(order - oldest_ < shaded_.size(), "{}: a quad without an entry", path());
      Shaded& place = shaded(order);
      place.quad = port.take(now);
      place.there = true;
      waiting_++;
      counters.quads++;
      progress = true;
    }
  }
  return progress;
}

// The fault: a quad takes the place of the oldest one of its draw that is still being shaded.
uint32_t ReorderBuffer::first_open(Cycle now, uint32_t draw) {
  uint32_t i = 0;
  for (const parts::ReorderEntry* entry; (entry = entries_in.peek(now, i)); i++)
    if (entry->origin.draw == draw && !entry->draw_end && !shaded(oldest_ + i).there) break;
  return oldest_ + i;
}

bool ReorderBuffer::release(Cycle now) {
  const parts::ReorderEntry* oldest = entries_in.peek(now);
  if (!oldest) return false;
  CUTAWAY_CHECK(oldest->order == oldest_);
  if (!(oldest->draw_end ? release_end(now, *oldest) : release_quad(now, shaded(oldest_)))) return false;
  entries_in.drop(now);
  oldest_++;
  oldest_at_ = (oldest_at_ + 1) % static_cast<uint32_t>(shaded_.size());
  return true;
}

bool ReorderBuffer::release_quad(Cycle now, Shaded& shaded) {
  if (!shaded.there) return false;
  if (shaded.quad.quad.mask) {
    if (!quads_out.ready(now)) return false;
    quads_out.send(now, std::move(shaded.quad));
  } else {
    counters.dead_quads++;
  }
  shaded = {};
  waiting_--;
  return true;
}

bool ReorderBuffer::release_end(Cycle now, const parts::ReorderEntry& end) {
  if (!quads_out.ready(now)) return false;
  parts::ShadedQuad message;
  message.quad.state = end.state;
  message.quad.origin = end.origin;
  message.quad.draw_end = true;
  quads_out.send(now, std::move(message));
  return true;
}

std::string ReorderBuffer::why_busy() const {
  const parts::ReorderEntry* oldest = entries_in.peek(domain().now());
  if (!oldest) return "";
  return fmt::format("{} shaded quads, the oldest entry is {}", waiting_,
                     oldest->draw_end            ? "a draw end"
                     : shaded_[oldest_at_].there ? "shaded"
                                                 : "not shaded");
}

}  // namespace cutaway::boxes
