#include "boxes/shader_unit/round_robin_groups.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::round_robin_groups_test {
namespace {

TEST(RoundRobinGroups, GroupsTakeTurnsInTheOrderOfTheirPlaces) {
  for (const uint32_t groups : {1u, 4u, 70u}) {
    RoundRobinGroups scheduler(groups);
    structures::IndexSet ready(groups);
    ready.insert_all();
    const std::vector<engine::Cycle> time(groups, 5);
    for (uint32_t i = 0; i < 3 * groups; i++) EXPECT_EQ(scheduler.pick(5 + i, ready, time), i % groups);
  }
}

TEST(RoundRobinGroups, WhoCannotIssueIsPassedOverAndLosesNoTurnOfOthers) {
  RoundRobinGroups scheduler(5);
  structures::IndexSet ready(5);
  std::vector<engine::Cycle> time(5, 0);
  EXPECT_EQ(scheduler.pick(1, ready, time), GroupScheduler::kNone);
  for (const uint32_t group : {0u, 2u, 4u}) ready.insert(group);
  time[2] = 10;
  EXPECT_EQ(scheduler.pick(8, ready, time), 0u);
  EXPECT_EQ(scheduler.pick(9, ready, time), 4u);
  EXPECT_EQ(scheduler.pick(10, ready, time), 0u);
  EXPECT_EQ(scheduler.pick(11, ready, time), 2u);
  // No group can issue: the turn stays where it is.
  time.assign(5, 20);
  EXPECT_EQ(scheduler.pick(19, ready, time), GroupScheduler::kNone);
  EXPECT_EQ(scheduler.pick(20, ready, time), 4u);
}

}  // namespace
}  // namespace cutaway::boxes::round_robin_groups_test
