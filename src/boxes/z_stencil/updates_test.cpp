// Tests what the unit tells hierarchical Z of the tiles that leave its cache.
#include <algorithm>
#include <gtest/gtest.h>

#include "boxes/z_stencil/bench_for_test.h"
#include "boxes/z_stencil/z_stencil.h"

namespace cutaway::boxes::updates_test {
namespace {

using namespace z_stencil_bench;
using arch::Compare;
using arch::DepthMode;
using messages::testing::add_depth;
using messages::testing::draw_end;
using messages::testing::plain_state;

TEST(ZStencilUpdates, TellsHierarchicalZWhatAnEvictedTileHolds) {
  Bench bench({.cache_lines = 4, .cache_ways = 4});
  auto state = plain_state();
  add_depth(*state, Compare::kLess);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  for (int32_t i = 0; i < 16; i++) {
    QuadMessage quad =
        messages::testing::quad(primitive, i % 4 * 2, i / 4 * 2, 0.25f + static_cast<float>(i) / 64);
    quad.hz_epoch = 5;
    bench.send(quad);
  }
  for (int32_t tile = 1; tile < 5; tile++) bench.send(messages::testing::quad(primitive, tile * 8, 0, 0.5f));
  bench.run(300);
  ASSERT_EQ(bench.updates.received.size(), 1u);
  const messages::HzUpdate& update = bench.updates.received[0].second;
  EXPECT_EQ(update.surface, messages::testing::kDepthAddress);
  EXPECT_EQ(update.x, 0);
  EXPECT_EQ(update.epoch, 5u);
  EXPECT_NEAR(update.least, 0.25f, 1e-6);
  EXPECT_NEAR(update.greatest, 0.25f + 15.0f / 64, 1e-6);
}

// Stencil is no part of the depth, however many bits that has.
TEST(ZStencilUpdates, TellsHierarchicalZTheDepthOfEveryFormat) {
  using enum arch::Format;
  for (const arch::Format format : {D16_UNORM_S8_UINT, X8_D24_UNORM_PACK32, D24_UNORM_S8_UINT, D32_SFLOAT}) {
    SCOPED_TRACE(arch::format_info(format).name);
    Bench bench({.cache_lines = 4, .cache_ways = 4});
    auto state = plain_state();
    add_depth(*state, Compare::kGreater);
    auto& depth = state->registers.depth;
    depth.surface.format = static_cast<uint32_t>(format);
    depth.stencil_test = 1;
    depth.front = depth.back = {2, 2, 2, 7, 0xa5, 255, 255};  // replace, always
    state->prepare();
    const std::vector<uint32_t> zeros(1 << 14, 0);
    bench.memory.memory.write(messages::testing::kDepthAddress, zeros.data(), 4 * zeros.size());
    const auto primitive = messages::testing::cover(bench.pools, *state);
    for (int32_t i = 0; i < 16; i++)
      bench.send(messages::testing::quad(primitive, i % 4 * 2, i / 4 * 2, i == 3 ? 0.25f : 0.75f));
    for (int32_t tile = 1; tile < 5; tile++)
      bench.send(messages::testing::quad(primitive, tile * 8, 0, 0.5f));
    bench.run(300);
    ASSERT_EQ(bench.updates.received.size(), 1u);
    const messages::HzUpdate& update = bench.updates.received[0].second;
    EXPECT_NEAR(update.least, 0.25f, 1e-4);
    EXPECT_NEAR(update.greatest, 0.75f, 1e-4);
  }
}

// ---- Lines that stay ----

// Sends the quads of tiles in a row, all of one depth.
void send_tiles(Bench& bench, const messages::PrimitiveRef& primitive, std::initializer_list<int32_t> tiles,
                float z) {
  for (const int32_t tile : tiles)
    for (int32_t i = 0; i < 16; i++)
      bench.send(messages::testing::quad(primitive, tile * 8 + i % 4 * 2, i / 4 * 2, z));
}

TEST(ZStencilUpdates, TellsOfAChangedTileWhenTestsGoOnToAnother) {
  for (const unsigned queue : {0u, 8u}) {
    Bench bench({.report_queue = queue});
    auto state = plain_state();
    add_depth(*state, Compare::kLess);
    const auto primitive = messages::testing::cover(bench.pools, *state);
    send_tiles(bench, primitive, {0}, 0.25f);
    bench.run(300);
    EXPECT_TRUE(bench.updates.received.empty()) << "more of it may come";
    bench.send(messages::testing::quad(primitive, 8, 0, 0.5f));
    bench.run(300);
    ASSERT_EQ(bench.updates.received.size(), queue ? 1u : 0u);
    EXPECT_EQ(bench.unit.counters.tiles_told, queue ? 1u : 0u);
    for (const auto& [cycle, update] : bench.updates.received) EXPECT_NEAR(update.greatest, 0.25f, 1e-6);
  }
}

// A line is read in so many cycles: the next one waits for them, and not for one more.
TEST(ZStencilUpdates, ReadsALineInTheCyclesThatItTakes) {
  for (const unsigned cycles : {1u, 4u, 40u}) {
    Bench bench({.report_cycles = cycles});
    auto state = plain_state();
    add_depth(*state, Compare::kLess);
    const auto primitive = messages::testing::cover(bench.pools, *state);
    // Their lines come before, so that a quad is tested in each cycle.
    send_tiles(bench, primitive, {0, 1, 2}, 0.875f);
    bench.run(300);
    const size_t before = bench.updates.received.size();
    for (int32_t tile = 0; tile < 3; tile++)
      bench.send(messages::testing::quad(primitive, tile * 8, 0, 0.5f));
    bench.run(300);
    ASSERT_EQ(bench.updates.received.size(), before + 3) << "tiles 2, 0 and 1";
    for (size_t i = 1; i < 3; i++)
      EXPECT_EQ(bench.updates.received[before + i].first - bench.updates.received[before + i - 1].first,
                cycles);
  }
}

TEST(ZStencilUpdates, DoesNotTellAgainOfATileThatHasNotChanged) {
  Bench bench({.cache_lines = 4, .cache_ways = 4});
  auto state = plain_state();
  add_depth(*state, Compare::kLess);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  send_tiles(bench, primitive, {0, 1}, 0.25f);
  send_tiles(bench, primitive, {0, 1}, 0.5f);  // all fail
  bench.run(600);
  EXPECT_EQ(bench.updates.received.size(), 2u);
  send_tiles(bench, primitive, {2, 3, 4, 5}, 0.25f);  // tiles 0 and 1 go
  bench.run(600);
  for (size_t i = 2; i < bench.updates.received.size(); i++)
    EXPECT_GE(bench.updates.received[i].second.x, 16) << "tiles 0 and 1 have been told";
}

// A line for which there was no room among those that wait is told when it leaves.
TEST(ZStencilUpdates, TellsWhatDidNotFitWhenItLeaves) {
  Bench bench({.cache_lines = 4, .cache_ways = 4, .report_queue = 1, .report_cycles = 64});
  auto state = plain_state();
  add_depth(*state, Compare::kLess);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  send_tiles(bench, primitive, {0, 1, 2, 3}, 0.25f);
  for (int32_t tile = 4; tile < 8; tile++) bench.send(messages::testing::quad(primitive, tile * 8, 0, 0.5f));
  bench.run(600);
  std::vector<int32_t> told;
  for (const auto& [cycle, update] : bench.updates.received)
    if (update.x < 32) told.push_back(update.x / 8);
  std::sort(told.begin(), told.end());
  EXPECT_EQ(told, (std::vector{0, 1, 2, 3}));
}

// A line of which only some sectors were read says nothing of its tile.
TEST(ZStencilUpdates, DoesNotTellHierarchicalZOfPartsOfATile) {
  Bench bench({.cache_lines = 4, .cache_ways = 4});
  auto state = plain_state();
  add_depth(*state, Compare::kLess);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  // Three sectors of the first tile, four of the second, one of the third.
  for (const auto& [x, y] : {std::pair{0, 0}, {4, 0}, {0, 4}, {8, 0}, {12, 0}, {8, 4}, {12, 4}, {16, 0}})
    bench.send(messages::testing::quad(primitive, x, y, 0.5f));
  for (int32_t tile = 3; tile < 8; tile++) bench.send(messages::testing::quad(primitive, tile * 8, 0, 0.5f));
  bench.run(400);
  ASSERT_EQ(bench.updates.received.size(), 1u);
  EXPECT_EQ(bench.updates.received[0].second.x, 8);
  EXPECT_EQ(bench.updates.received[0].second.greatest, 1) << "most of it is as far as it was";
}

// Twice as many as the cache has lines wait for hierarchical Z; what comes on top is not told.
TEST(ZStencilUpdates, HoldsAsManyUpdatesAsTwiceItsLines) {
  Bench bench({.cache_lines = 4, .cache_ways = 4});
  auto state = plain_state(256, 256);
  add_depth(*state, Compare::kLess);
  const auto primitive = messages::testing::cover(bench.pools, *state);
  bench.updates.refuse = true;
  for (int32_t tile = 0; tile < 30; tile++)
    for (int32_t i = 0; i < 16; i++)
      bench.send(messages::testing::quad(primitive, tile * 8 + i % 4 * 2, i / 4 * 2, 0.5f));
  bench.run(3000);
  EXPECT_EQ(bench.unit.counters.cache_misses, 30u * 4);  // a sector each
  EXPECT_TRUE(bench.updates.received.empty());
  bench.updates.refuse = false, bench.updates.wake();
  bench.run(100);
  EXPECT_EQ(bench.updates.received.size(), 4u + 2 * 4);
}

TEST(ZStencilUpdates, TellsNothingOfLinesThatAreNotOneTile) {
  for (const uint32_t bytes : {128u, 512u}) {
    Bench bench({.cache_lines = 4, .cache_ways = 4, .line_bytes = bytes});
    auto state = plain_state();
    add_depth(*state, Compare::kLess);
    const auto primitive = messages::testing::cover(bench.pools, *state);
    for (int32_t tile = 0; tile < 12; tile++)
      for (int32_t i = 0; i < 16; i++)
        bench.send(
            messages::testing::quad(primitive, tile % 8 * 8 + i % 4 * 2, tile / 8 * 8 + i / 4 * 2, 0.5f));
    bench.run(2000);
    EXPECT_GT(bench.unit.counters.cache_misses, 4u);
    EXPECT_TRUE(bench.updates.received.empty()) << bytes;
  }
}

}  // namespace
}  // namespace cutaway::boxes::updates_test
