#include "boxes/bus/bus.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"

namespace cutaway::boxes::bus_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::Doorbell;
using messages::MemoryReply;
using messages::MemoryRequest;

// 16 bytes a cycle, 16 bytes of header: a packet of 64 bytes takes 5 cycles, one without data 1, a
// doorbell 2.
constexpr BusSpec kSpec{.bytes_per_cycle = 16,
                        .shared = false,
                        .header = 16,
                        .payload = 64,
                        .latency = 50,
                        .memory_latency = 25,
                        .requests = 32};

struct Bench {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("bus", 1);
  arch::Memory memory;
  Bus& bus;
  Source<MemoryRequest>& source;
  Sink<MemoryReply>& replies = sim.add<Sink<MemoryReply>>(clock, "replies");
  Sink<Doorbell>& doorbells = sim.add<Sink<Doorbell>>(clock, "doorbells");
  Sink<messages::Fence>& told = sim.add<Sink<messages::Fence>>(clock, "told");

  explicit Bench(const BusSpec& spec, std::vector<MemoryRequest> requests = {},
                 std::vector<messages::Fence> fences = {})
      : bus(sim.add<Bus>(clock, "bus", spec, memory)),
        source(sim.add<Source<MemoryRequest>>(clock, "source", std::move(requests))) {
    sim.connect(source.out, bus.requests_in, {1, 1, 4});
    sim.connect(bus.replies_out, replies.in, {1, 1, 4});
    sim.connect(bus.doorbells_out, doorbells.in, {1, 1, 2});
    bus.carries_fences = true;
    auto& gpu = sim.add<Source<messages::Fence>>(clock, "gpu", std::move(fences));
    sim.connect(gpu.out, bus.fences_in, {1, 1, 2});
    sim.connect(bus.fences_out, told.in, {1, 1, 2});
    sim.elaborate();
    memory.map(0, 1 << 20);
  }
  void run(size_t answers, size_t rung = 0) {
    EXPECT_TRUE(
        sim.run_until([&] { return replies.received.size() == answers && doorbells.received.size() == rung; },
                      clock, 100000));
    EXPECT_EQ(bus.why_busy(), "");
  }
};

MemoryRequest read(arch::Address address, uint32_t tag, messages::ByteMask mask = messages::kAllBytes) {
  return {.address = address, .tag = tag, .mask = mask};
}
MemoryRequest write(arch::Address address, uint8_t value, uint32_t tag,
                    messages::ByteMask mask = messages::kAllBytes) {
  MemoryRequest request{.address = address, .tag = tag, .write = true, .mask = mask};
  request.data.fill(static_cast<std::byte>(value));
  return request;
}

// Sent at 1 and taken at 2. The request is on the wires for a cycle and arrives 50 later; its data are there
// 25 later, on the wires for 5 cycles, and arrive 50 later: at 2 + 1 + 50 + 25 + 5 + 50. The wire to the GPU
// takes one more.
TEST(Bus, ReadsAfterItsLatencies) {
  Bench bench(kSpec, {read(0x1000, 3)});
  const uint32_t value = 0x12345678;
  bench.memory.write_as(0x1000, value);
  bench.run(1);
  const auto& [cycle, reply] = bench.replies.received[0];
  EXPECT_EQ(cycle, 2u + 1 + 50 + 25 + 5 + 50 + 1);
  EXPECT_EQ(reply.tag, 3u);
  EXPECT_TRUE(reply.mapped);
  EXPECT_EQ(std::memcmp(reply.data.data(), &value, sizeof value), 0);
}

// Sent at 1 and taken at 2. A fence of 8 bytes is on the wires for 2 cycles; the next takes its turn behind
// it.
TEST(Bus, FencesCrossItAsPacketsToTheHost) {
  Bench bench(kSpec, {}, {{7}, {9}});
  EXPECT_TRUE(bench.sim.run_until([&] { return bench.told.received.size() == 2; }, bench.clock, 1000));
  EXPECT_EQ(bench.told.received[0].first, 2u + 2 + 50 + 1);
  EXPECT_EQ(bench.told.received[0].second.submission, 7u);
  EXPECT_EQ(bench.told.received[1].first, 2u + 4 + 50 + 1);
  EXPECT_EQ(bench.bus.counters.fences, 2u);
  EXPECT_EQ(bench.bus.counters.up_cycles, 4u);
  EXPECT_EQ(bench.bus.why_busy(), "");
}

