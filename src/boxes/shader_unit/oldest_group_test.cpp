#include "boxes/shader_unit/oldest_group.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::oldest_group_test {
namespace {

TEST(OldestGroup, TheGroupThatCameFirstIssuesAsLongAsItCan) {
  OldestGroup scheduler(100);
  structures::IndexSet ready(100);
  std::vector<engine::Cycle> time(100, 0);
  EXPECT_EQ(scheduler.pick(1, ready, time), GroupScheduler::kNone);
  for (const uint32_t group : {80u, 3u, 64u}) scheduler.admitted(group, false), ready.insert(group);
  for (int i = 0; i < 3; i++) EXPECT_EQ(scheduler.pick(1, ready, time), 80u);
  time[80] = 6;
  EXPECT_EQ(scheduler.pick(5, ready, time), 3u);
  EXPECT_EQ(scheduler.pick(6, ready, time), 80u);
  ready.erase(80);
  EXPECT_EQ(scheduler.pick(7, ready, time), 3u);
  time[3] = time[64] = 9;
  EXPECT_EQ(scheduler.pick(8, ready, time), GroupScheduler::kNone);
}

TEST(OldestGroup, AGroupInThePlaceOfAnotherIsYoung) {
  OldestGroup scheduler(2);
  structures::IndexSet ready(2);
  ready.insert_all();
  const std::vector<engine::Cycle> time(2, 0);
  scheduler.admitted(0, false), scheduler.admitted(1, false);
  EXPECT_EQ(scheduler.pick(1, ready, time), 0u);
  scheduler.admitted(0, false);
  EXPECT_EQ(scheduler.pick(1, ready, time), 1u);
}

}  // namespace
}  // namespace cutaway::boxes::oldest_group_test
