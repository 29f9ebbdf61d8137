#include "boxes/fragment_generation/fragment_generation.h"

#include <bit>

#include "func/raster/coverage.h"
#include "parts/draw_state.h"

namespace cutaway::boxes {

using engine::Cycle;

// A primitive that is done in the middle of a cycle leaves the rest of the cycle unused: one primitive per
// cycle.
Cycle FragmentGeneration::tick(Cycle now) {
  if (!active_) {
    const parts::SetupMessage* next = primitives_in.peek(now);
    if (!next) return idle(now);
    if (!tiles_out.ready(now)) return blocked(now, tiles_out);
    if (next->draw_end) {
      tiles_out.send(now, {.state = next->state, .origin = next->origin, .draw_end = true});
      primitives_in.drop(now);
      return busy(now);
    }
    start(primitives_in.take(now));
  }
  unsigned sent = 0, tested = 0;
  while (active_ && sent < spec_.tiles_per_cycle && tested < spec_.tests_per_cycle) {
    if (!tiles_out.ready(now)) break;
    tested++;
    const func::TileSamples samples = coverage_here();
    const uint64_t coverage = samples.any;
    if (coverage) {
      tiles_out.send(now, {.primitive = current_.primitive,
                           .state = current_.state,
                           .origin = current_.origin,
                           .x = x_,
                           .y = y_,
                           .coverage = coverage,
                           .samples = samples.sample});
      sent++;
      counters.tiles++;
      const auto fragments = static_cast<uint64_t>(std::popcount(coverage));
      counters.fragments += fragments;
      if (current_.state->of_driver) counters.driver_fragments += fragments;
    }
    advance();
  }
  counters.tiles_tested += tested;
  return tested ? busy(now) : blocked(now, tiles_out);
}

// All samples of a tile are tested together.
func::TileSamples FragmentGeneration::coverage_here() const {
  const func::Primitive& primitive = current_.primitive->primitive;
  const uint32_t mask = current_.state->registers.raster.sample_mask;
  if (current_.state->samples > 1) return func::tile_samples(primitive, x_, y_, mask);
  return {.sample = {}, .any = mask & 1 ? func::tile_coverage(primitive, x_, y_) : 0};
}

void FragmentGeneration::start(const parts::SetupMessage& message) {
  current_ = message;
  active_ = true;
  counters.primitives++;
  const func::Primitive& primitive = message.primitive->primitive;
  left_ = primitive.x0 & ~7;
  right_ = (primitive.x1 - 1) & ~7;
  bottom_ = (primitive.y1 - 1) & ~7;
  x_ = left_;
  y_ = primitive.y0 & ~7;
  step_ = 8;
}

void FragmentGeneration::advance() {
  const int32_t end = step_ > 0 ? right_ : left_;
  if (x_ != end) {
    x_ += step_;
    return;
  }
  y_ += 8;
  step_ = -step_;
  if (y_ <= bottom_) return;
  active_ = false;
  current_ = {};
}

}  // namespace cutaway::boxes
