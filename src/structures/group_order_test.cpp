#include "structures/group_order.h"

#include <gtest/gtest.h>
#include <set>

namespace cutaway::structures {
namespace {

// Two groups and two ends, in any order.
TEST(GroupOrder, EndsNeverWaitForGroups) {
  GroupOrder order(2);
  EXPECT_TRUE(order.empty() && order.takes_group());
  const uint16_t a = order.push_group(nullptr, {.draw = 1}, 5), b = order.push_group(nullptr, {.draw = 2}, 7);
  EXPECT_NE(a, b);
  EXPECT_FALSE(order.takes_group());
  EXPECT_FALSE(order.full());
  order.push_end(nullptr, {.draw = 2}, false);
  order.push_end(nullptr, {.draw = 3}, true);
  EXPECT_TRUE(order.full());
  EXPECT_EQ(order.size(), 4u);

  order.pop();
  EXPECT_TRUE(order.takes_group());
  EXPECT_EQ(order.push_group(nullptr, {.draw = 4}, 1), a) << "is free again";
  EXPECT_FALSE(order.takes_group());
  for (const uint32_t draw : {2u, 2u, 3u}) {
    EXPECT_EQ(order.front().origin.draw, draw);
    EXPECT_EQ(order.front().draw_end, draw == 3);
    order.pop();
  }
  EXPECT_TRUE(order.takes_group());
  EXPECT_EQ(order.front().count, 1u);
}

// Ends alone may fill it: then no group is accepted although none is in flight.
TEST(GroupOrder, EndsTakeRoom) {
  GroupOrder order(1);
  order.push_end(nullptr, {}, true);
  EXPECT_TRUE(order.takes_group());
  order.push_end(nullptr, {}, true);
  EXPECT_FALSE(order.takes_group());
}

// Results wait for their turn, and are removed from their slot.
TEST(GroupOrder, ResultsComeInAnyOrder) {
  messages::Pools pools;
  GroupOrder order(3);
  std::vector<uint16_t> slots;
  for (uint32_t i = 1; i <= 3; i++) slots.push_back(order.push_group(nullptr, {.draw = i}, i));
  EXPECT_EQ((std::set<uint16_t>(slots.begin(), slots.end())).size(), 3u);
  for (const uint32_t i : {2u, 0u, 1u}) {
    order[slots[i]].done = pools.group_primitives.allocate();
    order[slots[i]].done->id[0] = 10 * i;
    order[slots[i]].reserved = i;
    EXPECT_EQ(static_cast<bool>(order.front().done), i != 2);
  }
  for (uint32_t i = 0; i < 3; i++) {
    EXPECT_EQ(order.front().done->id[0], 10 * i);
    EXPECT_EQ(order.front().reserved, i);
    EXPECT_FALSE(order.front().is_end());
    order.pop();
  }
  const GroupOrder::Entry& again = order[order.push_group(nullptr, {}, 1)];
  EXPECT_FALSE(again.done);
  EXPECT_EQ(again.reserved, 0u);
}

}  // namespace
}  // namespace cutaway::structures
