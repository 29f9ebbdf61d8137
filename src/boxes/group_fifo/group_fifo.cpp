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

// A group with more quads than the capacity waits alone.
bool GroupFifo::store(Cycle now) {
  const messages::FragmentGroup* next = spec_.quads ? groups_in.peek(now) : nullptr;
  if (!next || (quads_ && quads_ + next->quads->count > spec_.quads)) return false;
  quads_ += next->quads->count;
  waiting_.push(groups_in.take(now));
  return true;
}

const messages::FragmentGroup* GroupFifo::first(Cycle now) const {
  if (!spec_.quads) return groups_in.peek(now);
  return waiting_.empty() ? nullptr : &waiting_.front();
}

bool GroupFifo::give(Cycle now) {
  if (spec_.batch) begin_tile(first(now)->quads->quad[0].quad);
  const size_t units = groups_out.size(), asked = spec_.batch ? 1 : units;
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
    quads_ -= waiting_.front().quads->count;
    groups_out[unit].send(now, waiting_.pop());
  } else {
    groups_out[unit].send(now, groups_in.take(now));
  }
  counters.groups++;
  if (++given_ < spec_.batch) return;
  given_ = 0;
  turn_ = (unit + 1) % groups_out.size();
}

}  // namespace cutaway::boxes
