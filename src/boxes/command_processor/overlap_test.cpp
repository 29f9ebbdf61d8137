// Submissions that overlap: barriers are owed until work needs them, and commands are fetched ahead.
#include "boxes/command_processor/bench_for_test.h"

namespace cutaway::boxes::overlap_test {
namespace {

using namespace testing;

constexpr CommandProcessorSpec kOverlaps{.submissions = 4, .watched_memory = 64};
constexpr uint64_t kFirst = 7;

// Submits what has been written, `number` submissions after the first.
void submit(Bench& bench, uint32_t number) {
  const std::vector<uint32_t> words = bench.commands.take();
  const arch::Address at = kCommands + number * 0x1000u;
  bench.memory.memory.write(at, words.data(), words.size() * 4);
  bench.box.submit({.id = kFirst + number, .commands = at, .words = static_cast<uint32_t>(words.size())});
  bench.state();
}

bool run(Bench& bench) {
  return bench.sim.run_until([&] { return bench.box.finished() || bench.box.fault(); }, bench.clock, 20000) &&
         !bench.box.fault();
}

void target(Bench& bench, arch::Address at) {
  auto state = messages::testing::plain_state();
  auto& color = state->registers.color.target[0];
  color.surface = messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, at);
  color.write_mask = 15;
  bench.set(state->registers, state->registers.color);
}

void depth(Bench& bench, arch::Address at) {
  auto state = messages::testing::plain_state();
  state->registers.depth.surface = messages::testing::surface(arch::Format::D32_SFLOAT, 64, 64, at);
  bench.set(state->registers, state->registers.depth);
}

// As the driver begins and ends submissions.
void begin(Bench& bench) { bench.commands.packet(Opcode::kInvalidate, uint32_t{arch::kCacheAll}); }
void end(Bench& bench) {
  bench.commands.packet(Opcode::kFlush, uint32_t{arch::kCacheColor | arch::kCacheDepth});
  bench.commands.packet(Opcode::kWaitIdle);
}

// Two submissions of a draw each; the cycle in which the second's leaves after the first's.
Cycle between_draws(Bench& bench, const std::function<void(Bench&)>& first,
                    const std::function<void(Bench&)>& second) {
  bench.pipeline.latency = 1000;
  for (uint32_t i = 0; i < 2; i++) {
    begin(bench);
    (i ? second : first)(bench);
    bench.draw();
    end(bench);
    submit(bench, i);
  }
  EXPECT_TRUE(run(bench)) << bench.fault();
  EXPECT_EQ(bench.pipeline.draws.size(), 2u);
  return bench.pipeline.draws[1].first - bench.pipeline.draws[0].first;
}

const auto kColorAt = [](arch::Address at) { return [at](Bench& bench) { target(bench, at); }; };
const auto kDepthAt = [](arch::Address at) { return [at](Bench& bench) { depth(bench, at); }; };

TEST(Overlap, ASubmissionBeginsWhileDrawsAreUnderWay) {
  Bench bench(kOverlaps);
  EXPECT_LT(between_draws(bench, kColorAt(kData), kColorAt(kData)), 400u);
  // One flush at the end, behind the last draw.
  for (const size_t cache : {0u, 1u}) {
    ASSERT_EQ(bench.caches[cache]->orders.size(), 2u);
    EXPECT_EQ(bench.caches[cache]->orders[0].second.kind, Control::Kind::kFlush);
    EXPECT_GT(bench.caches[cache]->orders[0].first, bench.pipeline.draws[1].first + 1000);
  }
  EXPECT_EQ(bench.box.ended(), kFirst + 1);
  EXPECT_EQ(bench.box.counters.overlapped_submissions, 1u);
  EXPECT_EQ(bench.box.counters.owed_barriers, 1u);
}

TEST(Overlap, CommandsAreFetchedBehindTheirDoorbell) {
  Bench bench(kOverlaps, {}, {}, {}, false, {{kFirst}});
  bench.pipeline.latency = 1000;
  for (uint32_t i = 0; i < 2; i++) bench.draw(), submit(bench, i);
  const auto fetched = [&] {
    const auto& seen = bench.memory.seen;
    return std::count_if(seen.begin(), seen.end(), [](const auto& request) {
      return request.second.address >= kCommands + 0x1000 && request.second.address < kProgram;
    });
  };
  bench.sim.run(bench.clock, 500);
  EXPECT_EQ(fetched(), 0);
  bench.host->messages.push_back({kFirst + 1}), bench.host->wake();
  bench.sim.run(bench.clock, 100);
  EXPECT_GT(fetched(), 0);
  EXPECT_TRUE(run(bench)) << bench.fault();
}

TEST(Overlap, ASubmissionWaitsForMemoryThatItUsesOtherwise) {
  Bench bench(kOverlaps);
  EXPECT_GT(between_draws(bench, kColorAt(kData), kDepthAt(kData + 0x1000)), 1040u);
  // Written back, then emptied, between the draws.
  ASSERT_GE(bench.caches[1]->orders.size(), 2u);
  EXPECT_EQ(bench.caches[1]->orders[0].second.kind, Control::Kind::kFlush);
  EXPECT_EQ(bench.caches[1]->orders[1].second.kind, Control::Kind::kInvalidate);
  EXPECT_GT(bench.caches[1]->orders[0].first, bench.pipeline.draws[0].first + 1000);
  EXPECT_LT(bench.caches[1]->orders[1].first + 20, bench.pipeline.draws[1].first);
}

TEST(Overlap, WithoutWatchedMemoryASubmissionWaitsForTheOneBefore) {
  Bench bench({.submissions = 4});
  EXPECT_GT(between_draws(bench, kColorAt(kData), kColorAt(kData)), 1000u);
}

TEST(Overlap, BarriersInsideASubmissionAreOwedToo) {
  const auto second_draw = [](arch::Address at) {
    Bench bench(kOverlaps);
    bench.pipeline.latency = 1000;
    target(bench, kData);
    bench.draw();
    end(bench);
    begin(bench);
    bench.commands.packet(Opcode::kNop);
    target(bench, 0);
    depth(bench, at);
    bench.draw();
    submit(bench, 0);
    EXPECT_TRUE(run(bench)) << bench.fault();
    return bench.pipeline.draws[1].first - bench.pipeline.draws[0].first;
  };
  EXPECT_LT(second_draw(kData + 0x8000), 400u);
  EXPECT_GT(second_draw(kData), 1000u);
}

TEST(Overlap, HostWritesIntoUsedMemoryEmptyTheCaches) {
  const auto emptied = [](arch::Address written) {
    Bench bench(kOverlaps);
    bench.pipeline.latency = 1000;
    target(bench, kData);
    bench.draw();
    end(bench);
    submit(bench, 0);
    bench.sim.run_until([&] { return !bench.pipeline.draws.empty(); }, bench.clock, 20000);
    bench.box.host_wrote({written, written + 4});
    begin(bench);
    target(bench, kData);
    bench.draw();
    submit(bench, 1);
    EXPECT_TRUE(run(bench)) << bench.fault();
    return bench.pipeline.draws[1].first - bench.pipeline.draws[0].first > 1000;
  };
  EXPECT_TRUE(emptied(kData));
  EXPECT_FALSE(emptied(kData + 0x8000));
}

// The orders before a draw are over when it leaves: its own reads need an INVALIDATE after it.
TEST(Overlap, ADrawFinishesTheBarriersThatItBegins) {
  Bench bench(kOverlaps);
  const auto submit_draw = [&](uint32_t number) {
    begin(bench);
    target(bench, kData);
    bench.draw();
    end(bench);
    submit(bench, number);
  };
  submit_draw(0);
  bench.sim.run_until([&] { return !bench.pipeline.draws.empty(); }, bench.clock, 20000);
  for (const uint32_t number : {1u, 2u}) {
    bench.box.host_wrote({kData, kData + 4});
    submit_draw(number);
    ASSERT_TRUE(run(bench)) << bench.fault();
  }
  ASSERT_EQ(bench.pipeline.draws.size(), 3u);
  for (const uint32_t draw : {1u, 2u}) {
    const auto is_between = [&](const auto& order) {
      return order.second.kind == Control::Kind::kInvalidate &&
             order.first > bench.pipeline.draws[draw - 1].first &&
             order.first < bench.pipeline.draws[draw].first;
    };
    for (const size_t cache : {0u, 1u})
      EXPECT_EQ(
          std::count_if(bench.caches[cache]->orders.begin(), bench.caches[cache]->orders.end(), is_between),
          1)
          << draw;
  }
}

TEST(Overlap, OtherPacketsWaitForOwedBarriers) {
  Bench bench(kOverlaps);
  bench.pipeline.latency = 1000;
  target(bench, kData);
  bench.draw();
  end(bench);
  submit(bench, 0);
  bench.commands.packet(Opcode::kFillBuffer, arch::FillBufferPacket{kData + 0x9000, 64, 1});
  submit(bench, 1);
  ASSERT_TRUE(run(bench)) << bench.fault();
  ASSERT_EQ(bench.copies.orders.size(), 1u);
  EXPECT_GT(bench.copies.orders[0].first, bench.caches[1]->orders[0].first + 20);
}

// Submits three long draws. waits: the host waits for the first.
void submit_three(Bench& bench, bool waits) {
  bench.pipeline.latency = 300;
  for (uint32_t i = 0; i < 3; i++) {
    target(bench, kData);
    bench.draw();
    end(bench);
    submit(bench, i);
  }
  if (waits) bench.box.await(kFirst);
}

// The host sees the end of a submission although others follow.
TEST(Overlap, AHostThatWaitsMakesASubmissionEnd) {
  const auto end_of_first = [](bool waits) {
    Bench bench(kOverlaps);
    submit_three(bench, waits);
    EXPECT_TRUE(bench.sim.run_until([&] { return bench.box.ended() >= kFirst; }, bench.clock, 20000));
    return bench.pipeline.ended;
  };
  EXPECT_EQ(end_of_first(true), 1u);
  EXPECT_EQ(end_of_first(false), 3u);
}

// A query of a submission counts its own draws. Numbers of draws in messages count on.
TEST(Overlap, CountsBelongToTheirSubmission) {
  Bench bench(kOverlaps);
  bench.pipeline.latency = 500;
  for (uint32_t i = 0; i < 2; i++) {
    bench.draw();
    if (i) {
      bench.commands.packet(Opcode::kWriteQuery,
                            arch::QueryPacket{static_cast<uint32_t>(arch::QueryKind::kStatistics), kData,
                                              static_cast<uint32_t>(arch::QueryPoint::kValues)});
    }
    end(bench);
    submit(bench, i);
  }
  ASSERT_TRUE(run(bench)) << bench.fault();
  uint64_t vertices = 0;
  bench.memory.memory.read(kData, &vertices, sizeof vertices);
  EXPECT_EQ(vertices, 3u);
  EXPECT_LT(bench.pipeline.draws[1].first, bench.pipeline.draws[0].first + 500);
  EXPECT_EQ(bench.pipeline.draws[1].second.origin.draw, 2u);
  EXPECT_EQ(bench.box.draw_in_submission(bench.pipeline.draws[1].second.origin), 1u);
}

TEST(Overlap, AFaultBelongsToItsSubmission) {
  Bench bench(kOverlaps);
  bench.pipeline.latency = 500;
  bench.draw();
  submit(bench, 0);
  bench.commands.packet(static_cast<Opcode>(99));
  submit(bench, 1);
  EXPECT_FALSE(run(bench));
  ASSERT_TRUE(bench.box.fault());
  EXPECT_EQ(bench.box.fault()->submission, kFirst + 1);
}

// Memory answers after `latency` cycles: once for the ring, once for the commands that it calls, and once
// more after the return, unless they are fetched ahead.
TEST(Overlap, CommandsAreFetchedThroughCallsAhead) {
  const auto cycles = [](const CommandProcessorSpec& spec) {
    Bench bench(spec);
    constexpr uint32_t kSubmissions = 4;
    bench.commands.take();
    for (uint32_t i = 0; i < kSubmissions; i++) {
      const arch::Address called = kData + i * 0x1000u;
      bench.commands.packet(Opcode::kNop);
      const std::vector<uint32_t> words = bench.commands.take();
      bench.memory.memory.write(called, words.data(), words.size() * 4);
      bench.commands.packet(Opcode::kCall, arch::CallPacket{called, static_cast<uint32_t>(words.size())});
      bench.commands.packet(Opcode::kNop);
      submit(bench, i);
      bench.commands.take();
      EXPECT_TRUE(spec.submissions > 1 || run(bench));
    }
    EXPECT_TRUE(run(bench)) << bench.fault();
    return bench.clock.now();
  };
  // Ten cycles of memory and two wires.
  constexpr Cycle kRead = 12;
  EXPECT_GE(cycles({}), 4 * 3 * kRead);
  EXPECT_LE(cycles({.submissions = 4}), 2 * kRead + 4 * 8);
}

// Commands that a copy writes before their CALL are fetched after it.
TEST(Overlap, CommandsThatTheGpuWritesAreFetchedAnew) {
  Bench bench(kOverlaps);
  const arch::Address called = kData + 0x2000;
  const uint32_t illegal = 99u << 24;
  bench.memory.memory.write(called, &illegal, 4);
  for (uint32_t i = 0; i < 100; i++) bench.commands.packet(Opcode::kNop);
  bench.commands.packet(Opcode::kWriteValue, arch::WriteValuePacket{called, 0});
  bench.commands.packet(Opcode::kCall, arch::CallPacket{called, 1});
  submit(bench, 0);
  EXPECT_TRUE(run(bench)) << bench.fault();
}

// A host that waits for the first is told of it alone; without it all three end together.
TEST(Overlap, AFenceTellsOfAllThatHasEnded) {
  for (const bool waits : {false, true}) {
    Bench bench(kOverlaps);
    submit_three(bench, waits);
    EXPECT_TRUE(run(bench)) << bench.fault();
    const Cycle ended = bench.clock.now();
    bench.sim.run(bench.clock, 10);
    std::vector<uint64_t> told;
    for (const auto& [cycle, fence] : bench.fences.received) told.push_back(fence.submission);
    EXPECT_EQ(told, waits ? (std::vector{kFirst, kFirst + 2}) : (std::vector{kFirst + 2}));
    EXPECT_EQ(bench.fences.received.back().first, ended + 2) << "sent in the next cycle";
  }
}

}  // namespace
}  // namespace cutaway::boxes::overlap_test
