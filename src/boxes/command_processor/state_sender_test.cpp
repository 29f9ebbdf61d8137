#include "boxes/command_processor/state_sender.h"

#include <gtest/gtest.h>

#include "boxes/command_processor/program_for_test.h"

namespace cutaway::boxes::state_sender_test {
namespace {

using testing::make_program;

const EnumSet<arch::Stage> kStages = {arch::Stage::kVertex, arch::Stage::kFragment};

struct Bench {
  CommandProcessorCounters counters;
  uint64_t driver_cycles = 0;
  DrawsUnderWay draws{1, driver_cycles};
  StateSender sender{16, 100, {}, counters};
  messages::DrawState state;
  uint64_t time = 0;

  StateSender::Sent send(std::shared_ptr<const command_stream::Program> vertex,
                         std::shared_ptr<const command_stream::Program> fragment = nullptr,
                         engine::Cycle now = 10) {
    state.stage[arch::Stage::kVertex].program = std::move(vertex);
    state.stage[arch::Stage::kFragment].program = std::move(fragment);
    return sender.send_programs(now, state, kStages, ++time, draws);
  }
};

TEST(StateSender, CountsBytesOnTheBus) {
  Bench bench;
  bench.sender.send(10, 33);
  EXPECT_EQ(bench.sender.arrived(), 13u);
  EXPECT_EQ(bench.counters.state_bytes, 33u);
}

TEST(StateSender, SendsAProgramOnce) {
  Bench bench;
  const auto vertex = make_program(10);
  const auto first = bench.send(vertex);
  EXPECT_TRUE(first.any && first.all);
  EXPECT_EQ(bench.sender.arrived(), 10 + 10u * isa::kInstructionBytes / 16);
  EXPECT_EQ(bench.counters.programs_sent, 1u);
  const auto second = bench.send(vertex);
  EXPECT_FALSE(second.any);
  EXPECT_TRUE(second.all);
  EXPECT_EQ(bench.counters.programs_sent, 1u);
}

TEST(StateSender, SendsNoProgramsOfOtherStages) {
  Bench bench;
  bench.state.stage[arch::Stage::kCompute].program = make_program(5);
  EXPECT_FALSE(bench.send(nullptr).any);
}

TEST(StateSender, WaitsForRoomOfProgramsUnderWay) {
  Bench bench;
  messages::DrawState running;
  const auto first = make_program(60), second = make_program(60);
  bench.send(first);
  running.stage[arch::Stage::kVertex].program = first;
  bench.draws.add_draw(1, {.number = 1, .state = &running, .batches = 1});
  const auto waits = bench.send(second);
  EXPECT_FALSE(waits.any || waits.all);
  bench.draws.remove(20, 1);
  const auto sent = bench.send(second);
  EXPECT_TRUE(sent.any && sent.all);
}

TEST(StateSender, SendsTheProgramsThatFit) {
  Bench bench;
  messages::DrawState running;
  const auto first = make_program(60);
  bench.send(first);
  running.stage[arch::Stage::kVertex].program = first;
  bench.draws.add_draw(1, {.number = 1, .state = &running, .batches = 1});
  const auto sent = bench.send(make_program(60), make_program(40));
  EXPECT_TRUE(sent.any);
  EXPECT_FALSE(sent.all);
}

TEST(StateSender, MemoriesOfStagesAreSeparate) {
  CommandProcessorCounters counters;
  uint64_t driver_cycles = 0;
  const DrawsUnderWay draws(1, driver_cycles);
  command_stream::ByStage<unsigned> memories;
  memories[arch::Stage::kFragment] = 1;
  StateSender sender(16, 100, memories, counters);
  messages::DrawState state;
  state.stage[arch::Stage::kVertex].program = make_program(80);
  state.stage[arch::Stage::kFragment].program = make_program(80);
  sender.send_programs(1, state, kStages, 1, draws);
  EXPECT_FALSE(sender.send_programs(1, state, kStages, 2, draws).any);
}

}  // namespace
}  // namespace cutaway::boxes::state_sender_test
