#include "boxes/host/host.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"

namespace cutaway::boxes::host_test {
namespace {

using engine::Cycle;
using engine::testing::Source;
using messages::Fence;

// A clock of 500 MHz: 2 ns are a cycle.
struct Bench {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  Host& host;
  HostProgram& program;

  // Fences leave at cycle 40, 70, ..., and arrive in the next.
  // shown: pictures that come to the screen at cycle 51, 151, ...
  explicit Bench(const HostSpec& spec, std::vector<Fence> fences = {}, std::vector<Fence> shown = {},
                 unsigned programs = 1)
      : host(sim.add<Host>(clock, "host", spec, 500, 1, programs)), program(host.program()) {
    auto& source = sim.add<Source<Fence>>(clock, "gpu", std::move(fences), 30, 40);
    sim.connect(source.out, host.fences_in, {1, 1, 2});
    auto& screen = sim.add<Source<Fence>>(clock, "screen", std::move(shown), 100, 50);
    sim.connect(screen.out, host.shown_in, {1, 1, 2});
    sim.elaborate();
  }
  // The cycle after which the host is done.
  Cycle done() {
    EXPECT_TRUE(sim.run_until([&] { return program.done(); }, clock, 100000));
    return clock.now();
  }
};

TEST(Host, ComputesForTheRecordedTime) {
  for (const auto& [cpu, cycles] : {std::pair(1.0, 500u), {2.0, 250u}, {0.5, 1000u}, {3.0, 167u}}) {
    Bench bench({.cpu = cpu});
    bench.program.compute(1000);
    EXPECT_EQ(bench.done(), cycles);
    EXPECT_EQ(bench.program.counters.computed, cycles);
    bench.sim.settle();
    EXPECT_EQ(bench.host.account().busy, cycles);
    EXPECT_EQ(bench.program.counters.alone, cycles);
  }
}

TEST(Host, GoesOnFromWhereItWasIfItIsToldLate) {
  Bench bench({.cpu = 1});
  bench.program.compute(200);
  EXPECT_EQ(bench.done(), 100u);
  bench.sim.run(bench.clock, 30);
  bench.program.compute(200);
  EXPECT_EQ(bench.done(), 200u);
  bench.sim.run(bench.clock, 500);
  bench.program.compute(200);
  EXPECT_TRUE(bench.program.done()) << "it has computed that meanwhile";
  EXPECT_EQ(bench.program.counters.computed, 300u);
}

// The second fence leaves at 70 and is taken at 71.
TEST(Host, WaitsForTheEndOfASubmission) {
  Bench bench({.cpu = 1}, {{4}, {5}});
  bench.program.hand_over(4, false), bench.program.hand_over(5, false);
  bench.program.compute(20);
  EXPECT_EQ(bench.done(), 10u);
  bench.program.await(5);
  EXPECT_EQ(bench.done(), 71u);
  bench.program.compute(20);
  EXPECT_EQ(bench.done(), 81u);
  bench.sim.settle();
  EXPECT_EQ(bench.host.account().starved_by("gpu"), 59u) << "11 to 70, but for 41, when a fence came";
  EXPECT_EQ(bench.program.counters.waits, 1u);
}

// The fence is taken at 41; two microseconds are 1000 cycles. A fence that came before the wait wakes nobody.
TEST(Host, IsInterruptedBehindTheFenceItWaitsFor) {
  Bench bench({.cpu = 1, .interrupt_us = 2}, {{4}});
  bench.program.hand_over(4, false);
  bench.program.await(4);
  EXPECT_EQ(bench.done(), 41u + 1000);
  EXPECT_EQ(bench.program.counters.interrupts, 1000u);
  bench.program.await(4);
  EXPECT_TRUE(bench.program.done());
  bench.program.compute(20);
  EXPECT_EQ(bench.done(), 1041u + 10);
  EXPECT_EQ(bench.program.counters.computed, 10u);
  bench.sim.settle();
  EXPECT_EQ(bench.program.counters.alone, 10u);
}

// At cycle 10 it has computed; the fence of 41 came while nobody told it to wait.
TEST(Host, AWaitThatCameLateEndsWithItsFence) {
  Bench bench({.cpu = 1}, {{4}});
  bench.program.hand_over(4, false);
  bench.program.compute(20);
  bench.done();
  bench.sim.run(bench.clock, 90);
  bench.program.await(4);
  EXPECT_TRUE(bench.program.done());
  bench.program.compute(200);
  EXPECT_EQ(bench.done(), 41u + 100);
}

TEST(Host, DoesNotWaitForWhatWasNeverHandedOver) {
  Bench bench({.cpu = 1}, {{7}});
  bench.program.await(3);
  EXPECT_TRUE(bench.program.done());
  bench.program.hand_over(7, false);
  for (const uint64_t before : {6, 1, 0}) {
    bench.program.await(before);
    EXPECT_TRUE(bench.program.done()) << before;
  }
  bench.program.await(1000);
  EXPECT_EQ(bench.done(), 41u) << "the last that was";
}

TEST(Host, WaitsForRoomUntilItHandsOver) {
  Bench bench({.cpu = 1});
  bench.program.compute(20);
  bench.done();
  bench.program.await_room();
  bench.sim.run(bench.clock, 50);
  EXPECT_FALSE(bench.program.done());
  bench.program.hand_over(1, false);
  EXPECT_TRUE(bench.program.done());
  bench.program.compute(20);
  EXPECT_EQ(bench.done(), 60u + 10);
  bench.sim.settle();
  EXPECT_EQ(bench.host.account().starved_by("gpu"), 50u);
}

TEST(Host, PresentsOfMoreFramesThanMayBeInFlightWait) {
  const auto awaited = [](unsigned frames) {
    Bench bench({.cpu = 1, .frames_in_flight = frames});
    std::vector<uint64_t> waits;
    for (uint64_t submission = 1; submission <= 12; submission++)
      if (const uint64_t wait = bench.program.hand_over(submission, submission % 3 == 0))
        waits.push_back(wait);
    return waits;
  };
  EXPECT_EQ(awaited(0), (std::vector<uint64_t>{3, 6, 9, 12}));
  EXPECT_EQ(awaited(1), (std::vector<uint64_t>{3, 6, 9}));
  EXPECT_EQ(awaited(3), (std::vector<uint64_t>{3}));
  EXPECT_EQ(awaited(4), (std::vector<uint64_t>{}));
}

// The presents of two frames find others in flight whose ends came at 41 and 71: the host goes on from there.
TEST(Host, FramesThatHaveEndedAreAwaitedInThePast) {
  for (const auto& [presents, ended] : {std::pair(2u, 0u), {3u, 41u}, {4u, 71u}}) {
    Bench bench({.cpu = 1, .frames_in_flight = 2}, {{1}, {2}});
    bench.program.hand_over(1, true), bench.program.hand_over(2, true);
    bench.sim.run(bench.clock, 300);
    for (uint64_t frame = 3; frame <= presents; frame++) EXPECT_EQ(bench.program.hand_over(frame, true), 0u);
    bench.program.compute(2000);
    EXPECT_EQ(bench.done(), ended + 1000) << presents;
  }
}

// Computes from 1 to 100; the GPU has a submission until 41.
TEST(Host, CountsItsTimeBesideAnIdleGpu) {
  Bench bench({.cpu = 1}, {{1}});
  bench.program.hand_over(1, false);
  bench.program.compute(200);
  bench.done();
  bench.sim.settle();
  EXPECT_EQ(bench.program.counters.computed, 100u);
  EXPECT_EQ(bench.program.counters.alone, 100u - 40);
}

// Each on a core of its own: fences of 40 and 70, which arrive in the next cycle, are of one program each.
TEST(Host, RunsProgramsSideBySide) {
  Bench bench({.cpu = 1}, {{4, 1}, {4, 0}}, {}, 2);
  HostProgram &first = bench.host.program(0), &second = bench.host.program(1);
  first.hand_over(4, false), second.hand_over(4, false);
  first.compute(60), second.compute(40);
  EXPECT_EQ(bench.done(), 30u);
  EXPECT_TRUE(second.done()) << "since cycle 20";
  first.await(4), second.await(4);
  bench.sim.run(bench.clock, 11);
  EXPECT_TRUE(second.done()) << "its fence was taken at 41";
  second.compute(200);
  EXPECT_EQ(bench.done(), 71u);
  bench.sim.run(bench.clock, 69);
  EXPECT_TRUE(second.computes());
  bench.sim.run(bench.clock, 1);
  EXPECT_TRUE(second.done()) << "141 are 41 and 100";
  bench.sim.settle();
  EXPECT_EQ(first.counters.computed + second.counters.computed, 30u + 20 + 100);
  EXPECT_EQ(second.counters.alone, 100u);
  EXPECT_EQ(first.counters.alone, 0u);
}

// After 50 of 100 cycles the GPU is reset: the others are left, and a fence of 41 is of before.
TEST(Host, GoesOnAfterAReset) {
  Bench before({.cpu = 1, .frames_in_flight = 1}, {{4}});
  before.program.hand_over(4, true);
  before.program.compute(200);
  before.sim.run(before.clock, 50);
  Bench after({.cpu = 1, .frames_in_flight = 1});
  after.program.take_over(before.program);
  EXPECT_EQ(after.done(), 50u);
  EXPECT_EQ(before.program.counters.computed, 100u);
  EXPECT_EQ(after.program.counters.computed, 0u) << "it was counted before";
  after.program.await(4);
  EXPECT_TRUE(after.program.done()) << "it has ended";
  EXPECT_EQ(after.program.hand_over(5, true), 0u) << "so has the frame before";
}

// Its frame began at 0, and its picture is on the screen 51 cycles after the reset.
TEST(Host, CountsTheTimeToTheScreenOverAReset) {
  Bench before({.cpu = 1});
  before.program.compute(20);
  before.done();
  before.program.hand_over(4, true);
  before.sim.run(before.clock, 50);
  Bench after({.cpu = 1}, {}, {{4}});
  after.program.take_over(before.program);
  after.sim.run(after.clock, 100);
  EXPECT_EQ(after.program.counters.shown, 1u);
  EXPECT_EQ(after.program.counters.latency, 10u + 50 + 51);
}

// The first frame begins at 0, the second when the first has been handed over. A picture of before counts
// not.
TEST(Host, CountsTheTimeFromAFramesBeginToTheScreen) {
  Bench bench({.cpu = 1, .frames_in_flight = 2}, {}, {{3}, {5}, {7}});
  bench.program.compute(20);
  bench.done();
  bench.program.hand_over(4, false);
  bench.program.compute(20);
  bench.done();
  bench.program.hand_over(5, true);  // at 20
  bench.program.compute(20);
  bench.done();
  bench.program.hand_over(7, true);
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.program.counters.shown, 2u);
  EXPECT_EQ(bench.program.counters.latency, 151u + (251 - 20));
}

}  // namespace
}  // namespace cutaway::boxes::host_test
