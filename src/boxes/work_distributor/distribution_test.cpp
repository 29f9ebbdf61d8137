// Tests which unit gets the next group, by each policy.
#include "boxes/work_distributor/distribution.h"

#include <gtest/gtest.h>
#include <vector>

namespace cutaway::boxes::distribution_test {
namespace {

using Room = std::vector<uint32_t>;

// Gives so many groups of gathered group 0 to the units that are chosen, with this room.
std::vector<int> takers(Distribution& distribution, unsigned groups, const Room& room) {
  std::vector<int> all;
  for (unsigned i = 0; i < groups; i++) {
    all.push_back(distribution.choose({}, room));
    if (all.back() != Distribution::kNobody) distribution.given({}, static_cast<unsigned>(all.back()));
  }
  return all;
}

TEST(Distribution, TurnsPassOverWhoHasNoRoom) {
  const auto turns = FragmentDistributions::make("turns", 3, 1, structures::TileMap());
  EXPECT_EQ(turns->gathered(), 1u);
  EXPECT_EQ(takers(*turns, 4, {4, 4, 4}), (std::vector{0, 1, 2, 0}));
  EXPECT_EQ(turns->waits_for({}), 1u);
  EXPECT_EQ(takers(*turns, 3, {4, 0, 1}), (std::vector{2, 0, 2}));
  EXPECT_EQ(turns->choose({}, Room{0, 0, 0}), Distribution::kNobody);
}

TEST(Distribution, ABatchStaysTogether) {
  const auto turns = FragmentDistributions::make("turns", 3, 2, structures::TileMap());
  EXPECT_EQ(takers(*turns, 7, {9, 9, 9}), (std::vector{0, 0, 1, 1, 2, 2, 0}));
  // The batch of unit 0 is half given when it has no room: that of unit 1 begins.
  EXPECT_EQ(takers(*turns, 1, {0, 9, 9}), (std::vector{1}));
  EXPECT_EQ(takers(*turns, 2, {9, 9, 9}), (std::vector{1, 2}));
}

TEST(Distribution, TheLeastLoadedHasMostRoom) {
  const auto least = FragmentDistributions::make("least-loaded", 3, 1, structures::TileMap());
  EXPECT_EQ(takers(*least, 1, {1, 3, 2}), (std::vector{1}));
  EXPECT_EQ(takers(*least, 3, {2, 2, 2}), (std::vector{2, 0, 1}));
  EXPECT_EQ(takers(*least, 1, {0, 0, 1}), (std::vector{2}));
  EXPECT_EQ(least->choose({}, Room{0, 0, 0}), Distribution::kNobody);
}

// G80-1: 16×16 tiles over six clusters.
TEST(Distribution, TilesHaveAnOwnerEach) {
  const auto tiles =
      FragmentDistributions::make("tile-map", 6, 1, structures::TileMap(6, 16, {0, 2, 4, 1, 5, 3}));
  EXPECT_EQ(tiles->gathered(), 6u);
  EXPECT_EQ(tiles->group_of(15, 15), 0u);
  EXPECT_EQ(tiles->group_of(16, 0), 1u);
  EXPECT_EQ(tiles->group_of(0, 16), 2u);
  EXPECT_EQ(tiles->group_of(40, 90), (2 + 3) % 6u);
  const Room room = {1, 0, 1, 1, 1, 1};
  EXPECT_EQ(tiles->choose({.gathered = 4}, room), 4);
  EXPECT_EQ(tiles->choose({.gathered = 1}, room), Distribution::kNobody);
  EXPECT_EQ(tiles->waits_for({.gathered = 1}), 1u);
}

// Tiles in Z order: 0 1 4 5 / 2 3 6 7 / 8 9 12 13 / 10 11 14 15, modulo the clusters.
TEST(Distribution, OwnersFollowTheZOrderOfTiles) {
  const uint32_t numbers[4][4] = {{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};
  for (const unsigned units : {1u, 3u, 8u}) {
    const auto tiles =
        FragmentDistributions::make("z-order-map", units, 1, structures::TileMap(units, 16, {}));
    EXPECT_EQ(tiles->gathered(), units);
    for (int32_t j = 0; j < 4; j++)
      for (int32_t i = 0; i < 4; i++) {
        EXPECT_EQ(tiles->group_of(16 * i, 16 * j), numbers[j][i] % units) << i << ", " << j;
        EXPECT_EQ(tiles->group_of(16 * i + 15, 16 * j + 15), numbers[j][i] % units) << i << ", " << j;
      }
    EXPECT_EQ(tiles->group_of(16 * 256, 0), 0x10000u % units);
    EXPECT_EQ(tiles->group_of(0, 16 * 1023), 0xaaaaau % units);
  }
}

TEST(Distribution, ABatchOfATileStaysTogetherAndWaits) {
  const auto tiles = FragmentDistributions::make("tile-batches", 3, 4, structures::TileMap(3, 16, {}));
  EXPECT_EQ(tiles->gathered(), 1u);
  const auto takes = [&](int32_t x, int32_t y, const Room& room) {
    const int taker = tiles->choose({0, x, y}, room);
    if (taker != Distribution::kNobody) tiles->given({0, x, y}, static_cast<unsigned>(taker));
    return taker;
  };
  EXPECT_EQ(takes(0, 0, {2, 2, 2}), 0);
  EXPECT_EQ(takes(14, 14, {1, 2, 2}), 0);  // the same tile
  EXPECT_EQ(takes(2, 0, {0, 2, 2}), Distribution::kNobody);
  EXPECT_EQ(tiles->waits_for({0, 2, 0}), 0u);
  EXPECT_EQ(takes(2, 0, {1, 2, 2}), 0);
  EXPECT_EQ(takes(4, 0, {1, 2, 2}), 0);   // the fourth
  EXPECT_EQ(takes(6, 0, {1, 2, 3}), 2);   // a new batch: who has most room
  EXPECT_EQ(takes(16, 0, {2, 1, 1}), 0);  // the next tile
  EXPECT_EQ(takes(16, 16, {1, 2, 1}), 1);
  EXPECT_EQ(takes(0, 16, {1, 1, 1}), 2);  // of equals the next in turn
  EXPECT_EQ(takes(32, 16, {0, 0, 0}), Distribution::kNobody);
  EXPECT_EQ(tiles->waits_for({0, 32, 16}), 0u);
}

}  // namespace
}  // namespace cutaway::boxes::distribution_test
