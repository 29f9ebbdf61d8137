#include "boxes/shader_unit/group_table.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::group_table_test {
namespace {

using Wait = GroupTable::Wait;

struct Table {
  uint64_t residents = 0;
  GroupTable groups{4, 4, false, residents};

  Group& enter(engine::Cycle now) {
    Group& group = groups.next_free();
    groups.enter(now, group);
    return group;
  }
};

TEST(GroupTable, AGroupTakesTheFirstFreePlace) {
  Table table;
  EXPECT_TRUE(table.groups.empty());
  EXPECT_EQ(table.enter(1).index, 0);
  Group& second = table.enter(1);
  EXPECT_EQ(second.index, 1);
  EXPECT_EQ(table.enter(1).index, 2);
  table.groups.finish(second, 2);
  table.groups.leave(2, second);
  EXPECT_EQ(table.groups.inside(), 2u);
  EXPECT_EQ(table.enter(3).index, 1);
}

TEST(GroupTable, CountsTheGroupsThatWaitForEachUnit) {
  const std::pair<GroupPhase, Wait> waits[] = {
      {GroupPhase::kTexture, Wait::kTexture},  {GroupPhase::kPull, Wait::kPull},
      {GroupPhase::kStorage, Wait::kStorage},  {GroupPhase::kFence, Wait::kStorage},
      {GroupPhase::kDraining, Wait::kStorage}, {GroupPhase::kBarrierStores, Wait::kStorage},
      {GroupPhase::kBarrier, Wait::kBarrier},  {GroupPhase::kBranch, Wait::kNothing},
  };
  for (const auto& [phase, wait] : waits) {
    Table table;
    Group& group = table.enter(1);
    const uint32_t before = table.groups.waiting_for(wait);
    table.groups.make_ready(group, 2);
    EXPECT_EQ(table.groups.ready().size(), 1u);
    table.groups.block(group, phase);
    EXPECT_TRUE(table.groups.ready().empty());
    EXPECT_EQ(table.groups.waiting_for(wait), before + (wait != Wait::kNothing)) << static_cast<int>(phase);
    EXPECT_EQ(table.groups.waiting_for_other_units(), wait != Wait::kNothing && wait != Wait::kBarrier);
    table.groups.make_ready(group, 3);
    EXPECT_EQ(table.groups.waiting_for(wait), before);
  }
}

TEST(GroupTable, TheNextEventIsTheEarliestAfterNow) {
  Table table;
  EXPECT_EQ(table.groups.next_event(1), engine::kAsleep);
  Group &ready = table.enter(1), &later = table.enter(1), &finished = table.enter(1);
  table.groups.make_ready(ready, 10);
  table.groups.make_ready(later, 30);
  table.groups.finish(finished, 20);
  EXPECT_EQ(table.groups.next_event(9), 10u);
  EXPECT_EQ(table.groups.next_event(10), 20u);
  EXPECT_EQ(table.groups.next_event(20), 30u);
  table.groups.block(later, GroupPhase::kTexture);
  EXPECT_EQ(table.groups.next_event(20), engine::kAsleep);
}

TEST(GroupTable, AFinishedGroupIsNotReady) {
  Table table;
  Group& group = table.enter(1);
  table.groups.make_ready(group, 2);
  table.groups.finish(group, 5);
  EXPECT_TRUE(table.groups.ready().empty());
  EXPECT_EQ(table.groups.finished().size(), 1u);
  EXPECT_EQ(table.groups.time_of(group), 5u);
  table.groups.leave(5, group);
  EXPECT_TRUE(table.groups.finished().empty());
  EXPECT_TRUE(table.groups.empty());
}

// Groups inside times cycles, up to the last one that came in or left.
TEST(GroupTable, SumsResidentsOverTime) {
  Table table;
  Group& first = table.enter(10);
  EXPECT_EQ(table.residents, 0u);
  Group& second = table.enter(14);
  EXPECT_EQ(table.residents, 4u);
  table.groups.leave(20, first);
  EXPECT_EQ(table.residents, 4u + 2 * 6);
  table.groups.leave(21, second);
  EXPECT_EQ(table.residents, 4u + 2 * 6 + 1);
}

}  // namespace
}  // namespace cutaway::boxes::group_table_test
