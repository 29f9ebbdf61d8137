#include "boxes/tessellation/patch_groups.h"

#include <gtest/gtest.h>

#include "messages/testing/draws.h"

namespace cutaway::boxes::patch_groups_test {
namespace {

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  PatchGroups patches{2, 10, 3, 16, pools};  // two groups of 16 lanes

  explicit Bench(uint32_t output_vertices = 4) {
    state->registers.tessellation.output_vertices = output_vertices;
    state->registers.tessellation.patch_bytes = 64;
  }
  messages::PrimitiveMessage message(uint32_t id) {
    messages::PrimitiveMessage patch;
    patch.whole = pools.whole_primitives.allocate();
    patch.state = state.get();
    patch.origin.draw = 7;
    patch.origin.primitive = id;
    return patch;
  }
  void add(uint32_t id, engine::Cycle now = 1) { patches.add(now, message(id)); }
  void end(bool draw_end = false) {
    messages::PrimitiveMessage end;
    end.state = state.get();
    end.draw_end = draw_end;
    end.batch_end = !draw_end;
    patches.add_end(end);
  }
};

TEST(PatchGroups, GivesEachOutputVertexALane) {
  Bench bench;
  messages::Patch& first = bench.patches.add(1, bench.message(100));
  EXPECT_EQ(first.words, std::vector<uint32_t>(16, 0));
  bench.add(101);
  EXPECT_EQ(bench.patches.gathered(), 2u);
  bench.patches.close();
  const messages::VertexGroup group = bench.patches.send();
  EXPECT_EQ(group.stage, arch::Stage::kTessControl);
  EXPECT_EQ(group.front_end, 3u);
  ASSERT_EQ(group.lanes, 8u);
  for (uint32_t lane = 0; lane < 8; lane++) {
    EXPECT_EQ(group.primitives->id[lane], 100 + lane / 4);
    EXPECT_EQ(group.primitives->patch[lane]->id, 100 + lane / 4);
    EXPECT_EQ(group.primitives->invocation[lane], lane % 4);
  }
  EXPECT_FALSE(bench.patches.gathers());
  EXPECT_EQ(bench.patches.gathered(), 0u);
}

// A patch of 5 vertices: three fit into 16 lanes.
TEST(PatchGroups, ClosesWhenNoFurtherPatchFits) {
  Bench bench(5);
  bench.add(0), bench.add(1);
  EXPECT_FALSE(bench.patches.closed());
  bench.add(2);
  EXPECT_TRUE(bench.patches.closed());
}

TEST(PatchGroups, ClosesInTime) {
  Bench bench;
  bench.add(0, 100);
  EXPECT_EQ(bench.patches.closes(), 110u);
  EXPECT_FALSE(bench.patches.close_in_time(109, true));
  EXPECT_TRUE(bench.patches.close_in_time(110, true));
  EXPECT_EQ(bench.patches.closes(), engine::kAsleep);

  Bench hurried;
  hurried.add(0, 100);
  EXPECT_TRUE(hurried.patches.close_in_time(101, false));
}

TEST(PatchGroups, LimitsGroupsUnderWay) {
  Bench bench;
  for (uint32_t i = 0; i < 2; i++) {
    bench.add(i), bench.patches.close();
    EXPECT_TRUE(bench.patches.can_send());
    bench.patches.send();
  }
  bench.add(2);
  EXPECT_FALSE(bench.patches.can_send()) << "is open";
  bench.patches.close();
  EXPECT_FALSE(bench.patches.can_send()) << "two are under way";
  bench.end(), bench.end(true);
  EXPECT_FALSE(bench.patches.takes_end());
  EXPECT_EQ(bench.patches.size(), 4u);
}

// The second group's control programs end first: its patches come second all the same.
TEST(PatchGroups, LeavesPatchesInOrder) {
  Bench bench;
  for (uint32_t id = 0; id < 4; id++) bench.add(id);
  messages::VertexGroup first = bench.patches.send();
  bench.add(4), bench.patches.close();
  messages::VertexGroup second = bench.patches.send();
  bench.end(true);

  bench.patches.finish({std::move(second.primitives), second.slot});
  EXPECT_FALSE(bench.patches.next_has_patch());
  EXPECT_FALSE(bench.patches.next_is_end());
  bench.patches.finish({std::move(first.primitives), first.slot});
  for (uint32_t id = 0; id < 5; id++) {
    ASSERT_TRUE(bench.patches.next_has_patch());
    EXPECT_EQ(bench.patches.next().origin.draw, 7u);
    EXPECT_EQ(bench.patches.patch()->id, id);
    bench.patches.pop_patch();
  }
  ASSERT_TRUE(bench.patches.next_is_end());
  EXPECT_FALSE(bench.patches.next_has_patch());
  EXPECT_TRUE(bench.patches.next().draw_end);
  bench.patches.pop_end();
  EXPECT_TRUE(bench.patches.empty());
}

}  // namespace
}  // namespace cutaway::boxes::patch_groups_test
