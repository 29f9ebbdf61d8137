#include "boxes/reorder_buffer/reorder_buffer.h"

#include "messages/draw_state.h"

namespace cutaway::boxes {

using engine::Cycle;

ReorderBuffer::ReorderBuffer(std::string path, const ReorderBufferSpec& spec, unsigned shaders,
                             bool sends_dead)
    : Box(std::move(path)),
      quads_in(shaders),
      spec_(spec),
      sends_dead_(sends_dead),
      order_(ReleaseOrders::make(spec.order)),
      shaded_(spec.entries),
      ready_(spec.entries) {
  while (!shaded_.full()) shaded_.push();
}

std::vector<std::string_view> ReorderBuffer::costs_nothing() const {
  return {"Taking shaded quads: it takes all that have come, whatever their order"};
}

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
  quads_in.for_filled([&](unsigned unit) {
    auto& port = quads_in[unit];
    while (const messages::ShadedQuad* quad = port.peek(now)) {
      const uint32_t order =
          release_in_completion_order ? first_open(now, quad->quad.origin.draw) : quad->order;
      CUTAWAY_CHECK(order - oldest_ < shaded_.size(), "{}: a quad without an entry", path());
      Shaded& place = shaded(order);
      place.quad = port.take(now);
      place.there = true;
      if (order - oldest_ < may_leave_) ready_.push(order);
      waiting_++;
      counters.quads++;
      progress = true;
    }
  });
  return progress;
}

// Fault injection: a quad takes the place of the oldest unshaded quad of its draw.
uint32_t ReorderBuffer::first_open(Cycle now, uint32_t draw) {
  uint32_t i = 0;
  for (const messages::ReorderEntry* entry; (entry = entries_in.peek(now, i)); i++)
    if (entry->origin.draw == draw && !entry->draw_end && !shaded(oldest_ + i).there &&
        !shaded(oldest_ + i).left)
      break;
  return oldest_ + i;
}

bool ReorderBuffer::release(Cycle now) {
  look_ahead(now);
  const messages::ReorderEntry* oldest = entries_in.peek(now);
  if (!oldest) return false;
  CUTAWAY_CHECK(oldest->order == oldest_);
  if (!oldest->draw_end) return release_quad(now);
  if (!release_end(now, *oldest)) return false;
  drop_oldest(now);
  return true;
}

// Finds entries after the oldest whose quads may leave before it.
void ReorderBuffer::look_ahead(Cycle now) {
  const messages::ReorderEntry* entry;
  while ((entry = entries_in.peek(now, may_leave_))) {
    if (may_leave_ && !order_->beside(*entries_in.peek(now), *entry)) break;
    if (shaded(entry->order).there) ready_.push(entry->order);
    may_leave_++;
  }
}

bool ReorderBuffer::release_quad(Cycle now) {
  if (ready_.empty()) return false;
  const uint32_t order = ready_.front();
  Shaded& next = shaded(order);
  const bool lives = next.quad.quad.mask;
  const bool leaves = lives || (sends_dead_ && next.quad.quad.state->tested_late());
  if (leaves && !quads_out.ready(now)) return false;
  works_for(next.quad.quad.origin.work);
  counters.early_quads += lives && order != oldest_;
  counters.dead_quads += !lives;
  if (leaves) quads_out.send(now, std::move(next.quad));
  else next.quad = {};
  next.there = false, next.left = true;
  waiting_--;
  ready_.drop();
  while (entries_in.peek(now) && shaded(oldest_).left) drop_oldest(now);
  return true;
}

void ReorderBuffer::drop_oldest(Cycle now) {
  shaded(oldest_).left = false;
  shaded_.drop_stale(), shaded_.push_stale();  // its place is that of the next entry
  entries_in.drop(now);
  oldest_++;
  may_leave_--;
}

bool ReorderBuffer::release_end(Cycle now, const messages::ReorderEntry& end) {
  if (!quads_out.ready(now)) return false;
  messages::ShadedQuad message;
  message.quad.state = end.state;
  message.quad.origin = end.origin;
  message.quad.draw_end = true;
  quads_out.send(now, std::move(message));
  return true;
}

std::string ReorderBuffer::why_busy() const {
  const messages::ReorderEntry* oldest = entries_in.peek(domain().now());
  if (!oldest) return "";
  return fmt::format("{} shaded quads, the oldest entry is {}", waiting_,
                     oldest->draw_end        ? "a draw end"
                     : shaded_.front().there ? "shaded"
                                             : "not shaded");
}

}  // namespace cutaway::boxes
