#include "structures/owned_tiles.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace cutaway::structures {
namespace {

TileMap any_map(std::mt19937& random) {
  const unsigned units = 1 + random() % 8;
  std::vector<unsigned> shifts(random() % 6);
  for (unsigned& shift : shifts) shift = random() % units;
  return TileMap(units, 8u << random() % 4, shifts);
}

// In any map each unit numbers its tiles apart, below the count that all units have, and all units together
// number each tile once.
TEST(OwnedTiles, EveryTileHasANumberOfItsOwn) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; i++) {
    const TileMap map = any_map(random);
    const uint32_t width = 1 + random() % 300, height = 1 + random() % 200;
    uint64_t numbered = 0;
    for (unsigned unit = 0; unit < map.units(); unit++) {
      const OwnedTiles tiles(map, unit);
      std::set<uint64_t> numbers;
      for (int32_t y = 0; y < static_cast<int32_t>(height); y += 8)
        for (int32_t x = 0; x < static_cast<int32_t>(width); x += 8) {
          ASSERT_EQ(tiles.owns(x, y), map.owner(x, y) == unit);
          if (!tiles.owns(x, y)) continue;
          numbered++;
          ASSERT_TRUE(numbers.insert(tiles.number(width, x, y)).second) << x << ' ' << y;
          ASSERT_EQ(tiles.number(width, x, y), tiles.number(width, x + 7, y + 7));
        }
      if (!numbers.empty()) { ASSERT_LT(*numbers.rbegin(), tiles.count(width, height)); }
    }
    ASSERT_EQ(numbered, uint64_t{(width + 7) / 8} * ((height + 7) / 8));
  }
}

// The units of an aligned run of map tiles number the same places the same, so that they can be cleared
// together.
TEST(OwnedTiles, UnitsNumberAlike) {
  std::mt19937 random(2);
  for (int i = 0; i < 100; i++) {
    const TileMap map = any_map(random);
    const auto x = static_cast<int32_t>(random() % 300), y = static_cast<int32_t>(random() % 300);
    const uint64_t number = OwnedTiles(map, 0).number(300, x, y);
    for (unsigned unit = 1; unit < map.units(); unit++)
      ASSERT_EQ(OwnedTiles(map, unit).number(300, x, y), number);
  }
}

// Where the sizes divide, a unit has exactly its share of the tiles; numbers go by rows of tiles.
TEST(OwnedTiles, CountsAShareOfTheSurface) {
  EXPECT_EQ(OwnedTiles().count(4096, 4096), 512u * 512);
  EXPECT_EQ(OwnedTiles(TileMap(1, 16)).count(2040, 2040), 255u * 255);
  for (const unsigned tile : {8u, 16u, 64u})
    EXPECT_EQ(OwnedTiles(TileMap(4, tile), 2).count(2048, 2048), 256u * 256 / 4) << tile;
  EXPECT_EQ(OwnedTiles(TileMap(4, 16)).count(65, 9), 2u * 4) << "the last run is not full";
  const OwnedTiles tiles(TileMap(2, 16), 1);
  EXPECT_EQ(tiles.number(64, 16, 0), 0u);
  EXPECT_EQ(tiles.number(64, 56, 0), 3u);
  EXPECT_EQ(tiles.number(64, 16, 8), 4u);
}

}  // namespace
}  // namespace cutaway::structures
