#include "boxes/memory_controller/fr_fcfs.h"

#include <gtest/gtest.h>

#include "boxes/memory_controller/bench_for_test.h"

namespace cutaway::boxes {
namespace {

using namespace memory_bench;
using Front = ChannelScheduler::Front;
using Kind = Front::Kind;

// Memory whose row 1 is open, and whose bus carries reads without a turn.
class Rows final : public DramChannel {
 public:
  Rows() : DramChannel({}) {}
  Outlook outlook(Cycle now, uint64_t address, bool write) const override {
    const bool open = address / 1024 == 1;
    return {open, now + (open ? 0 : 30) + (write ? 6 : 0)};
  }
  Cycle serve(Cycle now, uint64_t, bool, uint32_t) override { return now; }
};

TEST(FrFcfs, OpenRowsComeFirstThenThoseThatBeginFirstThenTheOldest) {
  Rows rows;
  FrFcfs scheduler(8, 100, rows);
  scheduler.arrived(0, {Kind::kRead, 1, 0});
  scheduler.arrived(1, {Kind::kRead, 2, 4096});
  scheduler.arrived(2, {Kind::kWrite, 3, 1024});
  scheduler.arrived(5, {Kind::kRead, 6, 1088});
  scheduler.arrived(4, {Kind::kRead, 6, 1152});
  scheduler.arrived(3, {Kind::kRead, 7, 1024});
  for (const unsigned expected : {4u, 5u, 3u, 2u, 0u, 1u}) {
    ASSERT_EQ(scheduler.pick(10), expected);
    scheduler.served(expected, expected == 2, {});
  }
}

// The oldest is passed over as often as declared, then served; then the count begins anew.
TEST(FrFcfs, NobodyIsPassedOverForever) {
  Rows rows;
  for (const unsigned most : {0u, 1u, 5u}) {
    FrFcfs scheduler(3, most, rows);
    scheduler.arrived(0, {Kind::kRead, 1, 0});
    scheduler.arrived(1, {Kind::kRead, 2, 1024});
    scheduler.arrived(2, {Kind::kRead, 3, 8192});
    Cycle now = 10;
    for (const unsigned starved : {0u, 2u}) {
      for (unsigned i = 0; i < most; i++) {
        ASSERT_EQ(scheduler.pick(now), 1u) << most;
        scheduler.served(1, false, {Kind::kRead, ++now, 1024});
      }
      // With none passed over, the reader of the open row is older than client 2 for a while.
      if (most == 0 && starved == 2) scheduler.served(1, false, {Kind::kRead, ++now, 1024});
      ASSERT_EQ(scheduler.pick(now), starved) << most;
      scheduler.served(starved, false, {});
    }
  }
}

// Of simple memory all rows are open: transactions keep the direction of the bus.
TEST(FrFcfs, KeepsTheDirectionOfABusWithoutRows) {
  MemoryControllerSpec spec = kSpec;
  spec.scheduler = MemoryScheduler::kFrFcfs;
  Bench bench(spec, {{read(0), read(0)}, {write(64, 1), write(64, 2)}, {read(0)}});
  bench.sim.run(bench.clock, 400);
  const auto reads = bench.arrivals(0), writes = bench.arrivals(1);
  EXPECT_LT(reads.back(), writes.front());
  EXPECT_EQ(writes.back(), 44u + 5 * 4 + 4);
}

MemoryControllerSpec banked() {
  MemoryControllerSpec spec = kSpec;
  spec.channels = 1, spec.dram = DramModel::kBanked, spec.scheduler = MemoryScheduler::kFrFcfs;
  spec.t_refi = 0, spec.row_bytes = 1024, spec.banks = 4;
  return spec;
}

// Served in 3: activation, read, four cycles on the bus, latency, the wire.
TEST(FrFcfs, ABankedReadIsNotThereACycleBeforeItsRow) {
  const MemoryControllerSpec spec = banked();
  for (const bool open : {false, true}) {
    Bench bench(spec, {open ? std::vector{read(64), read(0)} : std::vector{read(0)}});
    bench.source[0]->interval = 200;
    const Cycle expected = open ? 203 + spec.t_cl + 4 + 40 + 1 : 3 + spec.t_rcd + spec.t_cl + 4 + 40 + 1;
    bench.sim.run(bench.clock, expected - 1);
    EXPECT_EQ(bench.sink[0]->received.size(), open ? 1u : 0u);
    bench.sim.run(bench.clock, 1);
    EXPECT_EQ(bench.arrivals(0).back(), expected);
  }
}

// Two clients in rows of one bank: row by row they conflict with each transaction, in turn.
TEST(FrFcfs, ServesRowsThatAreOpen) {
  std::vector<std::vector<MemoryRequest>> requests(2);
  for (uint32_t i = 0; i < 160; i++)
    requests[0].push_back(read(i % 16 * 64, i)), requests[1].push_back(read(4096 + i % 16 * 64, i));
  uint64_t conflicts[3] = {};
  unsigned n = 0;
  for (const auto scheduler :
       {MemoryScheduler::kOldest, MemoryScheduler::kSameDirection, MemoryScheduler::kFrFcfs}) {
    MemoryControllerSpec spec = banked();
    spec.scheduler = scheduler, spec.passed_over = 15;
    Bench bench(spec, requests);
    bench.sim.run(bench.clock, 20000);
    EXPECT_EQ(bench.sink[0]->received.size() + bench.sink[1]->received.size(), 320u);
    conflicts[n++] = bench.controller.channel_counters(0).row_conflict;
  }
  EXPECT_GT(conflicts[0], 300u);
  EXPECT_GT(conflicts[1], 300u);
  EXPECT_LT(conflicts[2], 45u);
}

// Where the cycles of channels went sums to the cycles, after any time that all was still.
TEST(FrFcfs, CyclesOfChannelsAreCountedOnce) {
  for (const auto dram : {DramModel::kSimple, DramModel::kBanked}) {
    MemoryControllerSpec spec = banked();
    spec.dram = dram, spec.channels = 3, spec.t_refi = 700;
    std::vector<std::vector<MemoryRequest>> requests(2);
    for (uint32_t i = 0; i < 300; i++)
      requests[0].push_back(read(i * 320 % 65536, i)), requests[1].push_back(write(i * 832 % 65536, 1, i));
    Bench bench(spec, requests);
    for (const Cycle cycles : {100u, 9000u, 333u}) {
      bench.sim.run(bench.clock, cycles);
      bench.sim.settle();
      for (unsigned channel = 0; channel < 3; channel++) {
        const ChannelCounters& c = bench.controller.channel_counters(channel);
        const uint64_t sum = c.used + c.turned + c.rows + c.refreshed + c.rested;
        // What was promised may end later: transfers, or a refresh.
        EXPECT_GE(sum, bench.clock.now());
        EXPECT_LE(sum, bench.clock.now() + 60);
      }
    }
    uint64_t bytes = 0;
    for (unsigned channel = 0; channel < 3; channel++) {
      const ChannelCounters& c = bench.controller.channel_counters(channel);
      bytes += c.bytes_read + c.bytes_written;
    }
    EXPECT_EQ(bytes, 600u * 64);
    EXPECT_EQ(bench.used(), 600u * 4);
  }
}

}  // namespace
}  // namespace cutaway::boxes
