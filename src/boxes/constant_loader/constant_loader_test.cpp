#include "boxes/constant_loader/constant_loader.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

namespace cutaway::boxes::constant_loader_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;

struct Bench {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  ConstantLoader& box;
  Source<messages::LoadCommand>& commands = sim.add<Source<messages::LoadCommand>>(clock, "commands");
  Sink<messages::LoadedBlock>& processor = sim.add<Sink<messages::LoadedBlock>>(clock, "processor");
  messages::testing::MemoryModel& memory;

  explicit Bench(const ConstantLoaderSpec& spec = {}, Cycle latency = 10)
      : box(sim.add<ConstantLoader>(clock, "loader", spec)),
        memory(sim.add<messages::testing::MemoryModel>(clock, "memory", latency)) {
    sim.connect(commands.out, box.commands_in, {1, 1, 4});
    sim.connect(box.blocks_out, processor.in, {1, 1, 4});
    sim.connect(box.memory_out, memory.requests, {1, 1, 4});
    sim.connect(memory.replies, box.memory_in, {1, 1, 4});
    sim.elaborate();
    memory.memory.map(0, 1 << 16);
    for (uint32_t i = 0; i < 4096; i++) {
      const auto byte = static_cast<uint8_t>(i * 7);
      memory.memory.write(i, &byte, 1);
    }
  }
  void send(arch::Address address, uint32_t bytes, uint32_t offset = 0) {
    commands.messages.push_back({.offset = offset, .address = address, .bytes = bytes}), commands.wake();
  }
};

TEST(ConstantLoader, BringsTheBytesInOrder) {
  for (unsigned sectors : {1u, 16u}) {
    Bench bench({.sectors = sectors});
    bench.send(16, 32);
    bench.send(48, 300, 1000);
    bench.send(64, 64);
    bench.sim.run(bench.clock, 1000);
    const std::pair<arch::Address, uint32_t> expected[] = {{16, 32}, {48, 300}, {64, 64}};
    size_t command = 0, done = 0;
    for (const auto& [cycle, block] : bench.processor.received) {
      ASSERT_LT(command, 3u);
      EXPECT_EQ(block.offset, bench.commands.messages[command].offset + done);
      for (uint32_t i = 0; i < block.bytes; i++)
        EXPECT_EQ(block.data[i], std::byte(static_cast<uint8_t>((expected[command].first + done + i) * 7)));
      done += block.bytes;
      EXPECT_EQ(block.last, done == expected[command].second);
      if (block.last) command++, done = 0;
    }
    EXPECT_EQ(command, 3u);
    EXPECT_EQ(bench.box.counters.bytes, 396u);
    EXPECT_EQ(bench.box.why_busy(), "");
  }
}

// The command arrives in 2 and is taken in 3; it is requested, answered and delivered over wires of 1, one
// cycle after each.
TEST(ConstantLoader, TakesTheTimeOfMemoryOnceAndThenABlockPerCycle) {
  Bench bench({.sectors = 32}, 15);
  bench.send(0, 1024);
  bench.sim.run(bench.clock, 200);
  ASSERT_EQ(bench.processor.received.size(), 16u);
  EXPECT_EQ(bench.processor.received[15].first - bench.processor.received[0].first, 15u);
  Bench slow({.sectors = 32}, 52);
  slow.send(0, 1024);
  slow.sim.run(slow.clock, 200);
  EXPECT_EQ(slow.processor.received.at(0).first - bench.processor.received[0].first, 37u);
}

TEST(ConstantLoader, BlamesTheSlowNeighbour) {
  const auto account = [](Cycle interval, Cycle latency) {
    Bench bench({}, latency);
    bench.processor.interval = interval;
    bench.send(0, 64 * 30);
    bench.sim.run(bench.clock, 3000);
    EXPECT_EQ(bench.processor.received.size(), 30u);
    return messages::testing::account_of(bench.sim, bench.box);
  };
  messages::testing::expect_blame_per_item([&](Cycle k) { return account(k, 1).blocked_by("processor"); },
                                           25);
  EXPECT_GE(account(1, 57).starved_by("memory") - account(1, 20).starved_by("memory"), 37u);
}

// The slots of the wire to the processor, of the reads and of the commands each hold one load of 64 bytes.
TEST(ConstantLoader, HoldsAsManyReadsAndCommandsAsDeclared) {
  for (const auto& [commands, sectors] : {std::pair{1u, 1u}, {1u, 5u}, {7u, 2u}, {16u, 16u}}) {
    Bench bench({.commands = commands, .sectors = sectors}, 3);
    bench.processor.refuse = true;
    for (uint32_t i = 0; i < 60; i++) bench.send(64 * i, 64);
    bench.sim.run(bench.clock, 600);
    EXPECT_EQ(bench.memory.reads, 4 + sectors);
    EXPECT_EQ(bench.commands.sent.size(), 4 + sectors + commands + 4);
    EXPECT_EQ(bench.box.counters.loads, 4 + sectors + commands);
    EXPECT_EQ(bench.box.counters.bytes, 64 * (4 + sectors));
    const engine::Account account = messages::testing::account_of(bench.sim, bench.box);
    EXPECT_GT(account.blocked_by("processor"), 400u);
    EXPECT_EQ(account.blocked_by("memory"), 0u);
  }
}

// Requested a cycle after arrival, one sector per cycle.
TEST(ConstantLoader, AsksForASectorPerCycle) {
  Bench bench({}, 30);
  bench.send(32, 64 * 3);
  bench.sim.run(bench.clock, 60);
  ASSERT_EQ(bench.memory.seen.size(), 4u);
  // Sent in 1, arrives in 2, requested in 3, at memory in 4.
  for (size_t i = 0; i < 4; i++) EXPECT_EQ(bench.memory.seen[i].first, 4 + i);
  // Answered in 34, arrives in 35, delivered in 36, over a wire of 1.
  ASSERT_EQ(bench.processor.received.size(), 4u);
  for (size_t i = 0; i < 4; i++) EXPECT_EQ(bench.processor.received[i].first, 37 + i);
  EXPECT_EQ(bench.box.counters.loads, 1u);
  EXPECT_EQ(bench.box.counters.bytes, 192u);
}

}  // namespace
}  // namespace cutaway::boxes::constant_loader_test
