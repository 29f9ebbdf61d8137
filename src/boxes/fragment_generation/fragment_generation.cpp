#include "boxes/fragment_generation/fragment_generation.h"

#include <bit>

#include "func/raster/coverage.h"
#include "parts/draw_state.h"

namespace cutaway::boxes {

using engine::Cycle;

FragmentGeneration::FragmentGeneration(std::string path, const FragmentGenerationSpec& spec, unsigned unit,
                                       unsigned front_ends)
    : Box(std::move(path)),
      primitives_in(front_ends),
      spec_(spec),
      map_(spec.tile_map()),
      unit_(unit),
      order_(make_scan_order(spec.order, spec.tile, spec.scan_rows)) {}

// A primitive that is done in the middle of a cycle leaves the rest of the cycle
// unused: one primitive per cycle.
Cycle FragmentGeneration::tick(Cycle now) {
  if (!active_) {
    const parts::SetupMessage* next = primitives_in[0].peek(now);
    if (!next) return idle(now);
    if (!tiles_out.ready(now)) return blocked(now, tiles_out);
    if (next->draw_end) {
      tiles_out.send(now, {.state = next->state, .origin = next->origin, .draw_end = true});
      primitives_in[0].drop(now);
      return busy(now);
    }
    start(primitives_in[0].take(now));
    if (!active_) return busy(now);  // nothing of it is here
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
                           .x = order_->x(),
                           .y = order_->y(),
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
  if (current_.state->samples > 1) return func::tile_samples(primitive, order_->x(), order_->y(), mask);
  return {.sample = {}, .any = mask & 1 ? func::tile_coverage(primitive, order_->x(), order_->y()) : 0};
}

void FragmentGeneration::start(const parts::SetupMessage& message) {
  current_ = message;
  active_ = true;
  counters.primitives++;
  const func::Primitive& primitive = message.primitive->primitive;
  order_->start({.left = primitive.x0 & ~7,
                 .top = primitive.y0 & ~7,
                 .right = (primitive.x1 - 1) & ~7,
                 .bottom = (primitive.y1 - 1) & ~7});
  if (!owned_here()) advance();
}

// To the next tile that belongs to this rasteriser.
void FragmentGeneration::advance() {
  do
    if (!order_->next()) {
      active_ = false;
      current_ = {};
      return;
    }
  while (!owned_here());
}

}  // namespace cutaway::boxes
