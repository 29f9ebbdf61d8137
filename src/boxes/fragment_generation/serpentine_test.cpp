#include "boxes/fragment_generation/serpentine.h"

#include <gtest/gtest.h>

#include "boxes/fragment_generation/walk_for_test.h"

namespace cutaway::boxes::serpentine_test {
namespace {

TEST(Serpentine, GoesToAndFro) {
  Serpentine order;
  EXPECT_EQ(walk(order, {8, 16, 24, 32}),
            (Walk{{8, 16}, {16, 16}, {24, 16}, {24, 24}, {16, 24}, {8, 24}, {8, 32}, {16, 32}, {24, 32}}));
  // Each walk starts in the same direction.
  EXPECT_EQ(walk(order, {0, 0, 8, 8}), (Walk{{0, 0}, {8, 0}, {8, 8}, {0, 8}}));
  EXPECT_EQ(walk(order, {64, 40, 64, 40}), (Walk{{64, 40}}));
}

TEST(Serpentine, VisitsEveryTileOnce) {
  expect_every_tile_once([](unsigned) { return ScanOrders::make("serpentine", {.tile = 16, .rows = 2}); });
}

}  // namespace
}  // namespace cutaway::boxes::serpentine_test
