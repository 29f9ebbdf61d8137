// Submissions: fetch, faults, counters and accounts.
#include "boxes/command_processor/bench_for_test.h"

namespace cutaway::boxes::command_processor_test {
namespace {

using namespace testing;
using ::testing::HasSubstr;

TEST(CommandProcessor, RunsCallsAndReturns) {
  Bench bench;
  arch::CommandWriter inner, outer;
  inner.packet(Opcode::kDraw, arch::DrawPacket{5, 1, 0, 0});
  bench.memory.memory.write(kData, inner.commands().data(), inner.commands().size() * 4);
  outer.packet(Opcode::kCall, arch::CallPacket{kData, static_cast<uint32_t>(inner.commands().size())});
  outer.packet(Opcode::kDraw, arch::DrawPacket{6, 1, 0, 0});
  bench.memory.memory.write(kData + 0x104, outer.commands().data(), outer.commands().size() * 4);
  bench.commands.packet(Opcode::kCall,
                        arch::CallPacket{kData + 0x104, static_cast<uint32_t>(outer.commands().size())});
  bench.commands.packet(Opcode::kDraw, arch::DrawPacket{7, 1, 0, 0});
  ASSERT_TRUE(bench.run()) << bench.fault();
  ASSERT_EQ(bench.pipeline.draws.size(), 3u);
  for (uint32_t i = 0; i < 3; i++) EXPECT_EQ(bench.pipeline.draws[i].second.draw.count, 5 + i);
}

// Packets have one word each. Once they are there, a cycle takes as many words as declared.
TEST(CommandProcessor, TakesWordsPerCycleAsDeclared) {
  for (unsigned rate : {1u, 4u, 16u}) {
    const auto time = [&](uint32_t packets) {
      Bench bench({.words_per_cycle = rate, .prefetch = 64});
      for (uint32_t i = 0; i < packets; i++) bench.commands.packet(Opcode::kNop);
      EXPECT_TRUE(bench.run());
      return bench.clock.now();
    };
    EXPECT_EQ(time(1600) - time(800), std::max(800u / rate, 800u / 16)) << rate;
  }
}

TEST(CommandProcessor, FetchesSectorsAheadAsDeclared) {
  for (unsigned sectors : {1u, 3u, 8u}) {
    Bench bench({.prefetch = sectors});
    bench.memory.latency = 100'000;
    for (int i = 0; i < 400; i++) bench.commands.packet(Opcode::kNop);
    bench.start();
    bench.sim.run(bench.clock, 300);
    EXPECT_EQ(bench.memory.reads, sectors);
    EXPECT_GT(messages::testing::account_of(bench.sim, bench.box).starved_by("memory"), 250u);
  }
}

// A submission begins when its doorbell has arrived, and its commands are not fetched before.
TEST(CommandProcessor, WaitsForTheDoorbell) {
  Bench bench({}, {}, {}, {}, false, {{7}}, 300);
  bench.draw();
  bench.start();
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.memory.reads, 0u);
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.box).starved_by("host"), 290u);
  EXPECT_EQ(bench.box.oldest_work_in(), bench.host);
  bench.sim.run(bench.clock, 302);
  EXPECT_TRUE(bench.sim.run_until([&] { return bench.box.finished(); }, bench.clock, 20000));
  EXPECT_GT(bench.pipeline.draws[0].first, 300u);
}

// The doorbell of one submission is none of the next.
TEST(CommandProcessor, WaitsForTheDoorbellOfEachSubmission) {
  Bench bench({}, {}, {}, {}, false, {{7}});
  bench.draw();
  EXPECT_TRUE(bench.run()) << bench.fault();
  bench.id = 8;
  bench.commands.take(), bench.state(), bench.draw();
  EXPECT_FALSE(bench.run());
  EXPECT_EQ(bench.pipeline.draws.size(), 1u);
  bench.host->messages.push_back({8});
  bench.host->wake();
  EXPECT_TRUE(bench.sim.run_until([&] { return bench.box.finished(); }, bench.clock, 20000));
  EXPECT_EQ(bench.pipeline.draws.size(), 2u);
}

TEST(CommandProcessor, CountsPacketsWordsDrawsAndOrders) {
  Bench bench;
  const CommandProcessorCounters before = bench.box.counters;
  bench.draw(), bench.draw();
  bench.mark(5), bench.draw();
  bench.commands.packet(Opcode::kFlush, uint32_t{arch::kCacheColor});
  bench.commands.packet(Opcode::kFlush, uint32_t{arch::kCacheTexture});
  bench.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheAll});
  const auto words = static_cast<uint64_t>(bench.commands.commands().size());
  ASSERT_TRUE(bench.run()) << bench.fault();
  const CommandProcessorCounters& counters = bench.box.counters;
  EXPECT_EQ(counters.words - before.words, words);
  EXPECT_EQ(counters.draws, 3u);
  EXPECT_EQ(counters.state_changes, 2u);
  EXPECT_EQ(counters.flushes, 2u);
  EXPECT_EQ(counters.invalidates, 1u);
  // With the state and the program that the bench sends: two and one.
  EXPECT_EQ(counters.packets, 3u + 3 + 1 + 3);
}

