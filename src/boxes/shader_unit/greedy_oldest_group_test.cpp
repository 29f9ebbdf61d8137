#include "boxes/shader_unit/greedy_oldest_group.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::greedy_oldest_group_test {
namespace {

TEST(GreedyOldestGroup, KeepsToAGroupUntilItCannotIssue) {
  GreedyOldestGroup scheduler(4);
  structures::IndexSet ready(4);
  std::vector<engine::Cycle> time(4, 0);
  EXPECT_EQ(scheduler.pick(1, ready, time), GroupScheduler::kNone);
  for (const uint32_t group : {2u, 0u, 3u}) scheduler.admitted(group, false), ready.insert(group);
  EXPECT_EQ(scheduler.pick(1, ready, time), 2u);
  time[2] = 5;
  EXPECT_EQ(scheduler.pick(2, ready, time), 0u);
  EXPECT_EQ(scheduler.pick(5, ready, time), 0u);  // not back to the older one
  time[0] = 9;
  EXPECT_EQ(scheduler.pick(6, ready, time), 2u);
  ready.erase(2);
  EXPECT_EQ(scheduler.pick(7, ready, time), 3u);
  EXPECT_EQ(scheduler.pick(9, ready, time), 3u);
  time[3] = 20;
  EXPECT_EQ(scheduler.pick(10, ready, time), 0u);
  time[0] = 20;
  EXPECT_EQ(scheduler.pick(11, ready, time), GroupScheduler::kNone);
  EXPECT_EQ(scheduler.pick(20, ready, time), 0u);  // nobody has issued since
}

TEST(GreedyOldestGroup, DoesNotKeepToANewGroupInTheOldPlace) {
  GreedyOldestGroup scheduler(2);
  structures::IndexSet ready(2);
  ready.insert_all();
  const std::vector<engine::Cycle> time(2, 0);
  scheduler.admitted(0, false), scheduler.admitted(1, false);
  EXPECT_EQ(scheduler.pick(1, ready, time), 0u);
  scheduler.admitted(0, false);
  EXPECT_EQ(scheduler.pick(2, ready, time), 1u);
}

}  // namespace
}  // namespace cutaway::boxes::greedy_oldest_group_test
