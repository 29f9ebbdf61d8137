#include "boxes/fragment_generation/tile_rows.h"

#include <gtest/gtest.h>
#include <map>
#include <tuple>

#include "boxes/fragment_generation/walk_for_test.h"

namespace cutaway::boxes::tile_rows_test {
namespace {

TEST(TileRows, GoesDownEachColumnOfARow) {
  TileRows order(16, 32);
  // The rectangle covers the lower half of the screen's first row, and the uppermost tiles of the second.
  EXPECT_EQ(walk(order, {8, 16, 24, 32}),
            (Walk{{8, 16}, {8, 24}, {16, 16}, {24, 16}, {16, 24}, {24, 24}, {8, 32}, {16, 32}, {24, 32}}));
  EXPECT_EQ(walk(order, {0, 0, 8, 8}), (Walk{{0, 0}, {8, 0}, {0, 8}, {8, 8}}));
  EXPECT_EQ(walk(order, {64, 40, 64, 40}), (Walk{{64, 40}}));
}

TEST(TileRows, RowsNeedNotBeAPowerOfTwo) {
  TileRows order(8, 24);
  EXPECT_EQ(walk(order, {0, 40, 8, 56}), (Walk{{0, 40}, {8, 40}, {0, 48}, {0, 56}, {8, 48}, {8, 56}}));
}

// A tile of 16 pixels is walked left, right, left, right from row to row of sub-tiles.
TEST(SubTileRows, GoesDownAColumnInHalves) {
  using Visit = std::tuple<int32_t, int32_t, uint64_t>;
  constexpr uint64_t kUpper = ScanOrder::kUpperHalf, kLower = ScanOrder::kLowerHalf;
  const auto visits = [](const TileRect& rect) {
    const auto order = ScanOrders::make("sub-tile-rows", {.tile = 16, .rows = 2});
    std::vector<Visit> all;
    order->start(rect);
    do all.emplace_back(order->x(), order->y(), order->part());
    while (order->next() && all.size() < 100);
    return all;
  };
  EXPECT_EQ(visits({0, 0, 8, 8}), (std::vector<Visit>{{0, 0, kUpper},
                                                      {8, 0, kUpper},
                                                      {0, 0, kLower},
                                                      {8, 0, kLower},
                                                      {0, 8, kUpper},
                                                      {8, 8, kUpper},
                                                      {0, 8, kLower},
                                                      {8, 8, kLower}}));
  // The next column, and the next row of the screen.
  EXPECT_EQ(visits({8, 24, 16, 32}), (std::vector<Visit>{{8, 24, kUpper},
                                                         {8, 24, kLower},
                                                         {16, 24, kUpper},
                                                         {16, 24, kLower},
                                                         {8, 32, kUpper},
                                                         {8, 32, kLower},
                                                         {16, 32, kUpper},
                                                         {16, 32, kLower}}));
}

TEST(SubTileRows, VisitsEveryHalfOnce) {
  for (unsigned i = 0; i < 50; i++) {
    const auto order = ScanOrders::make("sub-tile-rows", {.tile = 8u << i % 5, .rows = 1 + i % 3});
    const TileRect rect = {.left = 8 * static_cast<int32_t>(i), .top = 24, .right = 8 * 60, .bottom = 80};
    std::map<std::pair<int32_t, int32_t>, uint64_t> seen;
    size_t visits = 0;
    order->start(rect);
    do {
      uint64_t& parts = seen[{order->x(), order->y()}];
      EXPECT_EQ(parts & order->part(), 0u);
      parts |= order->part();
      visits++;
    } while (order->next() && visits < 100000);
    const auto tiles = static_cast<size_t>((61 - static_cast<int32_t>(i)) * 8);
    EXPECT_EQ(visits, 2 * tiles);
    EXPECT_EQ(seen.size(), tiles);
    for (const auto& [place, parts] : seen) EXPECT_EQ(parts, ScanOrder::kWhole);
  }
}

TEST(TileRows, VisitsEveryTileOnce) {
  expect_every_tile_once(
      [](unsigned i) { return ScanOrders::make("tile-rows", {.tile = 8u << i % 5, .rows = 1 + i % 3}); });
}

}  // namespace
}  // namespace cutaway::boxes::tile_rows_test
