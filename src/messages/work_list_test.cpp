#include "messages/work_list.h"

#include <gtest/gtest.h>
#include <optional>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::messages::work_list_test {
namespace {

using testing::surface;

// Depth lies in one surface or another, or there is none; each change begins a pass.
TEST(WorkList, DrawsWithTheSameTargetsAreAPass) {
  WorkList list;
  auto state = testing::plain_state();
  const auto pass = [&] {
    list.note_state(*state);
    EXPECT_EQ(state->tiles, list.passes().back().get());
    return list.states().back().pass;
  };
  EXPECT_EQ(pass(), 0u);
  state->registers.raster.line_width = 2;
  EXPECT_EQ(pass(), 0u);
  testing::add_depth(*state, arch::Compare::kLess);
  EXPECT_EQ(pass(), 1u);
  state->registers.depth.depth_write = 0;
  EXPECT_EQ(pass(), 1u);
  state->registers.depth.surface = surface(arch::Format::X8_D24_UNORM_PACK32, 64, 64, 0x300000);
  EXPECT_EQ(pass(), 2u);
  state->registers.color.target[0].surface = surface(arch::Format::R8G8B8A8_UNORM, 64, 64, 0x400000);
  EXPECT_EQ(pass(), 3u);
  EXPECT_EQ(list.passes().size(), 4u);
}

TEST(WorkList, APassIsOfOneContext) {
  WorkList list;
  auto state = testing::plain_state();
  const auto pass = [&](arch::ContextId context) {
    list.note_state(*state, context);
    EXPECT_EQ(list.states().back().context, context);
    return list.states().back().pass;
  };
  const auto copies = [&](arch::ContextId context) {
    list.begin({.kind = Work::Kind::kCopy, .context = context}, 1);
    list.end(list.next() - 1, 1);
  };
  EXPECT_EQ(pass(0), 0u);
  EXPECT_EQ(pass(1), 1u);  // the same addresses are other memory
  copies(1);
  EXPECT_EQ(pass(1), 1u);
  copies(0);
  copies(1);
  EXPECT_EQ(pass(1), 2u);  // another context worked between
}

struct StoppedList : ::testing::Test {
  engine::Simulator sim;
  engine::Domain& core = sim.add_domain("core", 1);
  engine::Sampler* windows = nullptr;
  std::optional<WorkList> list;

  StoppedList() {
    auto& source = sim.add<engine::testing::Source<int>>(core, "source");
    auto& sink = sim.add<engine::testing::Sink<int>>(core, "sink");
    sim.connect(source.out, sink.in, {1, 1, 2});
    sim.elaborate();
    windows = &sim.sample(core, {});
    list.emplace(windows);
  }
  void stop() {
    sim.settle();
    list->stop(core.now());
  }
};

TEST_F(StoppedList, WorkUnderWayEndsWithTheMachine) {
  list->begin({.kind = Work::Kind::kCopy}, core.now());
  list->begin({.kind = Work::Kind::kDraw}, core.now());
  sim.run(core, 10);
  list->end(0, core.now());
  sim.run(core, 10);
  stop();
  ASSERT_EQ(list->works().size(), 2u);
  EXPECT_TRUE(list->works()[1].ended);
  EXPECT_EQ(list->works()[1].end, core.now());
  EXPECT_EQ(list->works()[1].row, 1u);
  EXPECT_EQ(windows->rows(), 2u);
}

// The last turn has done what comes after the last piece.
TEST_F(StoppedList, TheRestIsAPieceOfItsOwn) {
  list->turns().begin(core.now(), 0, 3, 0);
  list->begin({.kind = Work::Kind::kCopy}, core.now());
  sim.run(core, 10);
  list->end(0, core.now());
  list->turns().end(core.now());
  sim.run(core, 10);
  list->turns().begin(core.now(), 1, 7, 0);
  sim.run(core, 10);
  stop();
  ASSERT_EQ(list->works().size(), 2u);
  const Work& rest = list->works()[1];
  EXPECT_EQ(rest.kind, Work::Kind::kRest);
  EXPECT_EQ(rest.context, 1u);
  EXPECT_EQ(rest.origin.submission, 7u);
  EXPECT_EQ(windows->end(rest.row), core.now());
  const run_record::TurnsRecord& turns = list->turns().record();
  ASSERT_EQ(turns.turns.size(), 2u);
  EXPECT_EQ(turns.turns[0].how, run_record::TurnRecord::End::kEnded);
  EXPECT_EQ(turns.turns[1].how, run_record::TurnRecord::End::kStopped);
  EXPECT_EQ(turns.turns[1].end, core.now());
}

TEST_F(StoppedList, NothingIsAddedBehindTheLastPiece) {
  list->begin({.kind = Work::Kind::kCopy}, core.now());
  sim.run(core, 10);
  list->end(0, core.now());
  sim.run(core, 1);
  stop();
  EXPECT_EQ(list->works().size(), 1u);
  EXPECT_EQ(windows->end(windows->rows() - 1), core.now());
}

// Each kind of piece: its counts are not those of the piece behind it.
TEST(WorkList, ARowEndsWithEachPiece) {
  engine::Simulator sim;
  engine::Domain& core = sim.add_domain("core", 1);
  auto& source = sim.add<engine::testing::Source<int>>(core, "source");
  auto& sink = sim.add<engine::testing::Sink<int>>(core, "sink");
  sim.connect(source.out, sink.in, {1, 1, 2});
  sim.elaborate();
  engine::Sampler& windows = sim.sample(core, {});
  WorkList list(&windows);
  uint32_t rows = 0;
  for (const Work::Kind kind : {Work::Kind::kDraw, Work::Kind::kCopy, Work::Kind::kDispatch}) {
    const uint32_t number = list.next();
    list.begin({.kind = kind}, core.now());
    sim.run(core, 10);
    list.end(number, core.now());
    sim.run(core, 10);
    EXPECT_EQ(list.works().back().row, rows) << name_of(kind);
    EXPECT_EQ(windows.rows(), ++rows) << name_of(kind);
  }
}

}  // namespace
}  // namespace cutaway::messages::work_list_test
