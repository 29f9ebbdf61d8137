#include "boxes/group_fifo/group_fifo.h"

namespace cutaway::boxes {

using engine::Cycle;

// One group a cycle.
Cycle GroupFifo::tick(Cycle now) {
  if (!groups_in.peek(now)) return idle(now);
  const size_t units = groups_out.size();
  for (size_t i = 0; i < units; i++) {
    const size_t unit = (turn_ + i) % units;
    if (!groups_out[unit].ready(now)) continue;
    groups_out[unit].send(now, groups_in.take(now));
    turn_ = (unit + 1) % units;
    counters.groups++;
    return busy(now);
  }
  return blocked(now, groups_out[turn_]);
}

}  // namespace cutaway::boxes
