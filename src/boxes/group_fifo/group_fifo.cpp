#include "boxes/group_fifo/group_fifo.h"

namespace cutaway::boxes {

using engine::Cycle;

// One group a cycle.
Cycle GroupFifo::tick(Cycle now) {
  if (!groups_in.peek(now)) return idle(now);
  if (spec_.batch) begin_tile(groups_in.peek(now)->quads->quad[0].quad);
  const size_t units = groups_out.size(), asked = spec_.batch ? 1 : units;
  for (size_t i = 0; i < asked; i++) {
    const size_t unit = (turn_ + i) % units;
    if (!groups_out[unit].ready(now)) continue;
    give(now, unit);
    return busy(now);
  }
  return blocked(now, groups_out[turn_]);
}

// A batch ends with its tile: where a group lies in a tile that is full tells which unit shades it.
void GroupFifo::begin_tile(const parts::QuadMessage& first) {
  const int32_t x = first.x / tile_, y = first.y / tile_;
  if (x == tile_x_ && y == tile_y_) return;
  tile_x_ = x, tile_y_ = y;
  if (!given_) return;
  given_ = 0;
  turn_ = (turn_ + 1) % groups_out.size();
}

void GroupFifo::give(Cycle now, size_t unit) {
  groups_out[unit].send(now, groups_in.take(now));
  counters.groups++;
  if (++given_ < spec_.batch) return;
  given_ = 0;
  turn_ = (unit + 1) % groups_out.size();
}

}  // namespace cutaway::boxes
