#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "boxes/tessellation/bench_for_test.h"

namespace cutaway::boxes::tessellation_test {
namespace {

using namespace tessellation_bench;

// A square of factor 1: two triangles of its four points, each shaded once.
TEST(Tessellation, DividesAPatch) {
  Bench bench;
  bench.patches(1);
  bench.end();
  ASSERT_TRUE(bench.run());
  const auto made = bench.primitives();
  ASSERT_EQ(made.size(), 2u);
  uint32_t left = 0, right = 0;
  for (const auto& triangle : made)
    for (const uint32_t word : triangle) (word == 0 ? left : right) += word == 0 || word == 16;
  EXPECT_EQ(left + right, 6u);
  EXPECT_EQ(bench.box.counters.points, 6u);
  EXPECT_EQ(bench.box.counters.points_shaded, 4u);
  EXPECT_EQ(bench.box.counters.post_cache_hits, 2u);
  ASSERT_EQ(bench.units.controls.size(), 1u);
  EXPECT_EQ(bench.units.controls[0].lanes, 4u);
  ASSERT_EQ(bench.processor.received.size(), 1u);
  const command_stream::QueryCounters& counts = bench.processor.received[0].second.counts;
  EXPECT_EQ(counts[command_stream::Statistic::kTessControlPatches], 1u);
  EXPECT_EQ(counts[command_stream::Statistic::kTessEvaluationInvocations], 4u);
  EXPECT_EQ(counts.primitives_generated[0], 2u);
}

// The first group of patches ends last, and so do its points: what comes out is in their order all the same.
TEST(Tessellation, KeepsTheOrderOfPatches) {
  Bench bench;
  bench.units.latency = [](Stage, uint32_t first) { return first == 0 ? 300 : 5; };
  bench.patches(20);
  bench.end();
  ASSERT_TRUE(bench.run());
  EXPECT_EQ(bench.units.controls.size(), 3u);  // 8 patches of 4 in each
  const auto made = bench.primitives();
  ASSERT_EQ(made.size(), 40u);
  for (uint32_t i = 0; i < 40; i++) EXPECT_EQ(made[i][0] / 1000, i / 2);
  EXPECT_TRUE(bench.clipper.received.back().second.draw_end);
}

// A group that is not full waits so long for another patch, unless the draw ends.
TEST(Tessellation, GathersPatches) {
  for (const unsigned gather : {1u, 50u}) {
    Bench bench({.gather_cycles = gather});
    bench.patches(1);
    ASSERT_TRUE(bench.sim.run_until([&] { return !bench.units.controls.empty(); }, bench.clock, 1000));
    // Taken in cycle 2; closed when it has waited, sent in the cycle after, there one later.
    EXPECT_EQ(bench.units.controls[0].cycle, 2 + gather + 2);
  }
  Bench ends({.gather_cycles = 500});
  ends.patches(1);
  ends.end();
  ASSERT_TRUE(ends.run());
  EXPECT_LT(ends.units.controls[0].cycle, 10u);
}

// The first point comes so long after the factors.
TEST(Tessellation, TakesTimeForAPatch) {
  const auto first = [](unsigned cycles) {
    Bench bench({.patch_cycles = cycles});
    bench.patches(1);
    bench.end();
    EXPECT_TRUE(bench.run());
    return bench.units.evaluations.at(0).cycle;
  };
  EXPECT_EQ(first(40), first(8) + 32);
}

// Points a cycle, until slots are full: 64 x 64 squares of factor 1 in one patch have 6 points each.
TEST(Tessellation, MakesPointsAtItsRate) {
  for (const unsigned rate : {1u, 3u}) {
    Bench bench({.points_per_cycle = rate, .queue = 1024});
    bench.units.factor = [](uint32_t) { return 8.0f; };
    bench.patches(1);
    bench.end();
    ASSERT_TRUE(bench.run());
    EXPECT_EQ(bench.box.counters.points, 8u * 8 * 6);
    EXPECT_EQ(bench.box.counters.points_shaded, 9u * 9);
    // Each point of a primitive takes a cycle on its way out, whatever the rate.
    Cycle from = 0;
    for (const auto& [cycle, message] : bench.clipper.received)
      if (!from) from = cycle;
    const Cycle out = bench.last() - from;
    EXPECT_GE(out, 8u * 8 * 6 - 3);
  }
}

// Patches wait until those before have left memory; a patch takes whole KB.
TEST(Tessellation, PatchesWaitForMemory) {
  Bench bench({.patch_memory = 32}, 32, 32768);
  bench.patches(3);
  bench.end();
  ASSERT_TRUE(bench.run());
  ASSERT_EQ(bench.units.controls.size(), 3u);
  EXPECT_EQ(bench.box.counters.memory_stalls, 2u);
  ASSERT_EQ(bench.units.evaluations.size(), 3u);
  for (uint32_t i = 1; i < 3; i++)
    EXPECT_GT(bench.units.controls[i].cycle, bench.units.evaluations[i - 1].cycle + 10);
  EXPECT_EQ(bench.primitives().size(), 6u);
}

TEST(Tessellation, CullsByFactors) {
  Bench bench;
  bench.units.factor = [](uint32_t id) { return id % 2 ? 1.0f : -1.0f; };
  bench.patches(9);
  bench.end();
  ASSERT_TRUE(bench.run());
  EXPECT_EQ(bench.box.counters.patches_culled, 5u);
  EXPECT_EQ(bench.primitives().size(), 8u);
}

// Draws without patches pass when all before them has left; their end too.
TEST(Tessellation, PassesOtherDraws) {
  Bench bench;
  bench.units.latency = [](Stage, uint32_t) { return 100; };
  bench.patches(1);
  bench.end();
  bench.pass(2);
  bench.end(2);
  ASSERT_TRUE(bench.run());
  ASSERT_EQ(bench.clipper.received.size(), 5u);
  EXPECT_TRUE(bench.clipper.received[2].second.draw_end);
  EXPECT_EQ(bench.clipper.received[3].second.state, bench.plain.get());
  EXPECT_TRUE(bench.clipper.received[4].second.draw_end);
  EXPECT_EQ(bench.box.counters.passed, 1u);
  EXPECT_EQ(bench.processor.received.size(), 2u);
}

TEST(Tessellation, TheEndOfABatchOfOtherDrawsTakesNoCycle) {
  Bench bench;
  bench.pass(1);
  bench.assembly.messages = messages::testing::two_batches(bench.assembly.messages[0]);
  bench.assembly.per_cycle = bench.clipper.per_cycle = 2;
  ASSERT_TRUE(bench.run());
  messages::testing::expect_ends_pass_along(bench.clipper.received);
  EXPECT_EQ(bench.processor.received.size(), 3u);
}

// Its primitives are not taken: it says so, and all its cycles are accounted for.
TEST(Tessellation, IsBlockedByWhatFollows) {
  Bench bench({.vertices = 3});
  bench.patches(4);
  bench.end();
  ASSERT_TRUE(bench.sim.run_until([&] { return bench.clock.now() > 400; }, bench.clock, 500));
  // The sink holds the vertices of the first triangle: the storage has no place for the next.
  EXPECT_EQ(bench.primitives().size(), 1u);
  EXPECT_NE(bench.box.why_busy(), "");
}

}  // namespace
}  // namespace cutaway::boxes::tessellation_test
