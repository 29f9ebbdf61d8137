#include "boxes/shader_unit/workgroup_table.h"

#include <gmock/gmock.h>

#include "isa/operands.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::workgroup_table_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Bench {
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  WorkgroupTable table{2, 1024, 8};

  // A workgroup of these groups, all of which come in.
  void enter(std::initializer_list<uint16_t> groups, uint32_t shared_bytes = 0, uint32_t dispatch = 0) {
    begin(static_cast<uint32_t>(groups.size()), shared_bytes, dispatch);
    for (const uint16_t group : groups) table.enter(group);
  }
  void begin(uint32_t groups, uint32_t shared_bytes = 0, uint32_t dispatch = 0) {
    state->registers.compute.shared_bytes = shared_bytes;
    table.begin({.dispatch = dispatch, .state = state.get()}, groups,
                {.registers = groups, .scratch_bytes = 8});
  }
};

TEST(WorkgroupTable, AWorkgroupEntersUntilItsLastGroupIsThere) {
  Bench bench;
  EXPECT_FALSE(bench.table.entering());
  bench.begin(3);
  for (uint16_t group = 0; group < 3; group++) {
    EXPECT_TRUE(bench.table.entering());
    EXPECT_EQ(bench.table.entered_groups(), group);
    bench.table.enter(group);
  }
  EXPECT_FALSE(bench.table.entering());
}

TEST(WorkgroupTable, PlacesAndMemoryReturnWithTheLastGroup) {
  Bench bench;
  EXPECT_TRUE(bench.table.has_room(1024));
  EXPECT_FALSE(bench.table.has_room(1028));
  bench.enter({0, 1}, 1000, 7);
  EXPECT_TRUE(bench.table.has_room(24));
  EXPECT_FALSE(bench.table.has_room(28));
  bench.enter({2}, 0);
  EXPECT_FALSE(bench.table.has_room(0));  // no third place
  EXPECT_FALSE(bench.table.is_last(1));
  EXPECT_FALSE(bench.table.leave(1));
  EXPECT_FALSE(bench.table.has_room(0));
  EXPECT_TRUE(bench.table.is_last(0));
  const auto ended = bench.table.leave(0);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->dispatch, 7u);
  EXPECT_EQ(ended->taken.registers, 2u);
  EXPECT_EQ(ended->taken.scratch_bytes, 8u);
  EXPECT_TRUE(bench.table.has_room(1024));
}

TEST(WorkgroupTable, GroupsOfAWorkgroupShareMemoryThatBeginsAsZeros) {
  Bench bench;
  bench.enter({0, 1}, 16);
  bench.enter({2}, 8);
  EXPECT_EQ(bench.table.memory_of(0).size(), 4u);
  EXPECT_EQ(bench.table.memory_of(0).data(), bench.table.memory_of(1).data());
  EXPECT_NE(bench.table.memory_of(0).data(), bench.table.memory_of(2).data());
  for (uint32_t& word : bench.table.memory_of(0)) word = 9;
  bench.table.leave(0), bench.table.leave(1);
  bench.enter({0}, 12);
  EXPECT_THAT(bench.table.memory_of(0), ElementsAre(0, 0, 0));
}

TEST(WorkgroupTable, ABarrierOpensWithTheLastGroup) {
  Bench bench;
  bench.enter({4, 1, 6});
  bench.enter({2});
  EXPECT_THAT(bench.table.arrive(1, 0).groups, IsEmpty());
  EXPECT_THAT(bench.table.arrive(4, 0).groups, IsEmpty());
  EXPECT_THAT(bench.table.arrive(6, 0).groups, ElementsAre(4, 1, 6));
  EXPECT_THAT(bench.table.arrive(2, 0).groups, ElementsAre(2));
}

TEST(WorkgroupTable, ABarrierAwaitsGroupsThatHaveNotComeIn) {
  Bench bench;
  bench.begin(2);
  bench.table.enter(0);
  EXPECT_THAT(bench.table.arrive(0, 0).groups, IsEmpty());
  bench.table.enter(1);
  EXPECT_THAT(bench.table.arrive(1, 0).groups, ElementsAre(0, 1));
}

TEST(WorkgroupTable, ABarrierDoesNotAwaitGroupsThatHaveEnded) {
  Bench bench;
  bench.enter({0, 1, 2});
  EXPECT_THAT(bench.table.end(0).groups, IsEmpty());
  EXPECT_THAT(bench.table.arrive(1, 0).groups, IsEmpty());
  EXPECT_THAT(bench.table.end(2).groups, ElementsAre(1));  // the last one that it waited for
}

// The place of a group that has left is taken by a group of another workgroup.
TEST(WorkgroupTable, AReusedPlaceDoesNotGoOnWithTheOthers) {
  Bench bench;
  bench.enter({0, 1});
  bench.table.end(0), bench.table.leave(0);
  bench.enter({0, 2});
  bench.table.arrive(0, 0);
  EXPECT_THAT(bench.table.arrive(1, 0).groups, ElementsAre(1));
  EXPECT_THAT(bench.table.arrive(2, 0).groups, ElementsAre(0, 2));
}

TEST(WorkgroupTable, ABarrierHasTheFencesAndTheLatestAccessesOfItsGroups) {
  Bench bench;
  bench.enter({0, 1});
  bench.table.note_access(0, 30);
  bench.table.note_access(1, 40);
  bench.table.arrive(0, isa::kFenceShared);
  const auto opening = bench.table.arrive(1, isa::kFenceDevice);
  EXPECT_EQ(opening.fences, uint32_t{isa::kFenceShared | isa::kFenceDevice});
  EXPECT_EQ(opening.accesses_done, 30u);  // the other one has no fence of shared memory
  // The next barrier begins anew.
  bench.table.arrive(0, 0);
  const auto next = bench.table.arrive(1, 0);
  EXPECT_EQ(next.fences, 0u);
  EXPECT_EQ(next.accesses_done, 0u);
}

}  // namespace
}  // namespace cutaway::boxes::workgroup_table_test
