// Clients inside and outside ROP partitions, and the crossbar between clients and channels.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>

#include "boxes/memory_controller/bench_for_test.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::partitions_test {
namespace {

using namespace memory_bench;

MemoryControllerSpec with_crossbar(unsigned cycles) {
  MemoryControllerSpec spec = kSpec;
  spec.crossbar_latency = cycles;
  return spec;
}

// Sent in 1, arrives in 2, served in 3, four cycles on the channel, 40 of latency, a wire of 1.
constexpr Cycle kAlone = 3 + 4 + 40 + 1;

// A client of partition 1 with channels 2 and 3, and one outside, with one request per channel.
struct Partitioned : Bench {
  Partitioned(const MemoryControllerSpec& spec, std::vector<MemoryRequest> inside,
              std::vector<MemoryRequest> outside)
      : Bench(spec, {std::move(inside), std::move(outside)}) {
    controller.put_in_partition(0, 2, 2);
  }
};

TEST(Partitions, ALocalChannelIsReachedWithoutTheCrossbar) {
  for (const unsigned channel : {2u, 3u}) {
    Partitioned bench(with_crossbar(9), {read(256 * channel)}, {});
    bench.sim.run(bench.clock, kAlone - 1);
    EXPECT_TRUE(bench.sink[0]->received.empty());
    bench.sim.run(bench.clock, 1);
    EXPECT_EQ(bench.arrivals(0), std::vector<Cycle>{kAlone});
    EXPECT_EQ(bench.controller.partition_counters[0].local, 1u);
    EXPECT_EQ(bench.controller.partition_counters[0].crossed, 0u);
  }
}

TEST(Partitions, EveryOtherWayTakesTheCrossbarThereAndBack) {
  for (const unsigned crossbar : {1u, 9u, 64u}) {
    for (const unsigned channel : {0u, 1u}) {
      Partitioned bench(with_crossbar(crossbar), {read(256 * channel)}, {});
      const Cycle expected = kAlone + 2 * crossbar;
      bench.sim.run(bench.clock, expected - 1);
      EXPECT_TRUE(bench.sink[0]->received.empty());
      bench.sim.run(bench.clock, 1);
      EXPECT_EQ(bench.arrivals(0), std::vector<Cycle>{expected});
      EXPECT_EQ(bench.controller.partition_counters[0].local, 0u);
      EXPECT_EQ(bench.controller.partition_counters[0].crossed, 1u);
    }
    // A client outside the partitions crosses to every channel.
    for (unsigned channel = 0; channel < 4; channel++) {
      Partitioned bench(with_crossbar(crossbar), {}, {read(256 * channel)});
      bench.sim.run(bench.clock, 300);
      EXPECT_EQ(bench.arrivals(1), std::vector<Cycle>{kAlone + 2 * crossbar});
    }
  }
}

// The transfer begins after the path there.
TEST(Partitions, TheWayThereAloneDelaysTheTransfer) {
  Partitioned bench(with_crossbar(9), {}, {read(512)});
  bench.sim.run(bench.clock, 3 + 9 - 1);
  EXPECT_EQ(bench.used(), 0u);
  bench.sim.run(bench.clock, 1);
  EXPECT_EQ(bench.used(), 4u);
}

TEST(Partitions, TheCrossbarTakesARequestEachCycle) {
  MemoryControllerSpec spec = with_crossbar(20);
  spec.bytes_per_cycle = 64;
  std::vector<MemoryRequest> reads;
  for (uint32_t i = 0; i < 100; i++) reads.push_back(read(64 * i, i));
  Bench bench(spec, {reads});
  bench.sim.run(bench.clock, 400);
  std::vector<Cycle> expected;
  for (Cycle i = 0; i < 100; i++) expected.push_back(kAlone - 3 + 2 * 20 + i);
  EXPECT_EQ(bench.arrivals(0), expected);
}

// A transaction whose channel queue is full stays in the crossbar, and blocks later ones, except those for
// local channels.
TEST(Partitions, AFullQueueHoldsUpTheCrossbarOfItsClientAlone) {
  for (const unsigned crossbar : {1u, 5u}) {
    MemoryControllerSpec spec = with_crossbar(crossbar);
    spec.queue = 3, spec.bytes_per_cycle = 1;
    std::vector<MemoryRequest> remote;
    for (uint32_t i = 0; i < 40; i++) remote.push_back(read(0, i));
    Partitioned bench(spec, remote, {read(256)});
    bench.sim.run(bench.clock, 60);
    // One is served; those in the queue, in the crossbar and on the wire wait.
    EXPECT_EQ(bench.source[0]->sent.size(), 1 + 3 + crossbar + 8);
    bench.sim.run(bench.clock, 100);
    EXPECT_EQ(bench.sink[1]->received.size(), 1u);
  }
}

// A local channel's reply does not wait for crossing ones.
TEST(Partitions, LocalRepliesOvertakeThoseThatCross) {
  Partitioned bench(with_crossbar(30), {read(0, 1), read(512, 2)}, {});
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.arrivals(0), (std::vector<Cycle>{kAlone + 1, kAlone + 60}));
  EXPECT_EQ(bench.sink[0]->received[0].second.tag, 2u);
}

