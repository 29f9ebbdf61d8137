#include <gtest/gtest.h>

#include "boxes/bus/bus.h"
#include "boxes/memory_controller/bench_for_test.h"

// A memory controller with system memory behind a bus.
namespace cutaway::boxes::system_memory_test {
namespace {

using namespace memory_bench;

constexpr BusSpec kBus{
    .bytes_per_cycle = 16, .header = 16, .latency = 50, .memory_latency = 25, .requests = 8};

// The second 64 KB are placed in system memory.
constexpr arch::Address kSystem = 1 << 16;
struct SystemBench {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("memory", 1);
  arch::Memory memory;
  MemoryController& controller;
  Bus& bus = sim.add<Bus>(clock, "bus", kBus, memory);
  Source<messages::ClearBlocks>& clears = sim.add<Source<messages::ClearBlocks>>(clock, "clears");
  Sink<messages::BlocksCleared>& cleared = sim.add<Sink<messages::BlocksCleared>>(clock, "cleared");
  Sink<messages::Doorbell>& doorbells = sim.add<Sink<messages::Doorbell>>(clock, "doorbells");
  std::vector<Sink<MemoryReply>*> sink;

  using Requests = std::vector<std::vector<MemoryRequest>>;  // by client
  explicit SystemBench(const Requests& requests, bool all = false)
      : controller(sim.add<MemoryController>(clock, "controller", kSpec,
                                             static_cast<unsigned>(requests.size()), memory)) {
    controller.reach_system_memory(all);
    memory.map(0, 1 << 20);
    memory.place(kSystem, 1 << 16, arch::Placement::kSystem);
    sim.connect(clears.out, controller.clears_in, {1, 1, 2});
    sim.connect(controller.cleared_out, cleared.in, {1, 1, 2});
    sim.connect(controller.bus_out, bus.requests_in, {1, 1, 4});
    sim.connect(bus.replies_out, controller.bus_in, {1, 1, 4});
    sim.connect(bus.doorbells_out, doorbells.in, {1, 1, 2});
    for (size_t i = 0; i < requests.size(); i++) {
      auto& source = sim.add<Source<MemoryRequest>>(clock, "source" + std::to_string(i), requests[i]);
      sink.push_back(&sim.add<Sink<MemoryReply>>(clock, "sink" + std::to_string(i)));
      sim.connect(source.out, controller.requests[i], {1, 1, 8});
      sim.connect(controller.replies[i], sink[i]->in, {1, 1, 8});
    }
    sim.elaborate();
  }
  bool run(size_t client, size_t replies) {
    return sim.run_until([&] { return sink[client]->received.size() == replies; }, clock, 100000);
  }
};

TEST(SystemMemory, IsReadAndWrittenOverTheBus) {
  SystemBench bench(SystemBench::Requests{{write(kSystem + 64, 5, 1), read(kSystem + 64, 2), read(128, 3)}});
  ASSERT_TRUE(bench.run(0, 3));
  EXPECT_EQ(bench.bus.counters.reads, 1u);
  EXPECT_EQ(bench.bus.counters.writes, 1u);
  EXPECT_EQ(bench.memory.read_as<uint8_t>(kSystem + 64), 5u);
  // Video memory answers before.
  EXPECT_EQ(bench.sink[0]->received[0].second.tag, 3u);
  for (const auto& [cycle, reply] : bench.sink[0]->received) {
    if (reply.tag == 2) { EXPECT_EQ(reply.data[63], std::byte{5}); }
  }
  EXPECT_EQ(bench.controller.channel_counters(0).bytes_read, 64u);
}

// If all memory is the host's, no channel moves a byte.
TEST(SystemMemory, MayBeAllThereIs) {
  SystemBench bench(SystemBench::Requests{{write(0, 5, 1), read(0, 2)}}, true);
  ASSERT_TRUE(bench.run(0, 2));
  EXPECT_EQ(bench.bus.counters.reads + bench.bus.counters.writes, 2u);
  for (unsigned channel = 0; channel < kSpec.channels; channel++)
    EXPECT_EQ(bench.controller.channel_counters(channel).bytes_written, 0u);
}

// The machine's own memory stays with its channels.
TEST(SystemMemory, IsNotTheMachinesOwn) {
  constexpr arch::Address kOwn = MemoryController::kOwn;
  SystemBench bench(SystemBench::Requests{{write(kOwn, 5, 1), read(kOwn, 2)}}, true);
  bench.controller.give_own(0, kOwn, 4096);
  ASSERT_TRUE(bench.run(0, 2));
  EXPECT_EQ(bench.sink[0]->received[1].second.data[0], std::byte{5});
  EXPECT_EQ(bench.bus.counters.reads + bench.bus.counters.writes, 0u);
}

// Two clients take turns at the bus, whatever each asks for.
TEST(SystemMemory, ServesClientsInTurn) {
  std::vector<MemoryRequest> many, few;
  for (uint32_t i = 0; i < 64; i++) many.push_back(read(kSystem + i * 64, i));
  for (uint32_t i = 0; i < 4; i++) few.push_back(read(kSystem + 0x8000 + i * 64, i));
  SystemBench bench(SystemBench::Requests{many, few});
  ASSERT_TRUE(bench.run(1, 4));
  EXPECT_LE(bench.sink[0]->received.size(), 5u);
}

TEST(SystemMemory, DeclinesOpportunisticFetches) {
  MemoryRequest fetch = read(kSystem, 1);
  fetch.opportunistic = messages::Opportunistic::kOfPacked;
  SystemBench bench(SystemBench::Requests{{fetch}});
  ASSERT_TRUE(bench.run(0, 1));
  EXPECT_TRUE(bench.sink[0]->received[0].second.declined);
  EXPECT_EQ(bench.bus.counters.reads, 0u);
}

// A surface that lies in part in system memory is not cleared by tags.
TEST(SystemMemory, HasNoTags) {
  SystemBench bench(SystemBench::Requests(1));
  messages::ClearBlocks order;
  order.layer = order.run = {kSystem - 0x1000, 0x2000};
  bench.clears.messages.push_back(order);
  ASSERT_TRUE(bench.sim.run_until([&] { return !bench.cleared.received.empty(); }, bench.clock, 1000));
  EXPECT_EQ(bench.cleared.received[0].second.cleared.bytes, 0u);
  EXPECT_FALSE(bench.controller.tags().any());
}

}  // namespace
}  // namespace cutaway::boxes::system_memory_test
