#include "boxes/z_stencil/late_tests.h"

#include <bit>

#include "boxes/z_stencil/quad_tests.h"
#include "func/rop/exported_fragment.h"

namespace cutaway::boxes {

bool LateTests::push(const messages::ShadedQuad& shaded) {
  const messages::QuadMessage& quad = shaded.quad;
  Entry& entry = entries_.push_stale();
  entry.last = true;
  entry.tests = !quad.draw_end && quad.mask && quad.state->tested_late();
  counters_.late_quads += entry.tests && !split_.begun();
  if (!entry.tests) return true;
  SampleSplit::Test slice;
  if (quad.state->samples > 1) slice = split_.next(quad.alive);
  entry.last = slice.last;
  entry.test = tester_.begin(quad, slice.sample);
  waits_ = true;
  return slice.last;
}

bool LateTests::acquire() {
  Entry& newest = entries_.back();
  waits_ = !tester_.acquire(newest.test, newest.shaded.quad, DepthTester::Side::kLate);
  return !waits_;
}

void LateTests::test() {
  Entry& entry = entries_.front();
  messages::QuadMessage& quad = entry.shaded.quad;
  const uint32_t sample = entry.test.sample;
  const uint32_t flags = quad.state->registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags;
  const uint32_t mask = tested_lanes(quad, sample);
  float z[4];
  depth_at(quad, sample, z);
  const auto* exported = entry.shaded.outputs ? entry.shaded.outputs->output[arch::kOutputDepth] : nullptr;
  if (exported && flags & arch::kShaderWritesDepth) {
    const func::Primitive& primitive = quad.primitive->primitive;
    const arch::DepthPromise promise = arch::depth_promise(quad.state->registers);
    for (uint32_t lane = 0; lane < 4; lane++)
      z[lane] = func::promised_depth(
          promise, z[lane],
          func::exported_depth(primitive.depth_min, primitive.depth_max, exported[0][lane]));
  }
  const uint32_t* reference = exported && flags & arch::kShaderWritesStencil ? exported[2] : nullptr;
  const func::DepthResult result =
      tester_.make(entry.test, quad, mask, z, reference, func::DepthPhase::kTestAndWrite);
  const auto failed = static_cast<uint64_t>(std::popcount(mask & ~result.pass));
  counters_.late_failed += failed;
  if (quad.state->of_driver) counters_.driver_late_failed += failed;
  note_killed(quad, sample, mask, result, true);
  split_.note(quad, entry.test.sample, entry.last, result.pass & mask);
}

bool LateTests::goes_on() const {
  const Entry& entry = entries_.front();
  return entry.last && (entry.shaded.quad.mask || entry.shaded.quad.draw_end);
}

}  // namespace cutaway::boxes
