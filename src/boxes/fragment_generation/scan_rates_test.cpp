// Rates of the scan and of the descent.
#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <vector>

#include "boxes/fragment_generation/bench_for_test.h"

namespace cutaway::boxes::scan_rates_test {
namespace {

using namespace fragment_generation_bench;

// A rectangle of 8 × 8 whole tiles, except for the diagonal: two tiles per cycle (ATT-3).
TEST(FragmentGeneration, SendsTwoTilesPerCycle) {
  Bench bench;
  bench.setup.messages.push_back(message(messages::testing::cover(bench.pools, *bench.state)));
  bench.sim.run(bench.clock, 200);
  ASSERT_EQ(bench.hz.received.size(), 256u);
  EXPECT_EQ(bench.hz.received[0].first, 3u);
  EXPECT_EQ(bench.hz.received[255].first, 3u + 127);
}

// A thin triangle from corner to corner: its bounding box takes a cycle per four tiles.
TEST(FragmentGeneration, LooksAtFourTilesPerCycle) {
  for (unsigned tests : {1u, 4u, 16u}) {
    Bench bench({.tiles_per_cycle = 16, .tests_per_cycle = tests});
    bench.setup.messages = {
        message(messages::testing::triangle(bench.pools, *bench.state, {{0, 0}, {128, 127}, {128, 128}})),
        messages::testing::draw_end<SetupMessage>(*bench.state)};
    bench.sim.run(bench.clock, 400);
    ASSERT_TRUE(bench.hz.received.back().second.draw_end);
    EXPECT_EQ(bench.box.counters.tiles_tested, 256u);
    // Taken in 2; 256 / tests cycles; then the draw end over a wire of 1.
    EXPECT_EQ(bench.hz.received.back().first, 2 + 256 / tests + 1);
  }
}

// A rectangle of 16 x 16 tiles, then a small triangle, which waits until the last tile has been scanned.
TEST(FragmentGeneration, ScansATileInTheDeclaredCycles) {
  for (unsigned cycles : {2u, 4u, 16u}) {
    Bench bench({.tile_cycles = cycles});
    bench.setup.messages = {
        message(messages::testing::cover(bench.pools, *bench.state)),
        message(messages::testing::triangle(bench.pools, *bench.state, {{1, 1}, {4, 1}, {1, 4}}))};
    bench.sim.run(bench.clock, 256 * cycles + 10);
    ASSERT_EQ(bench.hz.received.size(), 257u);
    for (uint32_t tile = 0; tile < 257; tile++)
      ASSERT_EQ(bench.hz.received[tile].first, 3u + tile * cycles) << tile;
    EXPECT_EQ(bench.box.why_busy(), "");
  }
}

// A tile takes a cycle for each block with fragments, and one with a few pixels no more than one.
TEST(FragmentGeneration, DrawsABlockPerCycle) {
  for (unsigned pixels : {4u, 8u, 16u, 32u}) {
    Bench bench({.pixels_per_cycle = pixels});
    bench.setup.messages = {
        message(messages::testing::cover(bench.pools, *bench.state)),
        message(messages::testing::triangle(bench.pools, *bench.state, {{1, 1}, {4, 1}, {1, 4}})),
        message(messages::testing::triangle(bench.pools, *bench.state, {{8, 8}, {10, 8}, {8, 10}})),
        message(messages::testing::triangle(bench.pools, *bench.state, {{8, 8}, {10, 8}, {8, 10}}))};
    const unsigned cycles = 64 / pixels;
    bench.sim.run(bench.clock, 256 * cycles + 20);
    ASSERT_EQ(bench.hz.received.size(), 259u);
    for (uint32_t tile = 0; tile < 257; tile++)
      ASSERT_EQ(bench.hz.received[tile].first, 3u + tile * cycles) << tile;
    // Pixels (1, 1) to (2, 2) are in three blocks of 2x2, in two of 4x2.
    const unsigned first = pixels == 4 ? 3 : pixels == 8 ? 2 : 1;
    EXPECT_EQ(bench.hz.received[257].first - bench.hz.received[256].first, first);
    EXPECT_EQ(bench.hz.received[258].first - bench.hz.received[257].first, 1u);
  }
}

// Tiles that wait are sent as the scan allows while a descent takes longer for its next block.
TEST(FragmentGeneration, SendsWhileItDescends) {
  Bench bench({.order = "recursive", .level_cycles = 16, .tile_cycles = 2, .found_tiles = 8});
  bench.setup.messages.push_back(message(messages::testing::cover(bench.pools, *bench.state)));
  bench.sim.run(bench.clock, 400);
  ASSERT_GT(bench.hz.received.size(), 8u);
  for (uint32_t tile = 1; tile < 4; tile++)
    EXPECT_EQ(bench.hz.received[tile].first - bench.hz.received[0].first, 2 * tile) << tile;
}

// One test of four finds two tiles on both sides of the edge of largest blocks.
TEST(FragmentGeneration, TakesASmallTriangleAnywherePerCycle) {
  Bench bench({.order = "recursive", .found_tiles = 2});
  const auto small = messages::testing::triangle(bench.pools, *bench.state, {{60, 1}, {69, 1}, {60, 4}});
  bench.setup.messages.assign(50, message(small));
  bench.sim.run(bench.clock, 80);
  ASSERT_EQ(bench.hz.received.size(), 100u);
  EXPECT_EQ(bench.hz.received[99].first - bench.hz.received[0].first, 49u);
}

// Cycles from the arrival of the first tile to that of the last, and to the draw end.
struct Times {
  Cycle first = 0, last = 0, end = 0;
};
Times times_of(const FragmentGenerationSpec& spec, const std::vector<messages::testing::Corner>& corners) {
  Bench bench(spec);
  bench.hz.per_cycle = 16;
  const messages::testing::Corner c[3] = {corners[0], corners[1], corners[2]};
  bench.setup.messages = {message(messages::testing::triangle(bench.pools, *bench.state, c)),
                          messages::testing::draw_end<SetupMessage>(*bench.state)};
  bench.sim.run(bench.clock, 4000);
  const auto& received = bench.hz.received;
  EXPECT_TRUE(received.back().second.draw_end);
  return {received.front().first, received[received.size() - 2].first, received.back().first};
}
const std::vector<messages::testing::Corner> kWhole = {{0, 0}, {512, 0}, {0, 512}};

// The first tile follows the tests of the block, of a quarter, and so on; then two tiles per cycle, while
// others are being found.
TEST(FragmentGeneration, DescendsAheadOfSending) {
  for (const unsigned block : {16u, 32u, 64u, 128u, 256u})
    for (const unsigned cycles : {1u, 4u}) {
      const Times times = times_of(
          {.order = "recursive", .block = block, .level_cycles = cycles, .found_tiles = 16 * cycles}, kWhole);
      // 256 tiles in 128 cycles. A block of 128 pixels has three levels of larger blocks than tiles.
      const auto levels = static_cast<Cycle>(std::countr_zero(std::min(block, 128u)) - 4);
      EXPECT_EQ(times.first, 3 + levels * cycles) << block;
      if (cycles == 1) { EXPECT_EQ(times.last, times.first + 127) << block; }
    }
}

// Without room for found tiles, tests overlap the sending of two tiles per cycle only in part.
TEST(FragmentGeneration, SendsAsItFindsWithoutRoomForMore) {
  const auto last = [](unsigned block, unsigned tests) {
    return times_of({.order = "recursive", .block = block, .tests_per_cycle = tests}, kWhole).last;
  };
  EXPECT_EQ(last(16, 2), 3u + 127);
  // 16 blocks of 32: two cycles of tests before the 8 cycles of tiles of each.
  EXPECT_EQ(last(32, 2), 3u + 16 * 10 - 1);
  EXPECT_EQ(last(32, 4), 4u + 127);
}

// A thin triangle from corner to corner: the scanner tests all 256 tiles of its bounding box. The descent
// enters the blocks on the diagonal, and those above that it touches where two of them meet.
TEST(FragmentGeneration, DescentSkipsWhatAThinTriangleLeavesOut) {
  const std::vector<messages::testing::Corner> thin = {{0, 0}, {128, 127}, {128, 128}};
  const Times scanned = times_of({.tiles_per_cycle = 16}, thin);
  EXPECT_EQ(scanned.end, 2u + 256 / 4 + 1);
  const Times found = times_of({.order = "recursive", .block = 128, .tiles_per_cycle = 16}, thin);
  // Blocks of 128, 64, 32 and 16 pixels take a cycle each.
  EXPECT_EQ(found.end, 2u + (1 + (2 + 1) + (4 + 3) + (8 + 7)) + 1);
}

TEST(FragmentGeneration, SendsAsManyTilesPerCycleAsDeclared) {
  for (unsigned tiles : {1u, 2u, 3u}) {
    Bench bench({.tiles_per_cycle = tiles, .tests_per_cycle = 16});
    bench.hz.per_cycle = 16;
    bench.setup.messages.push_back(message(messages::testing::cover(bench.pools, *bench.state)));
    bench.sim.run(bench.clock, 400);
    ASSERT_EQ(bench.hz.received.size(), 256u);
    EXPECT_EQ(bench.hz.received[255].first - bench.hz.received[0].first, (256 + tiles - 1) / tiles - 1)
        << tiles;
    EXPECT_EQ(bench.box.counters.tiles, 256u);
    EXPECT_EQ(bench.box.counters.fragments, 128u * 128);
    EXPECT_EQ(bench.box.counters.primitives, 1u);
  }
}

}  // namespace
}  // namespace cutaway::boxes::scan_rates_test
