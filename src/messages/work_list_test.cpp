#include "messages/work_list.h"

#include <gtest/gtest.h>

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
