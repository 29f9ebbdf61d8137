// The quads of several rasterisers in the order of each.
#include "base/in_round.h"
#include "boxes/interpolator/interpolator.h"
#include "messages/draw_state.h"

namespace cutaway::boxes {

using engine::Cycle;

// Takes a quad from each unit inside, and from inside as many as there are units, of the rasterisers in turn.
// If nothing can go on, a quad that is beyond the window may hold back one that is missing.
unsigned Interpolator::take_sorted(Cycle now) {
  const auto units = static_cast<unsigned>(quads_in.size());
  unsigned moved = 0;
  for (unsigned i = 0; i < units; i++) moved += sort(now, in_round(turn_, i, units));
  moved += take_next(now);
  if (!moved && !entries_.full() && can_evaluate(now) && now >= skips_at(now)) moved += skip_missing(now);
  if (moved) moved_ = now;
  return moved;
}

// Takes the quad at a port inside, if it is in the window. A late one leaves at once.
bool Interpolator::sort(Cycle now, unsigned unit) {
  const messages::QuadMessage* next = quads_in[unit].peek(now);
  if (!next || next->draw_end) return false;
  const unsigned raster = rasters_.owner(next->x, next->y);
  if (sorter_.late(raster, *next)) return pass_late(now, unit);
  if (!sorter_.fits(raster, *next)) return false;
  sorter_.put(raster, quads_in[unit].take(now));
  return true;
}

bool Interpolator::pass_late(Cycle now, unsigned unit) {
  if (!quads_in[unit].peek(now)->mask) {
    quads_in[unit].drop(now);
    return true;
  }
  if (entries_.full() || !can_evaluate(now)) return false;
  enter(now, take_quad(now, unit));
  sorter_counters.late += !next_sample_[unit];
  return true;
}

// Quads without live lanes only hold a place in the order.
unsigned Interpolator::take_next(Cycle now) {
  const unsigned rasters = rasters_.units();
  unsigned taken = 0, without = 0;
  while (taken < quads_in.size() && without < rasters && !entries_.full() && can_evaluate(now)) {
    const unsigned raster = raster_turn_;
    raster_turn_ = (raster_turn_ + 1) % rasters;
    messages::QuadMessage* next = sorter_.next(raster);
    without = next ? 0 : without + 1;
    if (!next) continue;
    taken++;
    if (next->mask && by_samples(*next)) enter(now, next_sample(*next, sorted_sample_[raster]));
    else if (next->mask) enter(now, std::move(*next));
    if (!sorted_sample_[raster]) sorter_.drop(raster);
  }
  return taken;
}

// The cycle from which missing numbers are given up. While a port is empty they may still come by it, but not
// for ever: its unit may wait for one that is held back.
Cycle Interpolator::skips_at(Cycle now) const {
  bool beyond = false, empty = false;
  for (const auto& port : quads_in) {
    const messages::QuadMessage* next = port.peek(now);
    empty |= !next;
    beyond |= next && !next->draw_end;
  }
  if (!beyond) return engine::kAsleep;
  return empty ? moved_ + spec_.window : now;
}

// Gives up a number of each rasteriser with a quad at a port that is beyond its window.
bool Interpolator::skip_missing(Cycle now) {
  bool skipped = false;
  for (const auto& port : quads_in) {
    const messages::QuadMessage* next = port.peek(now);
    if (next && !next->draw_end) skipped |= sorter_.skip(rasters_.owner(next->x, next->y), *next);
  }
  return skipped;
}

}  // namespace cutaway::boxes