// With enough requests under way, data come back every 5 cycles.
TEST(Bus, ReadsAtTheRateOfItsData) {
  std::vector<MemoryRequest> requests;
  for (uint32_t i = 0; i < 200; i++) requests.push_back(read(i * 64, i));
  Bench bench(kSpec, requests);
  bench.run(200);
  const auto& received = bench.replies.received;
  EXPECT_EQ(received[199].first - received[100].first, 99u * 5);
  for (uint32_t i = 0; i < 200; i++) EXPECT_EQ(received[i].second.tag, i);
  EXPECT_EQ(bench.bus.counters.read_bytes, 200u * 64);
  EXPECT_EQ(bench.bus.counters.down_cycles, 200u * 5);
  EXPECT_EQ(bench.bus.counters.up_cycles, 200u);
}

// One request at a time: each waits for the one before, and is taken in the cycle in which that reply leaves.
TEST(Bus, WaitsForCredits) {
  BusSpec spec = kSpec;
  spec.requests = 1;
  Bench bench(spec, {read(0, 0), read(64, 1), read(128, 2)});
  bench.run(3);
  const auto& received = bench.replies.received;
  EXPECT_EQ(received[1].first - received[0].first, 1u + 50 + 25 + 5 + 50);
  EXPECT_EQ(received[2].first - received[1].first, 1u + 50 + 25 + 5 + 50);
}

// A write of 64 bytes takes 5 cycles on the wires up; it is acknowledged after both latencies.
TEST(Bus, Writes) {
  Bench bench(kSpec, {write(0x2000, 7, 1), write(0x2040, 9, 2, 0xff), read(0x2040, 3)});
  bench.run(3);
  EXPECT_EQ(bench.replies.received[0].first, 2u + 5 + 50 + 50 + 1);
  EXPECT_EQ(bench.memory.read_as<uint64_t>(0x2000), 0x0707070707070707u);
  EXPECT_EQ(bench.memory.read_as<uint64_t>(0x2040), 0x0909090909090909u);
  EXPECT_EQ(bench.memory.read_as<uint64_t>(0x2048), 0u);
  EXPECT_EQ(bench.replies.received[2].second.data[7], std::byte{9});
  EXPECT_EQ(bench.bus.counters.write_bytes, 64u + 8);
}

// 8 of the 64 bytes: a packet of 24 bytes takes 2 cycles.
TEST(Bus, BringsTheBytesThatAreWanted) {
  Bench bench(kSpec, {read(0, 0, 0xff)});
  bench.run(1);
  EXPECT_EQ(bench.replies.received[0].first, 2u + 1 + 50 + 25 + 2 + 50 + 1);
  EXPECT_EQ(bench.replies.received[0].second.mask, 0xffu);
}

// 6,400 bytes in packets of 64 take 500 cycles, the doorbell 2.
TEST(Bus, RingsBehindTheWritesOfTheHost) {
  Bench bench(kSpec);
  bench.bus.host_writes(6000);
  bench.bus.host_writes(400);
  bench.bus.ring({5});
  bench.run(0, 1);
  EXPECT_EQ(bench.doorbells.received[0].first, 1u + 500 + 2 + 50 + 1);
  EXPECT_EQ(bench.doorbells.received[0].second.submission, 5u);
  EXPECT_EQ(bench.bus.counters.host_bytes, 6400u);
}

// Data of reads and writes of the host take turns.
TEST(Bus, SharesADirection) {
  std::vector<MemoryRequest> requests;
  for (uint32_t i = 0; i < 100; i++) requests.push_back(read(i * 64, i));
  Bench bench(kSpec, requests);
  bench.bus.host_writes(64 * 1000);
  bench.bus.ring({1});
  bench.run(100, 1);
  const auto& received = bench.replies.received;
  EXPECT_EQ(received[90].first - received[50].first, 40u * 10);
}

// On shared wires a write of 64 bytes up and the host's packet down take turns.
TEST(Bus, SharesItsWires) {
  BusSpec spec = kSpec;
  std::vector<MemoryRequest> requests;
  for (uint32_t i = 0; i < 100; i++) requests.push_back(write(i * 64, 1, i));
  for (const bool shared : {false, true}) {
    spec.shared = shared;
    Bench bench(spec, requests);
    bench.bus.host_writes(64 * 1000);
    bench.bus.ring({1});
    bench.run(100, 1);
    const auto& received = bench.replies.received;
    EXPECT_EQ(received[90].first - received[50].first, 40u * (shared ? 10 : 5)) << shared;
  }
}

TEST(Bus, ReadsZerosWhereNothingIsMapped) {
  Bench bench(kSpec, {read(1 << 21, 0), write(1 << 21, 1, 1)});
  bench.run(2);
  EXPECT_FALSE(bench.replies.received[1].second.mapped);
}

}  // namespace
}  // namespace cutaway::boxes::bus_test
