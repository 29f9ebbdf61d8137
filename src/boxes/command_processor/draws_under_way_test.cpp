#include "boxes/command_processor/draws_under_way.h"

#include <gtest/gtest.h>

#include "boxes/command_processor/program_for_test.h"

namespace cutaway::boxes::draws_under_way_test {
namespace {

using Kind = DrawsUnderWay::Unit::Kind;

struct Bench {
  uint64_t driver_cycles = 0;
  DrawsUnderWay draws{2, driver_cycles};
  messages::DrawState state, driver_state;
  Bench() { driver_state.of_driver = true; }
  void draw(engine::Cycle now, uint32_t number, uint32_t batches = 1, bool of_driver = false) {
    draws.add_draw(
        now, {.number = number, .state = of_driver ? &driver_state : &state, .work = 7, .batches = batches});
  }
};

TEST(DrawsUnderWay, DrawEndsInAllUnits) {
  Bench bench;
  bench.draw(1, 4, 2);
  EXPECT_FALSE(bench.draws.end_in_color_unit(4, 1));
  EXPECT_FALSE(bench.draws.assemble_batch(4));
  EXPECT_FALSE(bench.draws.end_in_color_unit(4, 0));
  EXPECT_TRUE(bench.draws.assemble_batch(4));
  const auto ended = bench.draws.remove(9, 4);
  EXPECT_EQ(ended.work, 7u);
  EXPECT_EQ(ended.state, &bench.state);
  EXPECT_TRUE(bench.draws.empty());
}

TEST(DrawsUnderWay, LastUnitMayBeAColorUnit) {
  Bench bench;
  bench.draw(1, 4);
  EXPECT_FALSE(bench.draws.assemble_batch(4));
  EXPECT_FALSE(bench.draws.end_in_color_unit(4, 0));
  EXPECT_TRUE(bench.draws.end_in_color_unit(4, 1));
}

TEST(DrawsUnderWay, DispatchEndsInTheDistributor) {
  Bench bench;
  bench.draws.add_dispatch(1, {.number = 4, .state = &bench.state});
  EXPECT_EQ(bench.draws.oldest_in().kind, Kind::kDispatch);
  EXPECT_TRUE(bench.draws.end_dispatch(4));
}

TEST(DrawsUnderWay, NamesTheUnitOfTheOldest) {
  Bench bench;
  bench.draw(1, 4);
  bench.draw(1, 5);
  bench.draws.end_in_color_unit(5, 0);
  EXPECT_EQ(bench.draws.oldest_in().kind, Kind::kColorWrite);
  EXPECT_EQ(bench.draws.oldest_in().number, 0u);
  bench.draws.end_in_color_unit(4, 0);
  EXPECT_EQ(bench.draws.oldest_in().kind, Kind::kColorWrite);
  EXPECT_EQ(bench.draws.oldest_in().number, 1u);
  bench.draws.end_in_color_unit(4, 1);
  EXPECT_EQ(bench.draws.oldest_in().kind, Kind::kAssembly);
}

TEST(DrawsUnderWay, LaterDrawMayEndFirst) {
  Bench bench;
  bench.draw(1, 4);
  bench.draw(1, 5);
  bench.draws.remove(3, 5);
  EXPECT_EQ(bench.draws.size(), 1u);
  EXPECT_TRUE(bench.draws.find(4));
  EXPECT_FALSE(bench.draws.find(5));
}

TEST(DrawsUnderWay, CountsCyclesWhileTheOldestIsTheDrivers) {
  Bench bench;
  bench.draw(10, 1, 1, true);
  bench.draw(14, 2);
  bench.draw(15, 3, 1, true);
  bench.draws.remove(20, 1);
  EXPECT_EQ(bench.driver_cycles, 10u);
  bench.draws.remove(33, 2);
  EXPECT_EQ(bench.driver_cycles, 10u);
  bench.draws.remove(35, 3);
  EXPECT_EQ(bench.driver_cycles, 12u);
}

TEST(DrawsUnderWay, KnowsTheProgramsThatRun) {
  Bench bench;
  const auto program = testing::make_program(2), other = testing::make_program(2);
  bench.state.stage[arch::Stage::kFragment].program = program;
  EXPECT_FALSE(bench.draws.run(program));
  bench.draw(1, 1);
  EXPECT_TRUE(bench.draws.run(program));
  EXPECT_FALSE(bench.draws.run(other));
}

TEST(DrawsUnderWay, KnowsTheProgramsOfADrawThatIsAboutToLeave) {
  Bench bench;
  const auto program = testing::make_program(2);
  bench.state.stage[arch::Stage::kFragment].program = program;
  bench.draws.expect(arch::QueueKind::kCompute, &bench.state);
  bench.draws.expect(arch::QueueKind::kGraphics, nullptr);
  EXPECT_TRUE(bench.draws.run(program));
  bench.draws.expect(arch::QueueKind::kCompute, nullptr);
  EXPECT_FALSE(bench.draws.run(program));
}

TEST(DrawsUnderWay, TellsQueuesApart) {
  Bench bench;
  bench.draw(1, 1);
  bench.draws.add_dispatch(1, {.number = 2, .queue = arch::QueueKind::kCompute, .state = &bench.state});
  EXPECT_EQ(bench.draws.oldest_in(arch::QueueKind::kCompute).kind, Kind::kDispatch);
  bench.draws.remove(2, 1);
  EXPECT_FALSE(bench.draws.any(arch::QueueKind::kGraphics));
  EXPECT_TRUE(bench.draws.any(arch::QueueKind::kCompute));
}

}  // namespace
}  // namespace cutaway::boxes::draws_under_way_test
