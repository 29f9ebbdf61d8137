#include "boxes/fragment_generation/recursive.h"

#include <gtest/gtest.h>

#include "boxes/fragment_generation/walk_for_test.h"

namespace cutaway::boxes::recursive_test {
namespace {

// The tiles of a 32-pixel square at the origin, in Z order.
Walk four_by_four() {
  return {{0, 0},  {8, 0},  {0, 8},  {8, 8},  {16, 0},  {24, 0},  {16, 8},  {24, 8},
          {0, 16}, {8, 16}, {0, 24}, {8, 24}, {16, 16}, {24, 16}, {16, 24}, {24, 24}};
}

TEST(Recursive, DescendsInZOrder) {
  Recursive order(64, 1);
  EXPECT_EQ(descend(order, {0, 0, 24, 24}), four_by_four());
}

TEST(Recursive, ATileIsLookedAtAlone) {
  Recursive order(64, 1);
  EXPECT_EQ(descend(order, {504, 248, 504, 248}), (Walk{{504, 248}}));
}

// Four tiles around a corner of large blocks take one test, at any place.
TEST(Recursive, BeginsWithTheSmallestSufficientBlock) {
  Recursive order(4096, 1);
  EXPECT_EQ(descend(order, {504, 248, 512, 256}), (Walk{{504, 248}, {512, 248}, {504, 256}, {512, 256}}));
  EXPECT_EQ(descend(order, {504, 248, 504, 256}), (Walk{{504, 248}, {512, 248}, {504, 256}, {512, 256}}));
  // Three tiles wide: two quarters of 16 pixels contain them.
  order.start({504, 248, 520, 248});
  EXPECT_EQ(order.size(), 16);
  EXPECT_EQ((std::pair{order.x(), order.y()}), (std::pair{496, 240}));
}

TEST(Recursive, LargestBlocksFollowOneAnotherRowByRow) {
  Recursive order(16, 1);
  EXPECT_EQ(descend(order, {8, 8, 24, 16}), four_by_four());
}

TEST(Recursive, VisitsEveryTileOnce) {
  expect_descent_visits_once([](unsigned i) { return std::make_unique<Recursive>(16u << i % 9, 1); });
}

// All quarters of a block first, then the contents of the first one entered.
TEST(Recursive, EntersAfterTheFourTests) {
  Recursive order(64, 3);
  order.start({0, 0, 56, 56});
  EXPECT_TRUE(order.ready(0));
  order.next();
  order.enter(10);  // (32, 0)
  order.next(), order.next();
  EXPECT_EQ((std::pair{order.x(), order.y()}), (std::pair{32, 32}));
  order.enter(11);
  EXPECT_TRUE(order.ready(11));
  ASSERT_TRUE(order.next());
  EXPECT_EQ((std::pair{order.x(), order.y()}), (std::pair{32, 0}));
  EXPECT_EQ(order.size(), 16);
  EXPECT_FALSE(order.ready(12));
  EXPECT_TRUE(order.ready(13));
  EXPECT_EQ(order.ready_at(), 13u);
  for (int i = 0; i < 3; i++) ASSERT_TRUE(order.next());
  ASSERT_TRUE(order.next());
  EXPECT_EQ((std::pair{order.x(), order.y()}), (std::pair{32, 32}));
  EXPECT_EQ(order.ready_at(), 14u);
  for (int i = 0; i < 3; i++) ASSERT_TRUE(order.next());
  EXPECT_FALSE(order.next());
}

}  // namespace
}  // namespace cutaway::boxes::recursive_test
