// Rasterisers that share the tiles of the screen.
#include <gtest/gtest.h>
#include <set>
#include <utility>

#include "boxes/fragment_generation/bench_for_test.h"
#include "func/raster/coverage.h"

namespace cutaway::boxes::tile_owners_test {
namespace {

using namespace fragment_generation_bench;

// Tests exactly its own tiles in the bounding box, each once, in any order.
TEST(FragmentGeneration, LooksAtTheTilesThatItOwns) {
  for (auto order : {"serpentine", "tile-rows"})
    for (unsigned units : {1u, 2u, 5u}) {
      FragmentGenerationSpec spec{.units = units, .tile = 16, .order = order, .scan_rows = 2};
      if (units == 5) spec.map = {0, 2, 4, 1, 3, 3};
      std::set<std::pair<int32_t, int32_t>> sent;
      for (unsigned unit = 0; unit < units; unit++) {
        Bench bench(spec, unit);
        // Its bounds are (8, 16) to (120, 112).
        bench.setup.messages = {message(messages::testing::triangle(bench.pools, *bench.state,
                                                                    {{120, 16}, {120, 112}, {8, 112}})),
                                messages::testing::draw_end<SetupMessage>(*bench.state)};
        bench.sim.run(bench.clock, 400);
        uint64_t owned = 0;
        for (int32_t y = 16; y < 112; y += 8)
          for (int32_t x = 8; x < 120; x += 8) owned += spec.tile_map().owner(x, y) == unit;
        EXPECT_EQ(bench.box.counters.tiles_tested, owned);
        ASSERT_TRUE(bench.hz.received.back().second.draw_end);
        for (const auto& [cycle, tile] : bench.hz.received) {
          if (tile.draw_end) continue;
          EXPECT_EQ(spec.tile_map().owner(tile.x, tile.y), unit);
          EXPECT_TRUE(sent.emplace(tile.x, tile.y).second) << "twice";
        }
      }
      size_t covered = 0;
      Bench bench;
      const auto primitive =
          messages::testing::triangle(bench.pools, *bench.state, {{120, 16}, {120, 112}, {8, 112}});
      for (int32_t y = 0; y < 128; y += 8)
        for (int32_t x = 0; x < 128; x += 8) covered += func::tile_coverage(primitive->primitive, x, y) != 0;
      EXPECT_EQ(sent.size(), covered) << units;
    }
}

// A descent also tests blocks of other rasterisers, but sends none of their tiles.
TEST(FragmentGeneration, DescentSendsTheTilesThatItOwns) {
  for (const unsigned tile : {8u, 16u, 64u}) {
    FragmentGenerationSpec spec{
        .units = 3, .tile = tile, .order = "recursive", .block = 32, .found_tiles = 4};
    std::set<std::pair<int32_t, int32_t>> sent, covered;
    uint64_t tests = 0;
    for (unsigned unit = 0; unit < 3; unit++) {
      Bench bench(spec, unit);
      const auto primitive =
          messages::testing::triangle(bench.pools, *bench.state, {{120, 16}, {120, 112}, {8, 112}});
      bench.setup.messages = {message(primitive), messages::testing::draw_end<SetupMessage>(*bench.state)};
      bench.sim.run(bench.clock, 400);
      ASSERT_TRUE(bench.hz.received.back().second.draw_end);
      tests += bench.box.counters.blocks_tested;
      for (const auto& [cycle, message] : bench.hz.received) {
        if (message.draw_end) continue;
        EXPECT_EQ(spec.tile_map().owner(message.x, message.y), unit);
        EXPECT_TRUE(sent.emplace(message.x, message.y).second) << "twice";
      }
      for (int32_t y = 0; y < 128; y += 8)
        for (int32_t x = 0; x < 128; x += 8)
          if (func::tile_coverage(primitive->primitive, x, y)) covered.emplace(x, y);
    }
    EXPECT_EQ(sent, covered);
    // 16 blocks of 32 with four quarters each: all of them, because each rasteriser owns part of each.
    EXPECT_EQ(tests, 3u * 16 * 4);
  }
}

// Other rasterisers' tiles take no time: half of 256 tiles, four per cycle.
TEST(FragmentGeneration, SkipsForeignTilesAtOnce) {
  Bench bench({.units = 2, .tiles_per_cycle = 16}, 1);
  bench.setup.messages = {
      message(messages::testing::triangle(bench.pools, *bench.state, {{0, 0}, {128, 127}, {128, 128}})),
      messages::testing::draw_end<SetupMessage>(*bench.state)};
  bench.sim.run(bench.clock, 400);
  EXPECT_EQ(bench.box.counters.tiles_tested, 128u);
  EXPECT_EQ(bench.hz.received.back().first, 2u + 128 / 4 + 1);
}

TEST(FragmentGeneration, ForeignPrimitiveTakesOneCycle) {
  Bench bench({.units = 2}, 1);
  bench.setup.messages = {
      message(messages::testing::triangle(bench.pools, *bench.state, {{1, 1}, {4, 1}, {1, 4}})),
      messages::testing::draw_end<SetupMessage>(*bench.state)};
  bench.sim.run(bench.clock, 40);
  EXPECT_EQ(bench.box.counters.tiles_tested, 0u);
  ASSERT_EQ(bench.hz.received.size(), 1u);
  EXPECT_EQ(bench.hz.received[0].first, 2u + 1 + 1);
  EXPECT_EQ(messages::testing::account_of(bench.sim, bench.box).blocked, 0u);
}

}  // namespace
}  // namespace cutaway::boxes::tile_owners_test