TEST(CommandProcessor, FaultNamesThePacket) {
  const auto fault = [](auto&& write) {
    Bench bench;
    bench.commands.take();  // without the program
    write(bench);
    EXPECT_FALSE(bench.run());
    EXPECT_TRUE(bench.box.fault());
    if (bench.box.fault()) {
      EXPECT_EQ(bench.box.fault()->submission, 7u);
      EXPECT_EQ(bench.box.fault()->address, kCommands + 4);
    }
    return bench.fault();
  };
  const auto nop = [](Bench& b) { b.commands.packet(Opcode::kNop); };
  EXPECT_THAT(fault([&](Bench& b) { nop(b), b.commands.packet(static_cast<Opcode>(99)); }),
              HasSubstr("packet: unknown header 63000000"));
  EXPECT_THAT(fault([&](Bench& b) { nop(b), b.commands.packet(Opcode::kDraw, uint32_t{1}); }),
              HasSubstr("DRAW"));
  EXPECT_THAT(fault([&](Bench& b) { nop(b), b.draw(); }), HasSubstr("vertex program"));
  EXPECT_THAT(
      fault([&](Bench& b) {
        nop(b), b.commands.packet(Opcode::kSetRegisters, std::array<uint32_t, 2>{arch::kRegisterWords, 0});
      }),
      HasSubstr("registers"));
  EXPECT_THAT(fault([&](Bench& b) {
                nop(b);
                b.commands.packet(Opcode::kLoadConstants, arch::LoadPacket{0, arch::kConstants, 1, kData});
              }),
              HasSubstr("LOAD_CONSTANTS"));
  EXPECT_THAT(fault([&](Bench& b) {
                nop(b);
                b.commands.packet(Opcode::kWaitValue, arch::WaitValuePacket{kData, 1});
              }),
              HasSubstr("WAIT_VALUE"));
  EXPECT_THAT(fault([&](Bench& b) {
                nop(b), b.commands.packet(Opcode::kWaitValue, arch::WaitValuePacket{kData + 4, 1});
              }),
              HasSubstr("multiple of 8"));
  EXPECT_THAT(fault([&](Bench& b) {
                nop(b), b.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{kData + 4, 1});
              }),
              HasSubstr("multiple of 8"));
  EXPECT_THAT(fault([&](Bench& b) {
                nop(b), b.commands.packet(Opcode::kDispatch, arch::DispatchPacket{{1, 1, 1}, {}});
              }),
              HasSubstr("DISPATCH"));
}

TEST(CommandProcessor, RefusesPacketBeyondTheEndOfItsCommands) {
  Bench bench;
  bench.draw();
  std::vector<uint32_t> words = bench.commands.take();
  words.pop_back();
  bench.memory.memory.write(kCommands, words.data(), words.size() * 4);
  bench.box.submit({.id = 1, .commands = kCommands, .words = static_cast<uint32_t>(words.size())});
  bench.sim.run(bench.clock, 2000);
  EXPECT_THAT(bench.fault(), HasSubstr("DRAW: the packet reaches beyond the end of the commands"));
}

TEST(CommandProcessor, BlamesPipelineAndCachesForWaits) {
  const auto account = [](auto&& slow_down) {
    Bench bench;
    slow_down(bench);
    bench.draw();
    bench.commands.packet(Opcode::kFlush, uint32_t{arch::kCacheColor});
    EXPECT_TRUE(bench.run());
    return messages::testing::account_of(bench.sim, bench.box);
  };
  const auto plain = account([](Bench&) {});
  EXPECT_EQ(account([](Bench& b) { b.pipeline.latency += 33; }).starved_by("pipeline"),
            plain.starved_by("pipeline") + 33);
  EXPECT_EQ(account([](Bench& b) { b.caches[1]->latency += 33; }).starved_by("cache1"),
            plain.starved_by("cache1") + 33);
}

TEST(CommandProcessor, BlamesCopyEngineForWaits) {
  const auto account = [](Cycle latency) {
    Bench bench;
    bench.copies.latency = latency;
    bench.commands.packet(Opcode::kCopyBuffer, arch::CopyBufferPacket{kData, kData + 64, 64});
    bench.commands.packet(Opcode::kWaitIdle);
    EXPECT_TRUE(bench.run());
    return messages::testing::account_of(bench.sim, bench.box);
  };
  EXPECT_EQ(account(120).starved_by("copies") - account(80).starved_by("copies"), 40u);
}

}  // namespace
}  // namespace cutaway::boxes::command_processor_test
