#include "boxes/shader_unit/finish_order.h"

#include <gtest/gtest.h>
#include <vector>

#include "base/field.h"

namespace cutaway::boxes::finish_order_test {
namespace {

TEST(FinishOrder, EachOutputTakesItsGroupsInTheOrderInWhichTheyFinished) {
  FinishOrder order(8);
  EXPECT_EQ(order.next(GroupOutput::kQuads), FinishOrder::kNone);
  order.finish(5, GroupOutput::kQuads);
  order.finish(2, GroupOutput::kVertices);
  order.finish(1, GroupOutput::kQuads);
  EXPECT_EQ(order.next(GroupOutput::kQuads), 5u);
  EXPECT_EQ(order.next(GroupOutput::kVertices), 2u);
  EXPECT_EQ(order.next(GroupOutput::kEmitted), FinishOrder::kNone);
  order.drop(GroupOutput::kQuads);
  EXPECT_EQ(order.next(GroupOutput::kQuads), 1u);
}

TEST(FinishOrder, TheOldestIsOfAnyOutput) {
  FinishOrder order(8);
  EXPECT_EQ(order.oldest(), FinishOrder::kNone);
  order.finish(5, GroupOutput::kEmitted);
  order.finish(2, GroupOutput::kVertices);
  EXPECT_EQ(order.oldest(), 5u);
  order.drop(GroupOutput::kEmitted);
  EXPECT_EQ(order.oldest(), 2u);
  order.finish(5, GroupOutput::kEmitted);  // the place is another group's now
  EXPECT_EQ(order.oldest(), 2u);
}

TEST(FinishOrder, VisitsTheOutputsThatHaveGroups) {
  FinishOrder order(8);
  std::vector<GroupOutput> visited;
  const auto visit = [&] {
    visited.clear();
    order.for_waiting([&](GroupOutput output) { visited.push_back(output); });
    return visited;
  };
  EXPECT_TRUE(visit().empty());
  order.finish(3, GroupOutput::kEmitted);
  order.finish(4, GroupOutput::kQuads);
  order.finish(5, GroupOutput::kQuads);
  EXPECT_EQ(visit(), (std::vector{GroupOutput::kQuads, GroupOutput::kEmitted}));
  order.drop(GroupOutput::kQuads);
  EXPECT_EQ(visit(), (std::vector{GroupOutput::kQuads, GroupOutput::kEmitted}));
  order.for_waiting([&](GroupOutput output) { order.drop(output); });
  EXPECT_TRUE(visit().empty());
}

TEST(FinishOrder, StagesShareNoOutput) {
  EnumSet<GroupOutput> outputs;
  for (uint32_t stage = 0; stage < arch::kStages; stage++) {
    const GroupOutput output = output_of(static_cast<arch::Stage>(stage));
    EXPECT_FALSE(outputs.has(output));
    outputs.add(output);
  }
}

}  // namespace
}  // namespace cutaway::boxes::finish_order_test
