#include "boxes/fragment_generation/fragment_generation.h"

#include <algorithm>
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
    const bool passed = pass_turns(now);
    auto& port = primitives_in[turn_];
    const parts::SetupMessage* next = port.peek(now);
    if (passed && (!next || next->batch_end || !tiles_out.ready(now))) return busy(now);
    if (!next) return others_wait(now) ? starved(now, port) : idle(now);
    if (!tiles_out.ready(now)) return blocked(now, tiles_out);
    if (next->draw_end) {
      tiles_out.send(now, {.state = next->state, .origin = next->origin, .draw_end = true});
      port.drop(now);
      pass_turn();
      return busy(now);
    }
    start(port.take(now));
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
      if (current_.state->tiles)
        current_.state->tiles->at(order_->x(), order_->y()).generated += static_cast<uint32_t>(fragments);
      if (current_.state->of_driver) counters.driver_fragments += fragments;
    }
    advance();
  }
  counters.tiles_tested += tested;
  return tested ? busy(now) : blocked(now, tiles_out);
}

// Ends of batches at the inputs: one of each front end in a cycle at most.
bool FragmentGeneration::pass_turns(Cycle now) {
  size_t passed = 0;
  for (; passed < primitives_in.size(); passed++) {
    const parts::SetupMessage* next = primitives_in[turn_].peek(now);
    if (!next || !next->batch_end) break;
    primitives_in[turn_].drop(now);
    pass_turn();
  }
  return passed > 0;
}

// For their turn.
bool FragmentGeneration::others_wait(Cycle now) const {
  return std::any_of(primitives_in.begin(), primitives_in.end(),
                     [&](const auto& in) { return in.peek(now); });
}

std::string FragmentGeneration::why_busy() const {
  if (active_) return "a primitive is half traversed";
  return others_wait(domain().now()) ? "primitives wait for their turn" : "";
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
