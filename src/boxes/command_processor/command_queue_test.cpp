// Graphics queue and compute queue side by side.
#include "boxes/command_processor/bench_for_test.h"

namespace cutaway::boxes::command_queue_test {
namespace {

using namespace testing;
using enum arch::QueueKind;

const command_stream::Abilities kComputes{
    .gpu = "chip", .workgroup_invocations = 64, .workgroup_bytes = 1024, .stores = {arch::Stage::kCompute}};
constexpr arch::Address kComputeProgram = 0x31000;
constexpr uint64_t kFirst = 7;

struct QueueBench : Bench {
  explicit QueueBench(CommandProcessorSpec spec = {.compute_queue = true}) : Bench(spec, {}, {}, kComputes) {
    commands.take();
  }
  void graphics(const std::function<void()>& packets, uint64_t after = 0) {
    state();
    packets();
    hand_over(kGraphics, after);
  }
  void compute(const std::function<void()>& packets, uint64_t after = 0) {
    arch::Registers registers{};
    registers.compute = {{8, 1, 1}, 64};
    set(registers, registers.compute);
    program(arch::Stage::kCompute, "END\n", kComputeProgram);
    packets();
    hand_over(kCompute, after);
  }
  void hand_over(arch::QueueKind queue, uint64_t after) {
    const std::vector<uint32_t> words = commands.take();
    const arch::Address at = kCommands + number * 0x1000u;
    memory.memory.write(at, words.data(), words.size() * 4);
    box.submit({.id = kFirst + number++,
                .commands = at,
                .words = static_cast<uint32_t>(words.size()),
                .queue = queue,
                .after = after});
  }
  void dispatch() { commands.packet(Opcode::kDispatch, arch::DispatchPacket{{1, 1, 1}, {0, 0, 0}}); }
  void wait() { commands.packet(Opcode::kWaitIdle); }
  bool end() {
    return sim.run_until([&] { return box.finished() || box.fault(); }, clock, 20000) && !box.fault();
  }
  Cycle drawn(size_t i) const { return pipeline.draws.at(i).first; }
  Cycle dispatched(size_t i) const { return workgroups->seen.at(i).first; }

