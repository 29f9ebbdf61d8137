#include "boxes/tessellation/point_group.h"

#include <gtest/gtest.h>

#include "func/shader/micro_op.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::point_group_test {
namespace {

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state(),
                                       other = messages::testing::plain_state();
  PointGroup group{3, 4, pools};

  void add(messages::SlotIndex slot, uint32_t patch_id = 5) {
    messages::PoolRef<messages::Patch> patch = pools.patches.allocate();
    patch->id = patch_id;
    group.add(slot, patch, {10u + slot, 20u + slot, 30u + slot, 0}, state.get(), {.draw = patch_id});
  }
};

TEST(PointGroup, FillsTheInputsOfALane) {
  Bench bench;
  bench.state->registers.tessellation.output_vertices = 9;
  bench.add(7, 41), bench.add(8, 42);
  const messages::VertexGroup group = bench.group.take();
  EXPECT_EQ(group.stage, arch::Stage::kTessEvaluation);
  EXPECT_EQ(group.front_end, 3u);
  EXPECT_EQ(group.state, bench.state.get());
  EXPECT_EQ(group.origin.draw, 41u) << "of its first point";
  ASSERT_EQ(group.lanes, 2u);
  const uint32_t width = func::register_width(4);
  for (uint32_t lane = 0; lane < 2; lane++) {
    EXPECT_EQ(group.vertices->slot[lane], 7 + lane);
    EXPECT_EQ(group.vertices->index[lane], messages::kEmittedVertex);
    EXPECT_EQ(group.primitives->patch[lane]->id, 41 + lane);
    const auto word = [&](uint32_t input, uint32_t component) {
      return group.vertices->word[func::register_word(width, input, component, lane)];
    };
    for (uint32_t c = 0; c < 3; c++) EXPECT_EQ(word(arch::kInputTessCoord, c), 10 * (c + 1) + 7 + lane);
    EXPECT_EQ(word(arch::kInputPrimitive, 0), 41 + lane);
    EXPECT_EQ(word(arch::kInputPrimitive, 2), 9u);
  }
  EXPECT_TRUE(bench.group.empty());
}

TEST(PointGroup, ClosesWhenFull) {
  Bench bench;
  for (messages::SlotIndex slot = 0; slot < 3; slot++) bench.add(slot);
  EXPECT_FALSE(bench.group.closed_to(bench.state.get()));
  bench.add(3);
  EXPECT_TRUE(bench.group.closed_to(bench.state.get()));
  bench.group.take();
  bench.add(4);
  EXPECT_EQ(bench.group.lanes(), 1u);
  EXPECT_FALSE(bench.group.closed_to(bench.state.get()));
}

TEST(PointGroup, HoldsPointsOfOneState) {
  Bench bench;
  bench.add(0);
  EXPECT_TRUE(bench.group.closed_to(bench.other.get()));
}

}  // namespace
}  // namespace cutaway::boxes::point_group_test
