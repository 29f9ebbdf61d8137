// Quads that nothing behind the early test has an effect on end there.
#include <gtest/gtest.h>

#include "boxes/z_stencil/bench_for_test.h"
#include "boxes/z_stencil/z_stencil.h"

namespace cutaway::boxes::depth_only_test {
namespace {

using namespace z_stencil_bench;
using arch::Compare;
using arch::DepthMode;
using messages::testing::add_depth;
using messages::testing::draw_end;
using messages::testing::plain_state;

constexpr auto kFragment = static_cast<uint32_t>(arch::Stage::kFragment);

std::unique_ptr<messages::DrawState> depth_only() {
  auto state = plain_state();
  state->registers.color.target[0].write_mask = 0;
  add_depth(*state, Compare::kLess);
  return state;
}

// Quads that come out for shading, of two that are drawn: one passes, one fails.
size_t quads_out(const messages::DrawState& state, Bench& bench) {
  const auto primitive = messages::testing::cover(bench.pools, state);
  bench.send(messages::testing::quad(primitive, 0, 0, 0.5f));
  bench.send(messages::testing::quad(primitive, 0, 0, 0.75f));
  bench.send(draw_end<QuadMessage>(state));
  bench.run(200);
  size_t quads = 0, ends = 0;
  for (const auto& [cycle, quad] : bench.interpolator.received) (quad.draw_end ? ends : quads)++;
  EXPECT_EQ(ends, 1u) << "the end of the draw goes all the way";
  return quads;
}

TEST(DepthOnly, QuadsEndAtTheEarlyTest) {
  auto state = depth_only();
  EXPECT_TRUE(state->ends_before_shading);
  Bench bench;
  EXPECT_EQ(quads_out(*state, bench), 0u);
  EXPECT_EQ(bench.unit.counters.quads_ended, 1u) << "the other failed";
  bench.flush();
  EXPECT_NEAR(bench.stored() & 0xffffff, 0.5 * 0xffffff, 1) << "and store their depth";
}

// Cycles from the first of 64 quads that are tested to the last.
Cycle cycles_of(const ZStencilSpec& spec, uint32_t sources) {
  Bench bench(spec);
  bench.hz.per_cycle = sources;
  auto state = depth_only();
  const auto primitive = messages::testing::cover(bench.pools, *state);
  for (uint32_t i = 0; i < 64; i++)
    bench.send(messages::testing::quad(primitive, 0, 0, 0.5f - static_cast<float>(i) / 256));
  Cycle first = 0, last = 0;
  for (Cycle cycle = 0; cycle < 200; cycle++) {
    const uint64_t before = bench.unit.counters.fragments_tested;
    bench.run(1);
    if (bench.unit.counters.fragments_tested == before) continue;
    if (!first) first = cycle;
    last = cycle;
  }
  EXPECT_EQ(bench.unit.counters.fragments_tested, 64u * 4);
  EXPECT_EQ(bench.unit.counters.fragments_failed, 0u);
  EXPECT_EQ(bench.unit.counters.quads_ended, 64u);
  bench.flush();
  EXPECT_NEAR(bench.stored() & 0xffffff, (0.5 - 63.0 / 256) * 0xffffff, 1);
  return last - first;
}

TEST(DepthOnly, AsManyQuadsPerCycleAreTestedAsDeclared) {
  for (const unsigned rate : {1u, 2u, 4u}) {
    // All wait for the line of the first.
    EXPECT_EQ(cycles_of({.queue = 64, .quads_per_cycle = rate}, rate), 64 / rate - 1) << rate;
    // No more than come: those that have waited for the line, and then one a cycle.
    EXPECT_GE(cycles_of({.queue = 2, .quads_per_cycle = rate}, 1), 45u) << rate;
  }
}

// For an interpolator that keeps the order of rasterisation quads that failed go on too, where those that did
// not are shaded; they hold the place of their number.
TEST(DepthOnly, DeadQuadsGoOnWhereOrderIsKept) {
  auto state = depth_only();
  Bench bench({}, 10, structures::TileMap(), true);
  EXPECT_EQ(quads_out(*state, bench), 0u);
  EXPECT_EQ(bench.unit.counters.quads_ended, 1u);

  state = depth_only();
  state->registers.color.target[0].write_mask = 15;
  state->prepare();
  Bench shaded({}, 10, structures::TileMap(), true);
  EXPECT_EQ(quads_out(*state, shaded), 2u);
  EXPECT_EQ(shaded.interpolator.received.at(0).second.mask, 15u);
  EXPECT_EQ(shaded.interpolator.received.at(1).second.mask, 0u);
}

// Quads with an effect behind the test are shaded.
TEST(DepthOnly, QuadsThatSomethingDependsOnGoOn) {
  const auto goes_on = [](const char* why, auto&& change) {
    auto state = depth_only();
    change(*state);
    state->prepare();
    EXPECT_FALSE(state->ends_before_shading) << why;
    Bench bench;
    EXPECT_GE(quads_out(*state, bench), 1u) << why;
    EXPECT_EQ(bench.unit.counters.quads_ended, 0u) << why;
  };
  goes_on("a color is written", [](messages::DrawState& s) { s.registers.color.target[0].write_mask = 4; });
  goes_on("alpha decides on samples",
          [](messages::DrawState& s) { s.registers.raster.alpha_to_coverage = 1; });
  goes_on("the test comes later",
          [](messages::DrawState& s) { s.registers.depth.mode = static_cast<uint32_t>(DepthMode::kLate); });
  for (const uint32_t flag : {arch::kShaderKills, arch::kShaderWritesDepth, arch::kShaderWritesSampleMask,
                              arch::kShaderWritesStencil, arch::kShaderWritesMemory})
    goes_on("the program has an effect", [flag](messages::DrawState& s) {
      messages::testing::add_program(s, arch::Stage::kFragment, "MOV o0, i0\nEND\n");
      s.registers.shader[kFragment].flags |= flag;
    });
}

TEST(DepthOnly, AProgramWithoutEffectIsNotRun) {
  auto state = depth_only();
  messages::testing::add_program(*state, arch::Stage::kFragment, "MOV o0, i0\nEND\n");
  state->prepare();
  Bench bench;
  EXPECT_EQ(quads_out(*state, bench), 0u);
}

// A query counts the samples that passed, whether the program asked for early tests or not; one count each.
TEST(DepthOnly, SamplesOfQueriesAreCountedWhereTheirQuadEnds) {
  for (const uint32_t flags : {uint32_t{0}, uint32_t{arch::kShaderEarlyTests}}) {
    auto state = depth_only();
    state->registers.query.samples_passed = 1;
    state->registers.shader[kFragment].flags = flags;
    state->prepare();
    Bench bench;
    EXPECT_EQ(quads_out(*state, bench), 0u);
    ShadedQuad end = shaded(draw_end<QuadMessage>(*state));
    bench.send_late(end);
    bench.run(50);
    ASSERT_EQ(bench.color.received.size(), 1u);
    EXPECT_EQ(bench.color.received[0].second.samples, 4u);
  }
}

// Without a depth surface nothing is left to do.
TEST(DepthOnly, QuadsOfADrawThatHasNoTargetEnd) {
  auto state = plain_state();
  state->registers.color.target[0].write_mask = 0;
  state->prepare();
  Bench bench;
  EXPECT_EQ(quads_out(*state, bench), 0u);
  EXPECT_EQ(bench.unit.counters.quads_ended, 2u);
}

}  // namespace
}  // namespace cutaway::boxes::depth_only_test
