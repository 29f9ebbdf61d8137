#include "boxes/z_stencil/depth_tester.h"

#include <cstring>

#include "boxes/z_stencil/quad_tests.h"
#include "messages/target_of_quad.h"

namespace cutaway::boxes {

DepthTester::DepthTester(const ZStencilSpec& spec, ZStencilCounters& counters)
    : compression_(spec.compression),
      whole_lines_(spec.whole_lines),
      line_bytes_(spec.line_bytes),
      prefetches_(spec.prefetches),
      counters_(counters),
      cache_({.lines = spec.cache_lines,
              .ways = spec.cache_ways,
              .line_bytes = spec.line_bytes,
              .whole_lines = spec.whole_lines,
              .write_backs = spec.write_backs,
              .misses = spec.cache_mshrs,
              .replacement = spec.cache_replacement}),
      reports_({spec.report_queue, spec.report_cycles}, spec.cache_lines, spec.line_bytes, counters) {}

DepthTester::Test DepthTester::begin(const messages::QuadMessage& quad, uint8_t sample) const {
  const func::TargetView view = messages::depth_view(quad);
  Test test{.access = {view, quad.x, quad.y, tested_lanes(quad, sample), line_bytes_, sample},
            .fetches = !overwrite(quad).bytes,
            .sample = sample};
  // A tiled surface begins at a sector.
  if (view.tiled) test.access.use(tested_part(depth_of(quad)));
  return test;
}

// A line is a block that can be packed if it is a tile of 32-bit elements of one sample with the depth below.
// Only before shading is a whole tile certain to be overwritten: a program may discard fragments.
structures::Packing DepthTester::packing_of(const messages::QuadMessage& quad, Side side) const {
  const messages::DrawState& state = *quad.state;
  const func::TargetView& view = state.depth_view;
  const bool describable = view.tiled && view.bytes == 4 && (state.depth.depth_mask & 1);
  const bool owned = whole_lines_ && messages::depth_view(quad).has_lines_in_tiles(line_bytes_);
  if (!compression_ || !describable) return {.owned = owned};
  return {.depth_bits = state.depth.depth_bits,
          .surface = messages::depth_base(quad),
          .overwritten = side == Side::kEarly && quad.whole_tile && overwrite(quad).bytes == view.bytes,
          .owned = owned};
}

bool DepthTester::acquire(Test& test, const messages::QuadMessage& quad, Side side) {
  const bool acquired =
      test.access.acquire(cache_, test.fetches, quad.origin, counters_.cache_hits, counters_.cache_merged,
                          counters_.cache_misses, packing_of(quad, side));
  reports_.look_after_evicted(cache_);
  if (acquired && test.settled) reports_.acquired(test.access, quad, test.sample);
  return acquired;
}

void DepthTester::prefetch(const messages::QuadMessage& quad) {
  for (uint8_t sample = 0; sample < quad.state->samples; sample++) {
    if (!tested_lanes(quad, sample)) continue;
    Test test = begin(quad, sample);
    if (!test.fetches) continue;
    counters_.prefetches_dropped += !test.access.prefetch(
        cache_, prefetches_, quad.origin, counters_.prefetches, packing_of(quad, Side::kLate));
    reports_.look_after_evicted(cache_);
  }
}

func::DepthResult DepthTester::make(Test& test, const messages::QuadMessage& quad, uint32_t mask,
                                    const float* z, const uint32_t* reference, func::DepthPhase phase) {
  const func::DepthState& state = depth_of(quad);
  uint64_t stored[4] = {};
  for (uint32_t lane = 0; lane < 4; lane++)
    if (test.fetches && mask >> lane & 1)
      std::memcpy(&stored[lane], test.access.pixel(cache_, lane), state.element_bytes);
  const func::DepthResult result =
      func::depth_stencil(state, quad.primitive->primitive.front_facing, mask, z, stored, phase, reference);
  const auto [first, bytes] = overwrite(quad);
  const structures::ElementPart used = test.access.used();
  for (uint32_t lane = 0; lane < 4; lane++) {
    if (!(result.write >> lane & 1)) continue;
    if (bytes) test.access.write(cache_, lane, &result.element[lane], first, bytes);
    else if (test.access.whole(cache_, lane)) test.access.write(cache_, lane, &result.element[lane]);
    else test.access.write(cache_, lane, &result.element[lane], used.first, used.bytes);
  }
  if (test.settled) reports_.tested(test.access, quad, result.write);
  test.access.release(cache_);
  return result;
}

}  // namespace cutaway::boxes
