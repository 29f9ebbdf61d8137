#include "structures/tile_map.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace cutaway::structures {
namespace {

TEST(TileMap, WithoutShiftsNeighboursBelongToDifferentUnits) {
  for (unsigned units : {1u, 2u, 3u, 8u}) {
    const TileMap map(units);
    for (int32_t y = 0; y < 200; y++)
      for (int32_t x = 0; x < 200; x++)
        ASSERT_EQ(map.owner(x, y), static_cast<unsigned>(x / 8 + y / 8) % units) << units;
  }
}

TEST(TileMap, ATileHasItsSize) {
  for (int32_t tile : {8, 16, 64, 128}) {
    const TileMap map(2, static_cast<unsigned>(tile));
    EXPECT_EQ(map.tile(), tile);
    for (int32_t i = 0; i < 4 * tile; i++) {
      EXPECT_EQ(map.owner(i, 0), static_cast<unsigned>(i / tile % 2)) << tile;
      EXPECT_EQ(map.owner(tile - 1, i), static_cast<unsigned>(i / tile % 2)) << tile;
    }
  }
}

// TP(i, j) = (i + N(j)) mod 6, N = {0, 2, 4, 1, 5, 3}[j mod 6], in tiles of 16 pixels (G80-1).
TEST(TileMap, OfG80) {
  const TileMap map(6, 16, {0, 2, 4, 1, 5, 3});
  const unsigned first[] = {0, 2, 4, 1, 5, 3};
  for (int32_t j = 0; j < 14; j++)
    for (int32_t i = 0; i < 14; i++)
      EXPECT_EQ(map.owner(16 * i + 15, 16 * j), (static_cast<unsigned>(i) + first[j % 6]) % 6)
          << i << ' ' << j;
  // Six neighbours in a row or in a column are six units.
  std::set<unsigned> row, column;
  for (int32_t i = 0; i < 6; i++) row.insert(map.owner(16 * i, 48)), column.insert(map.owner(48, 16 * i));
  EXPECT_EQ(row.size(), 6u);
  EXPECT_EQ(column.size(), 6u);
}

TEST(TileMap, ShiftsMayBeFewerThanUnits) {
  const TileMap columns(4, 8, {0}), pairs(4, 8, {1, 3});
  for (int32_t y = 0; y < 64; y += 8) {
    EXPECT_EQ(columns.owner(24, y), 3u);
    EXPECT_EQ(pairs.owner(0, y), y % 16 ? 3u : 1u);
  }
}

TEST(TileMap, KnowsTheOwnersOfARectangle) {
  std::mt19937 random(3);
  const TileMap maps[] = {TileMap(1), TileMap(2, 16), TileMap(6, 16, {0, 2, 4, 1, 5, 3}),
                          TileMap(4, 32, {0, 3}), TileMap(8, 8, {0})};
  for (uint32_t i = 0; i < 2000; i++) {
    const TileMap& map = maps[i % std::size(maps)];
    const auto x0 = static_cast<int32_t>(random() % 300), y0 = static_cast<int32_t>(random() % 300);
    const int32_t x1 = x0 + 1 + static_cast<int32_t>(random() % 80);
    const int32_t y1 = y0 + 1 + static_cast<int32_t>(random() % 80);
    uint32_t expected = 0;
    for (int32_t y = y0; y < y1; y++)
      for (int32_t x = x0; x < x1; x++) expected |= 1u << map.owner(x, y);
    ASSERT_EQ(map.owners(x0, y0, x1, y1), expected) << x0 << ' ' << y0 << ' ' << x1 << ' ' << y1;
  }
}

}  // namespace
}  // namespace cutaway::structures