  uint32_t number = 0;  // of submissions
};

TEST(CommandQueue, WorkOfBothIsUnderWayAtOnce) {
  QueueBench bench;
  bench.pipeline.latency = bench.workgroups->latency = 1000;
  bench.graphics([&] { bench.draw(), bench.wait(), bench.draw(); });
  bench.compute([&] { bench.dispatch(), bench.wait(), bench.dispatch(); });
  ASSERT_TRUE(bench.end()) << bench.fault();
  EXPECT_LT(bench.dispatched(0), bench.drawn(0) + 200);
  // A barrier waits for the work of its own queue alone.
  EXPECT_GT(bench.drawn(1), bench.drawn(0) + 1000);
  EXPECT_LT(bench.drawn(1), bench.drawn(0) + 1100);
  EXPECT_GT(bench.dispatched(1), bench.dispatched(0) + 1000);
  EXPECT_LT(bench.dispatched(1), bench.dispatched(0) + 1100);
  EXPECT_GT(bench.box.queue_counters().side_by_side_cycles, 1700u);
  EXPECT_EQ(bench.box.queue_counters().compute_submissions, 1u);
  EXPECT_EQ(bench.box.ended(), kFirst + 1);
}

TEST(CommandQueue, OneQueueAloneIsNotSideBySide) {
  for (const bool draws : {false, true}) {
    QueueBench bench;
    if (draws) bench.graphics([&] { bench.draw(); });
    else bench.compute([&] { bench.dispatch(); });
    ASSERT_TRUE(bench.end()) << bench.fault();
    bench.sim.settle();
    EXPECT_EQ(bench.box.queue_counters().side_by_side_cycles, 0u) << draws;
  }
}

TEST(CommandQueue, WithoutAComputeQueueAllRunInOrder) {
  QueueBench bench({.submissions = 2});
  bench.pipeline.latency = bench.workgroups->latency = 1000;
  bench.graphics([&] { bench.draw(); });
  bench.compute([&] { bench.dispatch(); });
  ASSERT_TRUE(bench.end()) << bench.fault();
  EXPECT_GT(bench.dispatched(0), bench.drawn(0) + 1000);
}

TEST(CommandQueue, ASubmissionFollowsThoseOfTheOtherQueue) {
  for (const unsigned watched : {0u, 64u}) {
    QueueBench bench({.submissions = 4, .watched_memory = watched, .compute_queue = true});
    bench.pipeline.latency = 100, bench.workgroups->latency = 1000;
    bench.compute([&] { bench.dispatch(); });
    bench.compute([&] { bench.dispatch(); });
    bench.graphics([&] { bench.draw(); });
    bench.graphics([&] { bench.draw(); }, kFirst);
    bench.graphics([&] { bench.draw(); }, kFirst + 1);
    ASSERT_TRUE(bench.end()) << bench.fault();
    EXPECT_LT(bench.drawn(0), 400u) << watched;
    EXPECT_GT(bench.drawn(1), bench.dispatched(0) + 1000) << watched;
    EXPECT_LT(bench.drawn(1), bench.dispatched(0) + 1200) << watched;
    EXPECT_GT(bench.drawn(2), bench.dispatched(1) + 1000) << watched;
    EXPECT_GT(bench.box.queue_counters().follow_cycles, 1000u) << watched;
  }
}

// The memory that the other queue has written may be in caches: owed invalidates are carried out.
TEST(CommandQueue, ASubmissionThatFollowsEmptiesTheCaches) {
  const auto emptied = [](bool computes) {
    QueueBench bench({.submissions = 4, .watched_memory = 64, .compute_queue = true});
    bench.pipeline.latency = bench.workgroups->latency = 1000;
    const auto draws = [&] {
      bench.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheAll});
      auto state = messages::testing::plain_state();
      state->registers.color.target[0].surface =
          messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, kData);
      state->registers.color.target[0].write_mask = 15;
      bench.set(state->registers, state->registers.color);
      bench.draw();
    };
    if (computes) bench.compute([&] { bench.dispatch(); });
    bench.graphics(draws);
    bench.graphics(draws, computes ? kFirst : 0);
    EXPECT_TRUE(bench.end()) << bench.fault();
    const Cycle computed = computes ? bench.workgroups->ends.at(0) : 0;
    return std::any_of(bench.caches[1]->orders.begin(), bench.caches[1]->orders.end(),
                       [&](const auto& order) {
                         return order.second.kind == Control::Kind::kInvalidate && order.first > computed &&
                                order.first < bench.drawn(1);
                       });
  };
  EXPECT_FALSE(emptied(false));
  EXPECT_TRUE(emptied(true));
}

TEST(CommandQueue, ComputeQueueLeavesCachesOfDrawsAlone) {
  QueueBench bench;
  bench.compute([&] { bench.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheAll}); });
  ASSERT_TRUE(bench.end()) << bench.fault();
  EXPECT_EQ(bench.caches[0]->orders.size(), 0u);
  EXPECT_EQ(bench.caches[1]->orders.size(), 0u);
  EXPECT_EQ(bench.caches[2]->orders.size(), 1u);
}