// A crossbar without latency behaves like none.
TEST(Partitions, ACrossbarWithoutLatencyChangesNothing) {
  std::mt19937 random(7);
  std::vector<std::vector<MemoryRequest>> requests(3);
  for (auto& client : requests)
    for (uint32_t i = 0; i < 200; i++)
      client.push_back(random() % 2 ? read(random() % 64 * 64, i) : write(random() % 64 * 64, 1, i));
  Bench plain(kSpec, requests), partitioned(kSpec, requests);
  partitioned.controller.put_in_partition(0, 0, 2);
  partitioned.controller.put_in_partition(2, 2, 2);
  plain.sim.run(plain.clock, 4000), partitioned.sim.run(partitioned.clock, 4000);
  for (size_t client = 0; client < 3; client++) {
    EXPECT_EQ(plain.arrivals(client).size(), 200u);
    EXPECT_EQ(plain.arrivals(client), partitioned.arrivals(client));
  }
  EXPECT_EQ(plain.controller.partition_counters[0].local, 0u);
  EXPECT_GT(partitioned.controller.partition_counters[0].local, 0u);
  EXPECT_EQ(partitioned.controller.partition_counters[1].local, 0u);
}

TEST(Partitions, AClientsTransactionsOfASectorKeepTheirOrder) {
  std::mt19937 random(5);
  std::vector<MemoryRequest> requests;
  std::map<uint32_t, uint8_t> expected;
  std::map<arch::Address, uint8_t> model;
  for (uint32_t tag = 0; tag < 600; tag++) {
    const arch::Address address = random() % 4 * 256;
    if (random() % 2) {
      requests.push_back(write(address, model[address] = static_cast<uint8_t>(random()), tag));
    } else {
      requests.push_back(read(address, tag));
      expected[tag] = model[address];
    }
  }
  MemoryControllerSpec spec = with_crossbar(11);
  spec.queue = 2;
  Partitioned bench(spec, requests, {});
  bench.sim.run(bench.clock, 20000);
  EXPECT_EQ(bench.sink[0]->received.size(), 600u);
  for (const auto& [cycle, reply] : bench.sink[0]->received)
    if (!reply.write) { EXPECT_EQ(std::to_integer<int>(reply.data[5]), expected[reply.tag]); }
}

// A client that takes no replies is also blamed for crossing ones.
TEST(Partitions, ASlowClientIsBlamedForRepliesThatCrossed) {
  const auto blame = [](Cycle interval) {
    std::vector<MemoryRequest> reads;
    for (uint32_t i = 0; i < 40; i++) reads.push_back(read(256 * i, i));
    Bench bench(with_crossbar(4), {reads});
    bench.sink[0]->interval = interval;
    bench.sim.run(bench.clock, 3000);
    EXPECT_EQ(bench.sink[0]->received.size(), 40u);
    return messages::testing::account_of(bench.sim, bench.controller).blocked_by("sink0");
  };
  messages::testing::expect_blame_per_item(blame, 31);
}

}  // namespace
}  // namespace cutaway::boxes::partitions_test
