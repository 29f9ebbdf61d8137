#include <gtest/gtest.h>

#include "boxes/z_stencil/bench_for_test.h"

// Draws that are tested before shading behind draws that are tested after it, in each way to keep their
// writes in order.
namespace cutaway::boxes::write_order_test {
namespace {

using arch::Compare;
using arch::DepthMode;
using engine::Cycle;
using messages::QuadMessage;
using messages::testing::add_depth;
using messages::testing::draw_end;
using messages::testing::plain_state;
using z_stencil_bench::Bench;
using z_stencil_bench::shaded;

// Two draws; their quads reach the shaders and come back when the test says so.
struct TwoDraws : Bench {
  std::unique_ptr<messages::DrawState> late = plain_state(), next = plain_state();
  messages::PrimitiveRef first, second;

  explicit TwoDraws(const ZStencilSpec& spec, Compare earlier = Compare::kLess,
                    DepthMode mode = DepthMode::kEarly, Compare later = Compare::kLess)
      : Bench(spec) {
    add_depth(*late, earlier, true, DepthMode::kLate);
    add_depth(*next, later, true, mode);
    first = messages::testing::cover(pools, *late);
    second = messages::testing::cover(pools, *next, 0, {.draw = 2});
  }
  QuadMessage of_first(float z, int32_t x = 0) { return messages::testing::quad(first, x, 0, z); }
  QuadMessage of_second(float z, int32_t x = 0) { return messages::testing::quad(second, x, 0, z); }
  void end_first() { send(draw_end<QuadMessage>(*late)); }
  void come_back(const QuadMessage& quad) { send_late(shaded(quad)); }
  void first_comes_back_whole() { send_late(shaded(draw_end<QuadMessage>(*late))); }
  uint64_t tested() const { return unit.counters.fragments_tested; }
};

TEST(WriteOrder, WithoutATrackerAnEarlyDrawWaitsForTheWholeLateDraw) {
  for (const char* order : {"flush", "stay_late", "write_late"}) {
    TwoDraws bench({.write_order = order});
    bench.send(bench.of_first(0.5f)), bench.end_first();
    bench.send(bench.of_second(0.25f, 8));
    bench.come_back(bench.of_first(0.5f));
    bench.run(100);
    EXPECT_EQ(bench.tested(), 0u) << order;
    bench.first_comes_back_whole();
    bench.run(100);
    EXPECT_EQ(bench.tested(), 4u) << order;
  }
}

TEST(WriteOrder, TrackWaitsForTheQuadsOfTheTile) {
  TwoDraws bench({.write_order = "track"});
  bench.send(bench.of_first(0.5f)), bench.send(bench.of_first(0.5f)), bench.end_first();
  bench.send(bench.of_second(0.75f, 8));  // another tile
  bench.send(bench.of_second(0.75f));     // the same
  bench.run(100);
  EXPECT_EQ(bench.tested(), 4u);
  bench.come_back(bench.of_first(0.5f));
  bench.run(100);
  EXPECT_EQ(bench.tested(), 4u) << "one of two has come back";
  bench.come_back(bench.of_first(0.5f));
  bench.run(100);
  EXPECT_EQ(bench.tested(), 8u);
  EXPECT_EQ(bench.unit.counters.fragments_failed, 4u) << "behind the late draw";
}

// With its line at hand a quad that waits is taken and tested in the cycle after the late test, whose quad
// takes two cycles to the color unit.
TEST(WriteOrder, TrackGoesOnInTheCycleAfterTheLateTest) {
  TwoDraws bench({.write_order = "track"});
  bench.send(bench.of_second(0.9f));
  bench.run(60);
  bench.send(bench.of_first(0.5f)), bench.end_first(), bench.send(bench.of_second(0.25f));
  bench.run(60);
  bench.come_back(bench.of_first(0.5f));
  Cycle tested = 0;
  for (Cycle cycle = 0; cycle < 20; cycle++) {
    bench.run(1);
    if (!tested && bench.tested() == 8) tested = bench.clock.now();
  }
  ASSERT_EQ(bench.color.received.size(), 1u);
  EXPECT_EQ(tested, bench.color.received[0].first - 2 + 1);
}

// The sample mask, or a discard, leaves nothing: the quad comes back dead, and is counted.
TEST(WriteOrder, TrackCountsQuadsThatDied) {
  TwoDraws bench({.write_order = "track"});
  bench.send(bench.of_first(0.5f)), bench.end_first(), bench.send(bench.of_second(0.75f));
  bench.run(100);
  EXPECT_EQ(bench.tested(), 0u);
  QuadMessage dead = bench.of_first(0.5f);
  dead.mask = 0;
  bench.come_back(dead);
  bench.run(100);
  EXPECT_EQ(bench.tested(), 4u);
  EXPECT_EQ(bench.unit.counters.late_quads, 0u);
  EXPECT_EQ(bench.unit.counters.fragments_failed, 0u) << "the dead quad wrote nothing";
  EXPECT_TRUE(bench.color.received.empty());
}

// A quad that its early test kills does not come back.
TEST(WriteOrder, TrackForgetsQuadsThatEndBeforeShading) {
  TwoDraws bench({.write_order = "track"});
  add_depth(*bench.late, Compare::kLess, true, DepthMode::kEarlyTestLateWrite);
  bench.send(bench.of_second(0.25f));
  bench.run(60);
  bench.send(bench.of_first(0.5f)), bench.end_first();  // hidden
  bench.run(60);
  EXPECT_EQ(bench.unit.counters.fragments_failed, 4u);
  bench.send(bench.of_second(0.125f));
  bench.run(60);
  EXPECT_EQ(bench.tested(), 12u);
}

// A draw that is tested again does not wait; it is not tested early if the late draw may make pass what
// fails.
TEST(WriteOrder, TestsThatAreMadeAgainDoNotWait) {
  for (const char* order : {"flush", "track"})
    for (const Compare earlier : {Compare::kLess, Compare::kGreater}) {
      TwoDraws bench({.write_order = order}, earlier, DepthMode::kEarlyTestLateWrite, Compare::kLess);
      bench.send(bench.of_first(0.5f)), bench.end_first();
      bench.send(bench.of_second(0.25f));
      bench.run(100);
      EXPECT_EQ(bench.tested(), earlier == Compare::kLess ? 4u : 0u) << order;
      EXPECT_EQ(bench.interpolator.received.size(), 3u) << "both quads and the end";
    }
}

// Late writes that are under way may still change a line, so an early test reports no bounds of it.
TEST(WriteOrder, EarlyTestsBesideLateWritesReportNothing) {
  for (const bool beside : {false, true}) {
    TwoDraws bench({.cache_lines = 4, .cache_ways = 4}, Compare::kLess, DepthMode::kEarlyTestLateWrite);
    bench.send(bench.of_first(0.5f)), bench.end_first();
    bench.come_back(bench.of_first(0.5f));
    bench.run(60);
    if (!beside) bench.first_comes_back_whole();
    bench.run(60);
    for (int32_t i = 16; i < 9 * 16; i++) {  // all quads of tiles 1 to 8
      QuadMessage quad = messages::testing::quad(bench.second, i / 16 * 8 + i % 4 * 2, i / 4 % 4 * 2, 0.25f);
      quad.hz_epoch = 7;
      bench.send(quad);
    }
    bench.run(900);
    EXPECT_EQ(bench.tested(), 4u * 8 * 16);
    uint32_t told = 0;
    for (const auto& [cycle, update] : bench.updates.received) told += update.epoch == 7;
    EXPECT_EQ(told, beside ? 0u : 4u);
  }
}

}  // namespace
}  // namespace cutaway::boxes::write_order_test
