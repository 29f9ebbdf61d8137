#include "boxes/command_processor/draw_dispatch.h"

#include <gtest/gtest.h>

#include "messages/testing/draws.h"

namespace cutaway::boxes::draw_dispatch_test {
namespace {

using Step = DrawDispatch::Step;

command_stream::Draw triangles(uint32_t count) {
  command_stream::Draw draw;
  draw.count = 3 * count;
  draw.instances = 1;
  return draw;
}

TEST(DrawDispatch, PreparesEachDrawAnew) {
  DrawDispatch dispatch({});
  const auto state = messages::testing::plain_state();
  EXPECT_EQ(dispatch.step(), Step::kJudge);
  dispatch.judged();
  EXPECT_EQ(dispatch.step(), Step::kSendPrograms);
  dispatch.programs_sent();
  EXPECT_EQ(dispatch.step(), Step::kLeave);
  dispatch.draw_left(dispatch.share(triangles(1), state->registers));
  EXPECT_EQ(dispatch.step(), Step::kJudge);
  dispatch.judged();
  dispatch.dispatch_left();
  EXPECT_EQ(dispatch.step(), Step::kJudge);
  dispatch.judged();
  dispatch.begin_submission();
  EXPECT_EQ(dispatch.step(), Step::kJudge);
}

// Batches have two triangles.
TEST(DrawDispatch, FrontEndsTakeBatchesInTurn) {
  DrawDispatch dispatch({.units = 3, .batch = 2, .reporters = 2});
  const auto state = messages::testing::plain_state();
  const auto next = [&](uint32_t count) {
    const auto share = dispatch.share(triangles(count), state->registers);
    const size_t first = dispatch.front_end_of(0);
    EXPECT_EQ(dispatch.assemblies(share), 2 * share.batches);
    EXPECT_EQ(share.front_ends, std::min(share.batches, 3u));
    dispatch.draw_left(share);
    return std::pair(share.batches, first);
  };
  EXPECT_EQ(next(4), (std::pair<uint32_t, size_t>{2, 0}));
  EXPECT_EQ(next(1), (std::pair<uint32_t, size_t>{1, 2}));
  EXPECT_EQ(next(10), (std::pair<uint32_t, size_t>{5, 0}));
  dispatch.begin_submission();
  EXPECT_EQ(next(1), (std::pair<uint32_t, size_t>{1, 2})) << "turns go on in the next submission";
}

TEST(DrawDispatch, DispatchesHaveNumbersOfNoDraw) {
  DrawDispatch dispatch({});
  EXPECT_EQ(dispatch.dispatch_left(), 0x80000000u);
  EXPECT_EQ(dispatch.dispatch_left(), 0x80000001u);
  EXPECT_EQ(dispatch.dispatches(), 2u);
  dispatch.begin_submission();
  EXPECT_EQ(dispatch.dispatches(), 0u);
}

TEST(DrawDispatch, DrawsRunTheStagesThatAreOn) {
  const auto state = messages::testing::plain_state();
  auto& registers = state->registers;
  EXPECT_FALSE(drawing_stages(registers).has(arch::Stage::kGeometry));
  EXPECT_TRUE(drawing_stages(registers).has(arch::Stage::kVertex));
  EXPECT_TRUE(drawing_stages(registers).has(arch::Stage::kFragment));
  registers.shader[static_cast<uint32_t>(arch::Stage::kGeometry)].instructions = 1;
  registers.shader[static_cast<uint32_t>(arch::Stage::kCompute)].instructions = 1;
  EXPECT_TRUE(drawing_stages(registers).has(arch::Stage::kGeometry));
  EXPECT_FALSE(drawing_stages(registers).has(arch::Stage::kCompute));
}

}  // namespace
}  // namespace cutaway::boxes::draw_dispatch_test
