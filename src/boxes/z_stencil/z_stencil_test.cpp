#include "boxes/z_stencil/z_stencil.h"

#include <gtest/gtest.h>

#include "boxes/z_stencil/bench_for_test.h"

namespace cutaway::boxes::z_stencil_test {
namespace {

using namespace z_stencil_bench;
using arch::Compare;
using arch::DepthMode;
using messages::testing::add_depth;
using messages::testing::draw_end;
using messages::testing::plain_state;

// "2 + memory" (ATT-4): here without memory.
TEST(ZStencil, AnUntestedQuadTakesTwoCycles) {
  Bench bench;
  auto state = plain_state();
  bench.send(messages::testing::quad(messages::testing::cover(bench.pools, *state), 0, 0));
  bench.run(3);  // sent in 1, here in 2
  EXPECT_TRUE(bench.interpolator.received.empty());
  bench.run(1);
  ASSERT_EQ(bench.interpolator.received.size(), 1u);
  EXPECT_EQ(bench.interpolator.received[0].first, 4u);
}

// Miss: request sent in 2, there in 3, answered 10 later over a wire of 1: here in 14, tested, 2 cycles.
TEST(ZStencil, ATestedQuadTakesTwoCyclesAndThoseOfMemory) {
  Bench bench;
  auto state = plain_state();
  add_depth(*state, Compare::kLess);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  bench.send(messages::testing::quad(primitive, 0, 0, 0.5f));
  bench.run(30);
  ASSERT_EQ(bench.interpolator.received.size(), 1u);
  EXPECT_EQ(bench.interpolator.received[0].first, 16u);
  EXPECT_EQ(bench.unit.counters.cache_misses, 1u);
  // Hit: sent in 31.
  bench.send(messages::testing::quad(primitive, 0, 0, 0.25f));
  bench.run(3);
  EXPECT_EQ(bench.interpolator.received.size(), 1u);
  bench.run(1);
  ASSERT_EQ(bench.interpolator.received.size(), 2u);
  EXPECT_EQ(bench.interpolator.received[1].first, 34u);
  EXPECT_EQ(bench.unit.counters.cache_hits, 1u);
}

// One quad per cycle (ATT-3).
TEST(ZStencil, TestsAQuadPerCycle) {
  Bench bench;
  auto state = plain_state();
  add_depth(*state, Compare::kLess);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  for (uint32_t i = 0; i < 64; i++)
    bench.send(messages::testing::quad(primitive, 0, 0, 0.5f - static_cast<float>(i) / 256));
  bench.run(120);
  ASSERT_EQ(bench.interpolator.received.size(), 64u);
  EXPECT_EQ(bench.interpolator.received[63].first - bench.interpolator.received[0].first, 63u);
}

TEST(ZStencil, StoresNearerDepthsAndDropsTheRest) {
  Bench bench;
  auto state = plain_state();
  add_depth(*state, Compare::kLess);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  bench.send(messages::testing::quad(primitive, 0, 0, 0.5f, 7));
  bench.send(messages::testing::quad(primitive, 0, 0, 0.75f));
  bench.send(draw_end<QuadMessage>(*state));
  bench.run(60);
  ASSERT_EQ(bench.interpolator.received.size(), 3u);
  EXPECT_EQ(bench.interpolator.received[0].second.mask, 7);
  EXPECT_EQ(bench.interpolator.received[1].second.mask, 8);  // behind the first but for its last lane
  EXPECT_TRUE(bench.interpolator.received[2].second.draw_end);
  EXPECT_EQ(bench.unit.counters.fragments_failed, 3u);
  EXPECT_EQ(bench.stored(), 0xffffffu);
  bench.flush();
  EXPECT_NEAR(bench.stored(), 0x800000, 1);
}

TEST(ZStencil, LateQuadsAreTestedAfterShading) {
  Bench bench;
  auto state = plain_state();
  add_depth(*state, Compare::kLess, true, DepthMode::kLate);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  bench.send(messages::testing::quad(primitive, 0, 0, 0.5f));
  bench.run(10);
  EXPECT_EQ(bench.interpolator.received.size(), 1u);
  EXPECT_EQ(bench.memory.reads, 0u);
  bench.send_late(shaded(messages::testing::quad(primitive, 0, 0, 0.5f)));
  bench.send_late(shaded(messages::testing::quad(primitive, 0, 0, 0.75f)));
  bench.run(60);
  EXPECT_EQ(bench.color.received.size(), 1u);
  EXPECT_EQ(bench.unit.counters.late_failed, 4u);
}

// A draw that tests early sees all that a late draw before it stores, however long that is in the shaders.
TEST(ZStencil, AnEarlyDrawWaitsForTheLateDrawBeforeIt) {
  for (Cycle shading : {1u, 30u, 200u})
    for (bool slow_interpolator : {false, true}) {
      Bench bench;
      if (slow_interpolator) bench.interpolator.interval = 25;
      auto late = plain_state(), early = plain_state();
      add_depth(*late, Compare::kLess, true, DepthMode::kLate);
      add_depth(*early, Compare::kLess);
      const auto first = messages::testing::cover(bench.pools, *late);
      const auto second = messages::testing::cover(bench.pools, *early, 0, {.draw = 2});
      for (int i = 0; i < 8; i++) bench.send(messages::testing::quad(first, 0, 0, 0.25f));
      bench.send(draw_end<QuadMessage>(*late));
      bench.send(messages::testing::quad(second, 0, 0, 0.5f));
      bench.send(draw_end<QuadMessage>(*early, 2));
      // Quads that pass the early side come back from shading.
      size_t returned = 0;
      for (Cycle cycle = 0; cycle < 1500; cycle++) {
        bench.run(1);
        if (returned == bench.interpolator.received.size() ||
            bench.interpolator.received[returned].first + shading > bench.clock.now())
          continue;
        bench.send_late(shaded(bench.interpolator.received[returned++].second));
      }
      EXPECT_EQ(bench.unit.counters.fragments_failed, 4u);  // the second draw is hidden
      EXPECT_EQ(bench.unit.why_busy(), "");
      bench.flush();
      EXPECT_NEAR(bench.stored(), 0x400000, 1);
    }
}

// The early side holds no lines while it waits for room behind it: the late side needs them.
TEST(ZStencil, LateQuadsGetLinesWhileTheEarlySideIsBlocked) {
  Bench bench({.cache_lines = 4, .cache_ways = 4});
  auto state = plain_state();
  add_depth(*state, Compare::kLess, true, DepthMode::kEarlyTestLateWrite);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  bench.interpolator.refuse = true;
  for (int32_t tile = 0; tile < 8; tile++) bench.send(messages::testing::quad(primitive, tile * 8, 0, 0.5f));
  bench.send_late(shaded(messages::testing::quad(primitive, 0, 32, 0.5f)));
  bench.run(300);
  EXPECT_EQ(bench.color.received.size(), 1u);
}

TEST(ZStencil, FlushWritesDirtyLinesAndInvalidateForgets) {
  Bench bench;
  auto state = plain_state();
  add_depth(*state, Compare::kLess);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  for (int32_t tile = 0; tile < 4; tile++) bench.send(messages::testing::quad(primitive, tile * 8, 0, 0.5f));
  bench.run(100);
  EXPECT_EQ(bench.memory.writes, 0u);
  bench.flush();
  EXPECT_EQ(bench.memory.writes, 4u);
  bench.flush();
  EXPECT_EQ(bench.memory.writes, 4u);  // clean now
  const uint64_t reads = bench.memory.reads;
  bench.send(messages::testing::quad(primitive, 0, 0, 0.25f));
  bench.run(50);
  EXPECT_EQ(bench.memory.reads, reads);
  bench.flush();
  bench.orders.messages.push_back({Control::Kind::kInvalidate, {}}), bench.orders.wake();
  bench.run(50);
  bench.send(messages::testing::quad(primitive, 0, 0, 0.125f));
  bench.run(50);
  EXPECT_EQ(bench.memory.reads, reads + 1);
}

TEST(ZStencil, BlamesTheNeighbourThatIsSlow) {
  const auto account = [](auto&& slow_down) {
    Bench bench;
    auto state = plain_state();
    add_depth(*state, Compare::kLess);
    const auto primitive = messages::testing::cover(bench.pools, *state);
    slow_down(bench);
    for (uint32_t i = 0; i < 40; i++)
      bench.send(messages::testing::quad(primitive, 0, 0, 0.5f - static_cast<float>(i) / 256));
    bench.run(2000);
    return messages::testing::account_of(bench.sim, bench.unit);
  };
  // One of 40 quads is taken at once and six wait on the wire.
  messages::testing::expect_blame_per_item(
      [&](Cycle k) {
        return account([&](Bench& b) { b.interpolator.interval = k; }).blocked_by("interpolator");
      },
      33);
  const auto memory = [&](Cycle k) {
    return account([&](Bench& b) { b.memory.latency = k; }).starved_by("memory");
  };
  EXPECT_EQ(memory(137) - memory(100), 37u);  // one miss
}

std::unique_ptr<messages::DrawState> multisampled_state() {
  auto state = plain_state();
  state->registers.raster.samples = 4, state->registers.raster.sample_mask = 15;
  add_depth(*state, Compare::kLess);
  state->registers.depth.surface.type |= 2u << 16;
  state->prepare();
  return state;
}

// The depths of each sample are on a line of its own, and each is a test: four cycles a quad.
TEST(ZStencil, TestsSampleBySample) {
  Bench bench;
  const auto state = multisampled_state();
  const auto near = messages::testing::cover(bench.pools, *state, 0.25f),
             far = messages::testing::cover(bench.pools, *state, 0.5f);
  QuadMessage first = messages::testing::quad(near, 0, 0);
  first.covered = first.alive = 0x00f3, first.mask = 15;  // samples 0 and 1, the former in two lanes
  QuadMessage second = messages::testing::quad(far, 0, 0);
  second.covered = second.alive = 0xffff, second.mask = 15;
  bench.send(first);
  bench.send(second);
  bench.run(80);
  ASSERT_EQ(bench.interpolator.received.size(), 2u);
  EXPECT_EQ(bench.interpolator.received[0].second.alive, 0x00f3u);
  EXPECT_EQ(bench.interpolator.received[1].second.alive, 0xff0cu);
  EXPECT_EQ(bench.interpolator.received[1].second.covered, 0xffffu);
  EXPECT_EQ(bench.unit.counters.quads, 2u);
  EXPECT_EQ(bench.unit.counters.fragments_tested, 6u + 16);
  EXPECT_EQ(bench.unit.counters.fragments_failed, 6u);
  bench.flush();
  EXPECT_NEAR(bench.stored(0), 0x400000, 1);
  EXPECT_NEAR(bench.stored(4), 0x800000, 1) << "lane 2 of sample 0";
  EXPECT_NEAR(bench.stored(64), 0x400000, 1) << "sample 1";
  EXPECT_NEAR(bench.stored(128), 0x800000, 1) << "sample 2";
  // With everything cached: four cycles a quad.
  bench.interpolator.received.clear();
  for (uint32_t i = 0; i < 16; i++) bench.send(first), bench.send(second);
  bench.run(200);
  EXPECT_EQ(bench.unit.counters.cache_misses, 4u);
  const auto late = multisampled_state();
  late->registers.depth.mode = static_cast<uint32_t>(DepthMode::kLate);
  late->prepare();
  QuadMessage shaded_late = messages::testing::quad(messages::testing::cover(bench.pools, *late, 0.1f), 0, 0);
  shaded_late.covered = shaded_late.alive = 0x0101, shaded_late.mask = 1;
  bench.send_late(shaded(shaded_late));
  bench.run(40);
  ASSERT_EQ(bench.color.received.size(), 1u);
  EXPECT_EQ(bench.color.received[0].second.quad.alive, 0x0101u);
  EXPECT_EQ(bench.unit.counters.late_quads, 1u);
}

// Untested quads pass through the queues; what a blocked output leaves inside is what they hold.
TEST(ZStencil, HoldsAsManyQuadsAsItsQueues) {
  for (unsigned size : {1u, 5u, 64u}) {
    auto state = plain_state();
    Bench early({.queue = size});
    early.interpolator.refuse = true;
    const auto primitive = messages::testing::cover(early.pools, *state);
    for (int i = 0; i < 200; i++) early.send(messages::testing::quad(primitive, 0, 0));
    early.run(300);
    EXPECT_EQ(early.unit.counters.quads, 6 + size);
    EXPECT_EQ(early.hz.sent.size(), 64 + size + 6);
    EXPECT_GT(messages::testing::account_of(early.sim, early.unit).blocked_by("interpolator"), 150u);

    Bench late({.late_queue = size});
    late.color.refuse = true;
    const auto other = messages::testing::cover(late.pools, *state);
    for (int i = 0; i < 200; i++) late.send_late(shaded(messages::testing::quad(other, 0, 0)));
    late.run(300);
    EXPECT_EQ(late.buffer.sent.size(), 4 + size + 6);
    EXPECT_GT(messages::testing::account_of(late.sim, late.unit).blocked_by("color"), 150u);
    EXPECT_EQ(late.unit.counters.late_quads, 0u);  // tested after shading
  }
}

// One test a cycle, of both sides together: the late side goes first.
TEST(ZStencil, TheLateSideTestsFirst) {
  Bench bench;
  auto early = plain_state(), late = plain_state();
  add_depth(*early, Compare::kLess);
  add_depth(*late, Compare::kLess, true, DepthMode::kLate);
  const auto first = messages::testing::cover(bench.pools, *early);
  const auto second = messages::testing::cover(bench.pools, *late);
  bench.send(messages::testing::quad(first, 0, 0, 0.9f));
  bench.run(60);
  for (uint32_t i = 0; i < 40; i++) {
    const float z = 0.8f - static_cast<float>(i) / 256;
    bench.send(messages::testing::quad(first, 0, 0, z));
    bench.send_late(shaded(messages::testing::quad(second, 0, 0, z - 0.001f)));
  }
  bench.run(300);
  ASSERT_EQ(bench.color.received.size(), 40u);
  EXPECT_EQ(bench.color.received[39].first - bench.color.received[0].first, 39u);
  EXPECT_EQ(bench.unit.counters.late_quads, 40u);
  // The early ones got no cycle until the late ones were through.
  EXPECT_EQ(bench.unit.counters.fragments_tested, 4u * 41);
  EXPECT_EQ(bench.unit.counters.fragments_failed, 4u * 40);
}

TEST(ZStencil, AnEarlyDrawThatWaitsForALateOneBlamesTheReorderBuffer) {
  Bench bench;
  auto late = plain_state(), early = plain_state();
  add_depth(*late, Compare::kLess, true, DepthMode::kLate);
  add_depth(*early, Compare::kLess);
  bench.send(draw_end<QuadMessage>(*late));
  bench.send(
      messages::testing::quad(messages::testing::cover(bench.pools, *early, 0, {.draw = 2}), 0, 0, 0.5f));
  bench.run(100);
  EXPECT_GE(messages::testing::account_of(bench.sim, bench.unit).starved_by("buffer"), 90u);
  bench.send_late(shaded(draw_end<QuadMessage>(*late)));
  bench.run(100);
  EXPECT_EQ(bench.unit.counters.fragments_tested, 4u);
}

TEST(ZStencil, NamesTheInputOfWhatItDoesNotHold) {
  Bench bench({}, 100);
  auto state = plain_state();
  add_depth(*state, Compare::kLess, true, DepthMode::kLate);
  const engine::Box& box = bench.unit;
  EXPECT_EQ(box.source_of(bench.unit.late_out), &bench.unit.late_in);
  EXPECT_EQ(box.source_of(bench.unit.quads_out), &bench.unit.quads_in[0]);
  EXPECT_EQ(box.source_of(bench.unit.memory_out), nullptr);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  bench.send_late(shaded(messages::testing::quad(primitive, 0, 0, 0.5f)));
  bench.run(20);  // it waits for memory
  EXPECT_EQ(box.source_of(bench.unit.late_out), nullptr);
  EXPECT_EQ(box.source_of(bench.unit.quads_out), &bench.unit.quads_in[0]);
}

}  // namespace
}  // namespace cutaway::boxes::z_stencil_test
