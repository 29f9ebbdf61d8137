#include "boxes/group_fifo/group_fifo.h"

namespace cutaway::boxes {

using engine::Cycle;

std::vector<std::string_view> GroupFifo::costs_nothing() const { return {"Choosing the unit"}; }

// One group a cycle comes in, and one leaves.
Cycle GroupFifo::tick(Cycle now) {
  const bool stored = store(now);
  if (!first(now)) return idle(now);
  return give(now) || stored ? busy(now) : blocked(now, groups_out[turn_]);
}

// A group that needs more room than there is in all waits alone.
bool GroupFifo::store(Cycle now) {
  const messages::FragmentGroup* next = spec_.quads ? groups_in.peek(now) : nullptr;
  if (!next) return false;
  if (!next_quads_) next_quads_ = next->quads->count + spec_.primitive_quads * new_primitives(*next->quads);
  if (quads_ && quads_ + next_quads_ > spec_.quads) return false;
  quads_ += next_quads_;
  waiting_.push({groups_in.take(now), std::exchange(next_quads_, 0)});
  return true;
}

// Primitives but points of which the cluster has had no quad before. They come in order, so each is compared
// with the last one alone.
unsigned GroupFifo::new_primitives(const messages::GroupQuads& quads) {
  unsigned count = 0;
  for (uint32_t i = 0; i < quads.count; i++) {
    const messages::QuadMessage& quad = quads.quad[i].quad;
    if (std::exchange(newest_, quad.origin) == quad.origin) continue;
    count += !quad.primitive || quad.primitive->vertices > 1;
  }
  return count;
}

const messages::FragmentGroup* GroupFifo::first(Cycle now) const {
  if (!spec_.quads) return groups_in.peek(now);
  return waiting_.empty() ? nullptr : &waiting_.front().group;
}

bool GroupFifo::give(Cycle now) {
  if (spec_.batch) begin_tile(first(now)->quads->quad[0].quad);
  const bool waits = spec_.batch && (given_ || spec_.taker == BatchTaker::kNext);
  const size_t units = groups_out.size(), asked = waits ? 1 : units;
  for (size_t i = 0; i < asked; i++) {
    const size_t unit = (turn_ + i) % units;
    if (!groups_out[unit].ready(now)) continue;
    give(now, unit);
    return true;
  }
  return false;
}

// A batch ends with its tile: a full tile's position determines the unit that shades it.
void GroupFifo::begin_tile(const messages::QuadMessage& first) {
  const int32_t x = first.x / tile_, y = first.y / tile_;
  if (x == tile_x_ && y == tile_y_) return;
  tile_x_ = x, tile_y_ = y;
  if (!given_) return;
  given_ = 0;
  turn_ = (turn_ + 1) % groups_out.size();
}

void GroupFifo::give(Cycle now, size_t unit) {
  if (spec_.quads) {
    Waiting first = waiting_.pop();
    quads_ -= first.quads;
    groups_out[unit].send(now, std::move(first.group));
  } else {
    groups_out[unit].send(now, groups_in.take(now));
  }
  counters.groups++;
  turn_ = unit;
  if (++given_ < spec_.batch) return;
  given_ = 0;
  turn_ = (unit + 1) % groups_out.size();
}

}  // namespace cutaway::boxes
