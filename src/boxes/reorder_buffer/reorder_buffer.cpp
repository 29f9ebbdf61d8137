#include "boxes/reorder_buffer/reorder_buffer.h"

namespace cutaway::boxes {

using engine::Cycle;

ReorderBuffer::ReorderBuffer(std::string path, const ReorderBufferSpec& spec, unsigned shaders,
                             parts::TileMap rops)
    : Box(std::move(path)),
      quads_in(shaders),
      quads_out(rops.units()),
      spec_(spec),
      rops_(std::move(rops)),
      shaded_(spec.entries) {}

Cycle ReorderBuffer::tick(Cycle now) {
  bool progress = false;
  blocked_by_ = -1;
  for (unsigned i = 0; i < spec_.quads_per_cycle && release(now); i++) progress = true;
  progress |= take_quads(now);
  if (progress) return busy(now);
  if (!entries_in.peek(now)) return idle(now);
  if (blocked_by_ >= 0) return blocked(now, quads_out[static_cast<size_t>(blocked_by_)]);
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
  const parts::QuadMessage& quad = shaded.quad.quad;
  if (quad.mask) {
    const unsigned unit = rops_.owner(quad.x, quad.y);
    if (!quads_out[unit].ready(now)) {
      blocked_by_ = static_cast<int>(unit);
      return false;
    }
    quads_out[unit].send(now, std::move(shaded.quad));
  } else {
    counters.dead_quads++;
  }
  shaded = {};
  waiting_--;
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
  const parts::ReorderEntry* oldest = entries_in.peek(domain().now());
  if (!oldest) return "";
  return fmt::format("{} shaded quads, the oldest entry is {}", waiting_,
                     oldest->draw_end            ? "a draw end"
                     : shaded_[oldest_at_].there ? "shaded"
                                                 : "not shaded");
}

}  // namespace cutaway::boxes
