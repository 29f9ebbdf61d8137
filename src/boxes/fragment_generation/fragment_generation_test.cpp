#include "boxes/fragment_generation/fragment_generation.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "boxes/fragment_generation/bench_for_test.h"
#include "func/raster/coverage.h"

namespace cutaway::boxes::fragment_generation_test {
namespace {

using namespace fragment_generation_bench;

class FragmentGenerationOf : public ::testing::TestWithParam<FragmentGenerationSpec> {};

TEST_P(FragmentGenerationOf, SendsEveryCoveredTileOnceAndInOrder) {
  std::mt19937 random(5);
  Bench bench(GetParam());
  const auto coordinate = [&] { return static_cast<float>(random() % 40000) / 256 - 14; };
  for (uint32_t i = 0; i < 60; i++) {
    const messages::testing::Corner corner[3] = {
        {coordinate(), coordinate()}, {coordinate(), coordinate()}, {coordinate(), coordinate()}};
    const float area = (corner[1].x - corner[0].x) * (corner[2].y - corner[0].y) -
                       (corner[2].x - corner[0].x) * (corner[1].y - corner[0].y);
    if (area * area < 10000) continue;
    bench.setup.messages.push_back(
        message(messages::testing::triangle(bench.pools, *bench.state, corner, {.draw = 1, .primitive = i})));
  }
  bench.setup.messages.push_back(messages::testing::draw_end<SetupMessage>(*bench.state));
  bench.sim.run(bench.clock, 60 * 256);
  std::map<uint32_t, std::map<std::pair<int32_t, int32_t>, uint64_t>> sent;
  uint32_t last = 0;
  for (const auto& [cycle, tile] : bench.hz.received) {
    if (tile.draw_end) continue;
    EXPECT_GE(tile.origin.primitive, last);
    last = tile.origin.primitive;
    EXPECT_NE(tile.coverage, 0u);
    EXPECT_TRUE(sent[last].emplace(std::pair{tile.x, tile.y}, tile.coverage).second) << "twice";
  }
  EXPECT_TRUE(bench.hz.received.back().second.draw_end);
  uint64_t tiles = 0;
  for (const SetupMessage& m : bench.setup.messages) {
    if (m.draw_end) continue;
    for (int32_t y = 0; y < 128; y += 8)
      for (int32_t x = 0; x < 128; x += 8) {
        const uint64_t coverage = func::tile_coverage(m.primitive->primitive, x, y);
        const auto& of = sent[m.origin.primitive];
        const auto found = of.find({x, y});
        EXPECT_EQ(found == of.end() ? 0 : found->second, coverage);
        tiles += coverage != 0;
      }
  }
  EXPECT_GT(tiles, 500u);
  EXPECT_EQ(bench.box.counters.tiles, tiles);
}

// Two triangles that share an edge cover each pixel of the square once.
TEST_P(FragmentGenerationOf, PixelsOnASharedEdgeAreDrawnOnce) {
  std::mt19937 random(7);
  for (int i = 0; i < 40; i++) {
    const auto coordinate = [&] { return static_cast<float>(random() % (128 * 16)) / 16; };
    const messages::testing::Corner a{coordinate(), coordinate()}, b{coordinate(), coordinate()};
    Bench bench(GetParam());
    // The edge from a to b, with a triangle on each side.
    const float x = b.x - a.x, y = b.y - a.y;
    if (x * x + y * y < 64) continue;
    const messages::testing::Corner left{a.x - 300 * y, a.y + 300 * x}, right{a.x + 300 * y, a.y - 300 * x};
    bench.setup.messages = {message(messages::testing::triangle(bench.pools, *bench.state, {a, b, left})),
                            message(messages::testing::triangle(bench.pools, *bench.state, {a, b, right})),
                            messages::testing::draw_end<SetupMessage>(*bench.state)};
    const func::Primitive primitives[2] = {bench.setup.messages[0].primitive->primitive,
                                           bench.setup.messages[1].primitive->primitive};
    bench.sim.run(bench.clock, 2000);
    ASSERT_TRUE(bench.hz.received.back().second.draw_end);
    std::map<std::pair<int32_t, int32_t>, uint64_t> drawn, expected;
    for (const auto& [cycle, tile] : bench.hz.received) {
      if (tile.draw_end) continue;
      uint64_t& pixels = drawn[{tile.x, tile.y}];
      EXPECT_EQ(pixels & tile.coverage, 0u) << "twice";
      pixels |= tile.coverage;
    }
    for (int32_t ty = 0; ty < 128; ty += 8)
      for (int32_t tx = 0; tx < 128; tx += 8)
        if (const uint64_t pixels =
                func::tile_coverage(primitives[0], tx, ty) | func::tile_coverage(primitives[1], tx, ty))
          expected[{tx, ty}] = pixels;
    EXPECT_EQ(drawn, expected);
  }
}

const FragmentGenerationSpec kOrders[] = {
    {.order = "serpentine"},
    {.order = "serpentine", .found_tiles = 3},
    {.tile = 16, .order = "tile-rows", .scan_rows = 2},
    {.order = "recursive", .block = 16},
    {.order = "recursive", .block = 64, .found_tiles = 8},
    {.order = "recursive", .block = 4096, .level_cycles = 3, .found_tiles = 1},
    {.order = "recursive", .tiles_per_cycle = 3, .tests_per_cycle = 7, .found_tiles = 2},
};
INSTANTIATE_TEST_SUITE_P(Orders, FragmentGenerationOf, ::testing::ValuesIn(kOrders));

TEST(FragmentGeneration, TakesATrianglePerCycle) {
  for (const FragmentGenerationSpec& spec : kOrders) {
    Bench bench(spec);
    const auto tiny = messages::testing::triangle(bench.pools, *bench.state, {{1, 1}, {4, 1}, {1, 4}});
    bench.setup.messages.assign(50, message(tiny));
    bench.sim.run(bench.clock, 60);
    ASSERT_EQ(bench.hz.received.size(), 50u);
    EXPECT_EQ(bench.hz.received[49].first - bench.hz.received[0].first, 49u);
  }
}

TEST(FragmentGeneration, BlamesHierarchicalZWhenItIsSlow) {
  const auto blame = [](Cycle k) {
    Bench bench;
    const auto tiny = messages::testing::triangle(bench.pools, *bench.state, {{1, 1}, {4, 1}, {1, 4}});
    bench.setup.messages.assign(40, message(tiny));
    bench.hz.per_cycle = 1;
    bench.hz.interval = k;
    bench.sim.run(bench.clock, 2000);
    EXPECT_EQ(bench.hz.received.size(), 40u);
    return messages::testing::account_of(bench.sim, bench.box).blocked_by("hz");
  };
  messages::testing::expect_blame_per_item(blame, 33);  // one is taken at once, six wait on the wire
}

TEST(FragmentGeneration, WalksInTheOrderOfItsPolicy) {
  const auto walked = [](const FragmentGenerationSpec& spec) {
    Bench bench(spec);
    bench.setup.messages = {message(messages::testing::cover(bench.pools, *bench.state))};
    bench.sim.run(bench.clock, 400);
    std::vector<std::pair<int32_t, int32_t>> tiles;
    for (const auto& [cycle, tile] : bench.hz.received) tiles.emplace_back(tile.x, tile.y);
    return tiles;
  };
  const auto serpentine = walked({});
  const auto rows = walked({.tile = 16, .order = "tile-rows", .scan_rows = 2});
  ASSERT_EQ(serpentine.size(), 256u);
  EXPECT_EQ(serpentine[15], (std::pair{120, 0}));
  EXPECT_EQ(serpentine[16], (std::pair{120, 8}));
  ASSERT_EQ(rows.size(), 256u);
  EXPECT_EQ(rows[7], (std::pair{8, 24}));
  EXPECT_EQ(rows[8], (std::pair{16, 0}));
  EXPECT_EQ(rows[64], (std::pair{0, 32}));
}

}  // namespace
}  // namespace cutaway::boxes::fragment_generation_test
