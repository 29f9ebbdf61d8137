#include "boxes/fragment_generation/tile_rows.h"

#include <gtest/gtest.h>

#include "boxes/fragment_generation/walk_for_test.h"

namespace cutaway::boxes {
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

TEST(TileRows, VisitsEveryTileOnce) {
  expect_every_tile_once(
      [](unsigned i) { return ScanOrders::make("tile-rows", {.tile = 8u << i % 5, .rows = 1 + i % 3}); });
}

}  // namespace
}  // namespace cutaway::boxes
