#include "structures/gathered_group.h"

#include <gtest/gtest.h>

#include "messages/testing/draws.h"

namespace cutaway::structures {
namespace {

struct Gathers {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  GatheredGroup gathered{arch::Stage::kGeometry, 3, 10, pools};

  void join(engine::Cycle now, bool full = false, uint32_t draw = 1) {
    messages::PrimitiveMessage message;
    message.state = state.get();
    message.origin.draw = draw;
    messages::VertexGroup& group = gathered.join(message);
    group.primitives->id[group.lanes++] = draw;
    gathered.joined(now, full);
  }
};

// It waits the given number of cycles since the last join, and no longer.
TEST(GatheredGroup, ClosesWhenNothingHasJoinedForLong) {
  Gathers g;
  EXPECT_TRUE(g.gathered.empty());
  EXPECT_FALSE(g.gathered.close_in_time(100)) << "there is none";
  EXPECT_EQ(g.gathered.closes(), engine::kAsleep);
  g.join(100), g.join(107);
  EXPECT_EQ(g.gathered.closes(), 117u);
  EXPECT_FALSE(g.gathered.close_in_time(116));
  EXPECT_FALSE(g.gathered.closed());
  EXPECT_TRUE(g.gathered.close_in_time(117));
  EXPECT_TRUE(g.gathered.closed());
  EXPECT_FALSE(g.gathered.close_in_time(118)) << "is closed";
  EXPECT_EQ(g.gathered.closes(), engine::kAsleep);
}

TEST(GatheredGroup, ClosesWhenItIsFullOrToldOrDoesNotWait) {
  Gathers full, told, hurried;
  full.join(1), full.join(2, true);
  EXPECT_TRUE(full.gathered.closed());
  told.join(1), told.gathered.close();
  EXPECT_TRUE(told.gathered.closed());
  hurried.join(1);
  EXPECT_TRUE(hurried.gathered.close_in_time(1, false));
}

// A group contains exactly the invocations that joined it; the next group starts empty.
TEST(GatheredGroup, LeavesWithItsSlot) {
  Gathers g;
  g.join(1, false, 8), g.join(2, true, 9);
  const messages::VertexGroup group = g.gathered.take(77);
  EXPECT_EQ(group.stage, arch::Stage::kGeometry);
  EXPECT_EQ(group.front_end, 3u);
  EXPECT_EQ(group.slot, 77u);
  EXPECT_EQ(group.state, g.state.get());
  EXPECT_EQ(group.origin.draw, 8u);
  EXPECT_EQ(group.lanes, 2u);
  EXPECT_EQ(group.primitives->id[1], 9u);
  EXPECT_TRUE(g.gathered.empty());
  EXPECT_FALSE(g.gathered.closed());
  g.join(50, false, 5);
  EXPECT_EQ(g.gathered.group().lanes, 1u);
  EXPECT_EQ(g.gathered.group().origin.draw, 5u);
  EXPECT_FALSE(group.primitives == g.gathered.group().primitives);
}

}  // namespace
}  // namespace cutaway::structures
