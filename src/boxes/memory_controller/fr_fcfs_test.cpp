#include "boxes/memory_controller/fr_fcfs.h"

#include <gtest/gtest.h>
#include <map>

#include "boxes/memory_controller/bench_for_test.h"

namespace cutaway::boxes::fr_fcfs_test {
namespace {

using namespace memory_bench;
using Pick = ChannelScheduler::Pick;

MemoryControllerSpec fr_fcfs(unsigned starvation_cap, unsigned window = 1) {
  return {.scheduler = "fr-fcfs", .starvation_cap = starvation_cap, .window = window};
}

// Memory with row 1 open and a bus that carries reads without a turnaround.
class Rows final : public DramChannel {
 public:
  Rows() : DramChannel({}) {}
  Timing timing(Cycle now, uint64_t address, bool write) const override {
    const bool open = address / 1024 == 1;
    return {open, now + (open ? 0 : 30) + (write ? 6 : 0)};
  }
  Cycle serve(Cycle now, uint64_t, bool, uint32_t) override { return now; }
};

TEST(FrFcfs, PrefersOpenRowsThenEarliestThenOldest) {
  Rows rows;
  FrFcfs scheduler(8, fr_fcfs(100), rows);
  scheduler.arrived(0, {false, 1, 0});
  scheduler.arrived(1, {false, 2, 4096});
  scheduler.arrived(2, {true, 3, 1024});
  scheduler.arrived(5, {false, 6, 1088});
  scheduler.arrived(4, {false, 6, 1152});
  scheduler.arrived(3, {false, 7, 1024});
  for (const unsigned expected : {4u, 5u, 3u, 2u, 0u, 1u}) {
    ASSERT_EQ(scheduler.pick(10), Pick{expected});
    scheduler.served({expected});
  }
}

// The oldest is overtaken as often as declared, then served; then the count restarts.
TEST(FrFcfs, StarvationCapServesTheOldest) {
  Rows rows;
  for (const unsigned most : {0u, 1u, 5u}) {
    FrFcfs scheduler(3, fr_fcfs(most), rows);
    scheduler.arrived(0, {false, 1, 0});
    scheduler.arrived(1, {false, 2, 1024});
    scheduler.arrived(2, {false, 3, 8192});
    Cycle now = 10;
    const auto serve_reader_of_open_row = [&] {
      scheduler.served({1});
      scheduler.arrived(1, {false, ++now, 1024});
    };
    for (const unsigned starved : {0u, 2u}) {
      for (unsigned i = 0; i < most; i++) {
        ASSERT_EQ(scheduler.pick(now), Pick{1}) << most;
        serve_reader_of_open_row();
      }
      // With a cap of 0, the reader of the open row is older than client 2 for a while.
      if (most == 0 && starved == 2) serve_reader_of_open_row();
      ASSERT_EQ(scheduler.pick(now), Pick{starved}) << most;
      scheduler.served({starved});
    }
  }
}

// Transactions behind the front of a queue are considered within the window.
TEST(FrFcfs, ChoosesAmongTheFirstOfEachQueue) {
  Rows rows;
  for (const auto& [window, expected] : {std::pair{1u, std::vector<Pick>{{1, 0}, {0, 0}, {0, 0}, {0, 0}}},
                                         {2u, {{1, 0}, {0, 1}, {0, 1}, {0, 0}}},
                                         {3u, {{0, 2}, {1, 0}, {0, 1}, {0, 0}}},
                                         {64u, {{0, 2}, {1, 0}, {0, 1}, {0, 0}}}}) {
    FrFcfs scheduler(2, fr_fcfs(100, window), rows);
    scheduler.arrived(0, {false, 1, 0, 0});
    scheduler.arrived(0, {true, 2, 1024, 4});  // of the open row, but after a turnaround
    scheduler.arrived(0, {false, 3, 1280, 5});
    scheduler.arrived(1, {false, 4, 1536, 6});
    for (const Pick& pick : expected) {
      ASSERT_EQ(scheduler.pick(10), pick) << window;
      scheduler.served(pick);
    }
  }
}

TEST(FrFcfs, ABlocksTransactionsKeepTheirOrder) {
  Rows rows;
  FrFcfs scheduler(1, fr_fcfs(100, 8), rows);
  scheduler.arrived(0, {true, 1, 1024, 7});   // after a turnaround
  scheduler.arrived(0, {false, 2, 1088, 7});  // of the same block
  scheduler.arrived(0, {false, 3, 0, 0});
  EXPECT_EQ(scheduler.pick(10), (Pick{0, 0}));
  scheduler.served({0, 0});
  EXPECT_EQ(scheduler.pick(10), (Pick{0, 0}));
}

// A transaction of a sample stack is never reordered with its client's others.
TEST(FrFcfs, SampleStacksAreNotReordered) {
  Rows rows;
  FrFcfs scheduler(2, fr_fcfs(100, 8), rows);
  scheduler.arrived(0, {false, 1, 4096, 16});
  scheduler.arrived(0, {false, 2, 1024, 4, true});
  scheduler.arrived(0, {false, 3, 1280, 5});
  scheduler.arrived(1, {false, 4, 1536, 6});
  for (const Pick& pick : {Pick{1, 0}, {0, 0}, {0, 0}, {0, 0}}) {
    ASSERT_EQ(scheduler.pick(10), pick);
    scheduler.served(pick);
  }
}

// Transactions overtaken in their own queue count as passed over.
TEST(FrFcfs, StarvationCapHoldsWithinAQueue) {
  Rows rows;
  FrFcfs scheduler(1, fr_fcfs(3, 8), rows);
  scheduler.arrived(0, {false, 1, 0, 0});
  for (uint64_t i = 0; i < 5; i++) scheduler.arrived(0, {false, 2 + i, 1024 + 64 * i, 4 + i});
  for (const uint32_t position : {1u, 1u, 1u, 0u, 0u}) {
    ASSERT_EQ(scheduler.pick(10), (Pick{0, position}));
    scheduler.served({0, position});
  }
}

// Simple memory has no rows to close: transactions keep the bus direction.
TEST(FrFcfs, KeepsTheDirectionOfABusWithoutRows) {
  MemoryControllerSpec spec = kSpec;
  spec.scheduler = "fr-fcfs";
  Bench bench(spec, {{read(0), read(0)}, {write(64, 1), write(64, 2)}, {read(0)}});
  bench.sim.run(bench.clock, 400);
  const auto reads = bench.arrivals(0), writes = bench.arrivals(1);
  EXPECT_LT(reads.back(), writes.front());
  EXPECT_EQ(writes.back(), 44u + 5 * 4 + 4);
}

MemoryControllerSpec banked() {
  MemoryControllerSpec spec = kSpec;
  spec.channels = 1, spec.dram = "banked", spec.scheduler = "fr-fcfs";
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

// Two clients in different rows of one bank: in turn, every transaction would conflict.
TEST(FrFcfs, ServesOpenRows) {
  std::vector<std::vector<MemoryRequest>> requests(2);
  for (uint32_t i = 0; i < 160; i++)
    requests[0].push_back(read(i % 16 * 64, i)), requests[1].push_back(read(4096 + i % 16 * 64, i));
  uint64_t conflicts[3] = {};
  unsigned n = 0;
  for (const auto scheduler : {"oldest", "same-direction", "fr-fcfs"}) {
    MemoryControllerSpec spec = banked();
    spec.scheduler = scheduler, spec.starvation_cap = 15;
    Bench bench(spec, requests);
    bench.sim.run(bench.clock, 20000);
    EXPECT_EQ(bench.sink[0]->received.size() + bench.sink[1]->received.size(), 320u);
    conflicts[n++] = bench.controller.channel_counters(0).row_conflict;
  }
  EXPECT_GT(conflicts[0], 300u);
  EXPECT_GT(conflicts[1], 300u);
  EXPECT_LT(conflicts[2], 45u);
}

// One client that alternately reads two rows of a bank: with a window, its transactions no longer wait for
// one another's rows. It reads its earlier writes.
TEST(FrFcfs, AWindowSparesOneClientItsOwnConflicts) {
  uint64_t conflicts[2] = {};
  for (const unsigned window : {1u, 16u}) {
    MemoryControllerSpec spec = banked();
    spec.queue = 32, spec.window = window;
    std::vector<MemoryRequest> requests;
    for (uint32_t i = 0; i < 240; i++) {
      const uint64_t address = i % 2 * 4096 + i / 2 % 16 * 64;
      requests.push_back(i % 3 == 0 ? write(address, static_cast<uint8_t>(i), i) : read(address, i));
    }
    Bench bench(spec, {requests});
    bench.sim.run(bench.clock, 20000);
    ASSERT_EQ(bench.sink[0]->received.size(), requests.size());
    std::map<arch::Address, uint8_t> written;
    std::vector<uint8_t> expected(requests.size());
    for (uint32_t i = 0; i < requests.size(); i++) {
      uint8_t& value = written[requests[i].address];
      if (requests[i].write) value = static_cast<uint8_t>(i);
      expected[i] = value;
    }
    for (const auto& [cycle, reply] : bench.sink[0]->received)
      EXPECT_TRUE(reply.write || static_cast<uint8_t>(reply.data[5]) == expected[reply.tag]) << reply.tag;
    conflicts[window > 1] = bench.controller.channel_counters(0).row_conflict;
  }
  EXPECT_GT(conflicts[0], 200u);
  EXPECT_LT(conflicts[1], 60u);
}

// The cycle counters of channels sum to the elapsed cycles, even after idle time.
TEST(FrFcfs, CyclesOfChannelsAreCountedOnce) {
  for (const auto dram : {"simple", "banked"}) {
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
        // Scheduled transfers, or a refresh, may end later.
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
}  // namespace cutaway::boxes::fr_fcfs_test
