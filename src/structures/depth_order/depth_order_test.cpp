#include "structures/depth_order/depth_order.h"

#include <gtest/gtest.h>

#include "messages/testing/draws.h"

namespace cutaway::structures {
namespace {

using arch::DepthMode;

std::unique_ptr<messages::DrawState> draw(DepthMode mode, uint32_t flags = 0) {
  auto state = messages::testing::plain_state();
  state->registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags = flags;
  messages::testing::add_depth(*state, arch::Compare::kLess, true, mode);
  return state;
}

const std::vector<DepthMode> kModes = {DepthMode::kEarly, DepthMode::kLate, DepthMode::kEarlyTestLateWrite};

TEST(DepthOrder, FlushAndTrackTestWhereTheDrawSays) {
  for (const char* name : {"flush", "track"}) {
    const auto order = DepthOrders::make(name, 1);
    for (const DepthMode mode : kModes) EXPECT_EQ(order->mode(*draw(mode)), mode) << name;
    EXPECT_EQ(order->mode(*draw(DepthMode::kEarly)), DepthMode::kEarly) << "after a late draw";
  }
}

TEST(DepthOrder, StayLateKeepsDrawsLateUntilABarrier) {
  for (const DepthMode late : {DepthMode::kLate, DepthMode::kEarlyTestLateWrite}) {
    const auto order = DepthOrders::make("stay_late", 1);
    EXPECT_EQ(order->mode(*draw(DepthMode::kEarly)), DepthMode::kEarly);
    EXPECT_EQ(order->mode(*draw(late)), late);
    EXPECT_EQ(order->mode(*draw(DepthMode::kEarly)), DepthMode::kLate);
    EXPECT_EQ(order->mode(*draw(DepthMode::kEarly)), DepthMode::kLate);
    order->drained();
    EXPECT_EQ(order->mode(*draw(DepthMode::kEarly)), DepthMode::kEarly);
  }
}

// A late draw without depth has no late test.
TEST(DepthOrder, StayLateIgnoresDrawsWithoutDepth) {
  const auto order = DepthOrders::make("stay_late", 1);
  auto state = messages::testing::plain_state();
  state->registers.depth.mode = static_cast<uint32_t>(DepthMode::kLate);
  state->prepare();
  order->mode(*state);
  EXPECT_EQ(order->mode(*draw(DepthMode::kEarly)), DepthMode::kEarly);
}

TEST(DepthOrder, WriteLateOnlyTestsEarly) {
  const auto order = DepthOrders::make("write_late", 1);
  EXPECT_EQ(order->mode(*draw(DepthMode::kEarly)), DepthMode::kEarlyTestLateWrite);
  EXPECT_EQ(order->mode(*draw(DepthMode::kLate)), DepthMode::kLate);
}

// What a program does to fragments that early tests let pass must not come before the tests.
TEST(DepthOrder, DrawsWhoseResultDependsOnTheSideStayEarly) {
  for (const uint32_t flags : {uint32_t{arch::kShaderEarlyTests}, uint32_t{arch::kShaderKills},
                               uint32_t{arch::kShaderWritesMemory}, uint32_t{arch::kShaderWritesDepth}}) {
    const auto late = DepthOrders::make("stay_late", 1), write_late = DepthOrders::make("write_late", 1);
    late->mode(*draw(DepthMode::kLate));
    const auto early = draw(DepthMode::kEarly, flags);
    EXPECT_EQ(late->mode(*early), DepthMode::kEarly) << flags;
    EXPECT_EQ(write_late->mode(*early), DepthMode::kEarly) << flags;
  }
  auto kills = draw(DepthMode::kEarly, arch::kShaderKills);
  kills->registers.depth.depth_write = 0;
  kills->prepare();
  EXPECT_EQ(DepthOrders::make("write_late", 1)->mode(*kills), DepthMode::kEarlyTestLateWrite)
      << "writes nothing that a discard could undo";
}

TEST(DepthOrder, OnlyTrackWaitsForTheTileAlone) {
  for (const char* name : {"flush", "stay_late", "write_late"}) {
    const auto order = DepthOrders::make(name, 64);
    EXPECT_TRUE(order->pending(true, 0, 0)) << name;
    EXPECT_FALSE(order->pending(false, 0, 0)) << name;
    EXPECT_FALSE(order->counts_quads()) << name;
  }
  const auto order = DepthOrders::make("track", 64);
  EXPECT_TRUE(order->counts_quads());
  EXPECT_FALSE(order->pending(true, 0, 0));
  order->passed(2, 4, 2);
  EXPECT_TRUE(order->pending(true, 6, 6)) << "the same tile";
  EXPECT_FALSE(order->pending(true, 8, 0));
  EXPECT_FALSE(order->pending(true, 0, 8));
  order->returned(2, 4, 1);
  EXPECT_TRUE(order->pending(true, 0, 0));
  order->returned(0, 0, 1);
  EXPECT_FALSE(order->pending(true, 0, 0));
}

// Tiles that share a counter wait for one another, which is slower and never wrong.
TEST(DepthOrder, TilesShareFewCounters) {
  const auto order = DepthOrders::make("track", 1);
  order->passed(0, 0, 1);
  EXPECT_TRUE(order->pending(true, 64, 128));
}

// 256 counters tell most neighbours of a screen of 16 by 16 tiles apart.
TEST(DepthOrder, NeighboursHaveCountersOfTheirOwn) {
  const auto order = DepthOrders::make("track", 256);
  order->passed(64, 64, 1);
  int shared = 0;
  for (int32_t y = 0; y < 128; y += 8)
    for (int32_t x = 0; x < 128; x += 8) shared += order->pending(true, x, y);
  EXPECT_LE(shared, 4);
}

}  // namespace
}  // namespace cutaway::structures