// Loads, arguments and values of the two arrive where they belong.
TEST(CommandQueue, EachLoadsAndReadsForItself) {
  QueueBench bench;
  bench.loader.commands_in.peek(0);
  const uint32_t groups[] = {3, 4, 5};
  bench.memory.memory.write(kData, groups, sizeof groups);
  const uint32_t arguments[] = {6, 1, 0, 0};
  bench.memory.memory.write(kData + 64, arguments, sizeof arguments);
  std::vector<float> constants(4 * 64, 1.5f);
  bench.memory.memory.write(kData + 0x1000, constants.data(), constants.size() * 4);
  const auto load = [&](arch::Stage stage) {
    bench.commands.packet(Opcode::kLoadConstants,
                          arch::LoadPacket{static_cast<uint32_t>(stage), 0, 64, kData + 0x1000});
  };
  bench.graphics([&] {
    load(arch::Stage::kVertex);
    bench.commands.packet(Opcode::kDrawIndirect, arch::IndirectPacket{kData + 64, 1, 16, 0});
    bench.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{kData + 0x2000, uint64_t{11}});
  });
  bench.compute([&] {
    load(arch::Stage::kCompute);
    bench.commands.packet(Opcode::kDispatchIndirect, arch::DispatchIndirectPacket{kData});
    bench.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{kData + 0x2040, uint64_t{22}});
  });
  ASSERT_TRUE(bench.end()) << bench.fault();
  EXPECT_EQ(bench.pipeline.draws.at(0).second.draw.count, 6u);
  EXPECT_EQ(bench.workgroups->seen.at(0).second.dispatch.groups[2], 5u);
  const auto* draw = bench.pipeline.draws[0].second.state;
  const auto* dispatch = bench.workgroups->seen[0].second.state;
  EXPECT_NE(draw, dispatch);
  EXPECT_EQ(draw->stage[arch::Stage::kCompute].program, nullptr);
  EXPECT_EQ(dispatch->stage[arch::Stage::kVertex].program, nullptr);
  EXPECT_EQ(bench.memory.memory.read_as<uint64_t>(kData + 0x2000), 11u);
  EXPECT_EQ(bench.memory.memory.read_as<uint64_t>(kData + 0x2040), 22u);
}

// Submissions before the one at fault end, those after it do not begin.
TEST(CommandQueue, AFaultStopsLaterSubmissionsOfBoth) {
  QueueBench bench({.submissions = 4, .compute_queue = true});
  bench.workgroups->latency = 1000;
  bench.compute([&] { bench.dispatch(), bench.wait(), bench.dispatch(); });
  bench.graphics([&] { bench.commands.packet(Opcode::kFlush, ~0u); });
  bench.compute([&] { bench.dispatch(); });
  EXPECT_FALSE(bench.end());
  ASSERT_TRUE(bench.box.fault());
  EXPECT_EQ(bench.box.fault()->submission, kFirst + 1);
  EXPECT_EQ(bench.workgroups->ends.size(), 2u);
}

TEST(CommandQueue, AFaultOfAnEarlierSubmissionCounts) {
  QueueBench bench({.submissions = 4, .compute_queue = true});
  bench.workgroups->latency = 1000;
  bench.compute([&] { bench.dispatch(), bench.wait(), bench.draw(); });
  bench.graphics([&] { bench.commands.packet(Opcode::kFlush, ~0u); });
  EXPECT_FALSE(bench.end());
  ASSERT_TRUE(bench.box.fault());
  EXPECT_EQ(bench.box.fault()->submission, kFirst);
  EXPECT_THAT(bench.fault(), ::testing::HasSubstr("not in the compute queue"));
}

TEST(CommandQueue, TheEndOfAllIsThatOfTheOldest) {
  QueueBench bench({.submissions = 4, .compute_queue = true});
  bench.workgroups->latency = 1000;
  bench.compute([&] { bench.dispatch(); });
  bench.graphics([&] { bench.draw(); });
  bench.sim.run(bench.clock, 500);
  EXPECT_EQ(bench.box.ended(), kFirst - 1);
  EXPECT_TRUE(bench.box.accepts(0, kGraphics));
  ASSERT_TRUE(bench.end()) << bench.fault();
  EXPECT_EQ(bench.box.ended(), kFirst + 1);
}

}  // namespace
}  // namespace cutaway::boxes::command_queue_test
