#include "boxes/copy_engine/copy_engine.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

namespace cutaway::boxes::copy_engine_test {
namespace {

using arch::Opcode;
using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;

struct Bench {
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  CopyEngine& box;
  Source<messages::CopyCommand>& commands = sim.add<Source<messages::CopyCommand>>(clock, "commands");
  Sink<messages::CopyDone>& done = sim.add<Sink<messages::CopyDone>>(clock, "done");
  messages::testing::MemoryModel& memory;
  Sink<messages::ClearBlocks>& clears = sim.add<Sink<messages::ClearBlocks>>(clock, "clears");
  Source<messages::BlocksCleared>& cleared = sim.add<Source<messages::BlocksCleared>>(clock, "cleared");

  explicit Bench(const CopyEngineSpec& spec = {}, Cycle latency = 10,
                 const CopyEngine::FastClears& fast = {.color = false, .depth = false})
      : box(sim.add<CopyEngine>(clock, "copy", spec, fast)),
        memory(sim.add<messages::testing::MemoryModel>(clock, "memory", latency)) {
    sim.connect(commands.out, box.commands_in, {1, 1, 4});
    sim.connect(box.done_out, done.in, {1, 1, 2});
    sim.connect(box.memory_out, memory.requests, {1, 1, 4});
    sim.connect(memory.replies, box.memory_in, {1, 1, 4});
    sim.connect(box.clears_out, clears.in, {1, 1, 2});
    sim.connect(cleared.out, box.cleared_in, {1, 1, 2});
    sim.elaborate();
    memory.memory.map(0, 1 << 16);
  }
  template <class Packet>
  void send(Opcode kind, const Packet& packet) {
    std::vector<uint32_t> words(sizeof packet / 4);
    std::memcpy(words.data(), &packet, sizeof packet);
    commands.messages.push_back(
        {.kind = kind, .payload = std::make_shared<const std::vector<uint32_t>>(words)});
    commands.wake();
  }
  std::vector<uint8_t> bytes(arch::Address at, size_t count) {
    std::vector<uint8_t> all(count);
    memory.memory.read(at, all.data(), count);
    return all;
  }
};

TEST(CopyEngine, CopiesAnyBytesAndNoOthers) {
  std::mt19937 random(9);
  for (unsigned chunks : {2u, 32u}) {
    Bench bench({.chunks = chunks});
    std::vector<uint8_t> model(1 << 15);
    for (uint8_t& byte : model) byte = static_cast<uint8_t>(random());
    bench.memory.memory.write(0, model.data(), model.size());
    for (int i = 0; i < 12; i++) {
      const uint32_t bytes = 1 + random() % 700, from = random() % 10000, to = 16000 + random() % 10000;
      bench.send(Opcode::kCopyBuffer, arch::CopyBufferPacket{from, to, bytes});
      std::copy_n(model.begin() + from, bytes, model.begin() + to);
    }
    bench.send(Opcode::kFillBuffer, arch::FillBufferPacket{20004, 132, 0xa1b2c3d4});
    for (uint32_t i = 0; i < 132; i += 4) std::memcpy(&model[20004 + i], "\xd4\xc3\xb2\xa1", 4);
    bench.sim.run(bench.clock, 20000);
    EXPECT_EQ(bench.done.received.size(), 13u);
    EXPECT_TRUE(bench.bytes(0, model.size()) == model);
    EXPECT_EQ(bench.box.why_busy(), "");
  }
}

TEST(CopyEngine, IsDoneOnlyWhenEveryWriteIsInMemory) {
  for (Cycle latency : {10u, 300u}) {
    Bench bench({}, latency);
    bench.send(Opcode::kFillBuffer, arch::FillBufferPacket{0, 64, 5});
    bench.sim.run(bench.clock, 1000);
    ASSERT_EQ(bench.done.received.size(), 1u);
    const Cycle written = bench.memory.seen.at(0).first;
    // Answered over a wire of 1, reported over another.
    EXPECT_EQ(bench.done.received[0].first, written + latency + 1 + 1);
  }
}

// A later copy reads the results of an earlier one.
TEST(CopyEngine, CopiesFollowOneAnother) {
  Bench bench({}, 100);
  bench.send(Opcode::kFillBuffer, arch::FillBufferPacket{0, 256, 0x01010101});
  bench.send(Opcode::kCopyBuffer, arch::CopyBufferPacket{0, 1024, 256});
  bench.send(Opcode::kCopyBuffer, arch::CopyBufferPacket{1024, 4096, 256});
  bench.sim.run(bench.clock, 5000);
  EXPECT_EQ(bench.bytes(4096, 256), std::vector<uint8_t>(256, 1));
}

TEST(CopyEngine, ReadsAheadToHideMemory) {
  const auto time = [](Cycle latency, uint32_t bytes) {
    Bench bench({.chunks = 64}, latency);
    bench.send(Opcode::kCopyBuffer, arch::CopyBufferPacket{0, 1 << 15, bytes});
    bench.sim.run(bench.clock, 5000);
    return bench.done.received.at(0).first;
  };
  // A read and a write per 64 bytes share the bus.
  EXPECT_NEAR(static_cast<double>(time(40, 16384) - time(40, 8192)), 256, 16);
  EXPECT_EQ(time(57, 64) - time(20, 64), 2 * 37u);
}

TEST(CopyEngine, BlamesSlowMemory) {
  const auto starved = [](Cycle latency) {
    Bench bench({}, latency);
    bench.send(Opcode::kCopyBuffer, arch::CopyBufferPacket{0, 4096, 64});
    bench.sim.run(bench.clock, 1000);
    return messages::testing::account_of(bench.sim, bench.box).starved_by("memory");
  };
  EXPECT_EQ(starved(57) - starved(20), 2 * 37u);  // one read, then one write
}

// Without answers from memory: as many reads as chunks; one copy in flight, others waiting.
TEST(CopyEngine, HoldsAsManyChunksAndCommandsAsDeclared) {
  for (const auto& [commands, chunks] : {std::pair{1u, 2u}, {3u, 7u}, {4u, 32u}}) {
    Bench bench({.commands = commands, .chunks = chunks}, 100'000);
    for (int i = 0; i < 20; i++) bench.send(Opcode::kCopyBuffer, arch::CopyBufferPacket{0, 1 << 15, 8192});
    bench.sim.run(bench.clock, 500);
    EXPECT_EQ(bench.memory.reads, chunks);
    EXPECT_EQ(bench.box.counters.chunks, chunks);
    // One is in flight, because not all its chunks are made.
    EXPECT_EQ(bench.commands.sent.size(), 1 + commands + 4);
    EXPECT_EQ(bench.box.counters.copies, 1u);
    EXPECT_GT(messages::testing::account_of(bench.sim, bench.box).starved_by("memory"), 400u);
  }
}

TEST(CopyEngine, CountsCopiesChunksAndBytes) {
  Bench bench;
  bench.send(Opcode::kCopyBuffer, arch::CopyBufferPacket{0, 1 << 15, 200});  // 64 + 64 + 64 + 8
  bench.send(Opcode::kFillBuffer, arch::FillBufferPacket{4, 60, 5});
  bench.send(Opcode::kFillBuffer, arch::FillBufferPacket{0, 128, 5});
  bench.sim.run(bench.clock, 1000);
  EXPECT_EQ(bench.box.counters.copies, 3u);
  EXPECT_EQ(bench.box.counters.chunks, 4u + 1 + 2);
  EXPECT_EQ(bench.box.counters.bytes, 200u + 60 + 128);
  EXPECT_EQ(bench.memory.reads, 4u);
  EXPECT_EQ(bench.memory.writes, 7u);
}

// A copy of 64x64 elements of 4 bytes between a tiled and a linear surface: 1,024 runs of 16 bytes.
struct Transactions {
  unsigned reads = 0, writes = 0;
  Cycle cycles = 0;
  bool operator==(const Transactions&) const = default;
};
Transactions copy_of_tiles(bool to_tiles, unsigned combined) {
  Bench bench({.combined = combined}, 10);
  constexpr arch::Address kTiled = 0x1000, kLinear = 0x8000;
  std::mt19937 random(4);
  for (arch::Address at = 0; at < 1 << 16; at += 4)
    bench.memory.memory.write_as(at, static_cast<uint32_t>(random()));
  arch::CopySurfacePacket packet{};
  packet.source = packet.destination =
      messages::testing::surface(arch::Format::R8G8B8A8_UNORM, 64, 64, kTiled);
  arch::Surface& linear = to_tiles ? packet.source : packet.destination;
  linear.type = arch::Surface::make_type(arch::SurfaceType::k2D, arch::Tiling::kLinear);
  linear.address = kLinear;
  packet.width = packet.height = 64, packet.depth = 1;
  bench.send(Opcode::kCopySurface, packet);
  bench.sim.run(bench.clock, 20000);
  EXPECT_EQ(bench.done.received.size(), 1u);
  EXPECT_EQ(bench.box.counters.bytes, 64u * 64 * 4);
  for (uint32_t y = 0; y < 64; y++)
    for (uint32_t x = 0; x < 64; x++) {
      const uint32_t tile = y / 8 * 8 + x / 8, sector = y % 8 / 4 * 2 + x % 8 / 4, texel = y % 4 * 4 + x % 4;
      const arch::Address tiled = kTiled + tile * 256 + sector * 64 + texel * 4;
      EXPECT_EQ(bench.memory.memory.read_as<uint32_t>(tiled),
                bench.memory.memory.read_as<uint32_t>(kLinear + y * 256 + x * 4));
    }
  return {static_cast<unsigned>(bench.memory.reads), static_cast<unsigned>(bench.memory.writes),
          bench.done.received.empty() ? 0 : bench.done.received[0].first};
}

// The four runs of a sector of a tile follow one another. Those of a linear sector are four apart.
TEST(CopyEngine, RunsOfASectorShareItsTransactions) {
  for (const bool to_tiles : {false, true}) {
    const Transactions alone = copy_of_tiles(to_tiles, 1), four = copy_of_tiles(to_tiles, 4),
                       sixteen = copy_of_tiles(to_tiles, 16);
    EXPECT_EQ(alone.reads, 1024u);
    EXPECT_EQ(alone.writes, 1024u);
    EXPECT_EQ(four.reads, to_tiles ? 1024u : 256u);
    EXPECT_EQ(four.writes, to_tiles ? 256u : 1024u);
    EXPECT_EQ(sixteen.reads, 256u);
    // At the end of what is under way some of a linear sector's are not made yet.
    EXPECT_NEAR(sixteen.writes, 256u, 8);
    // A transaction takes a cycle.
    EXPECT_NEAR(static_cast<double>(alone.cycles), 2048, 60);
    EXPECT_NEAR(static_cast<double>(sixteen.cycles), 512, 30);
  }
}

// A chunk is made and written in one cycle.
TEST(CopyEngine, FillsASectorInACycle) {
  const auto time = [](uint32_t sectors) {
    Bench bench({}, 5);
    bench.send(Opcode::kFillBuffer, arch::FillBufferPacket{0, 64 * sectors, 9});
    bench.sim.run(bench.clock, 3000);
    return bench.done.received.at(0).first;
  };
  EXPECT_EQ(time(400) - time(200), 200u);
}

// Half the chunks at a time: memory turns around twice per half.
TEST(CopyEngine, ReadsAndWritesManyChunksAtATime) {
  for (const unsigned chunks : {2u, 16u, 64u}) {
    Bench bench({.chunks = chunks}, 5);
    bench.send(Opcode::kCopyBuffer, arch::CopyBufferPacket{0, 1 << 15, 64 * 256});
    bench.sim.run(bench.clock, 5000);
    ASSERT_EQ(bench.memory.seen.size(), 512u);
    uint32_t turns = 0;
    for (size_t i = 1; i < 512; i++)
      turns += bench.memory.seen[i].second.write != bench.memory.seen[i - 1].second.write;
    EXPECT_NEAR(turns, 512 / chunks * 2.0, 4) << chunks;
    EXPECT_EQ(bench.bytes(1 << 15, 64 * 256), bench.bytes(0, 64 * 256));
  }
}

// Independent copies wait for the memory latency only once.
TEST(CopyEngine, OverlapsTheDeclaredNumberOfCopies) {
  const auto time = [](unsigned copies, Cycle latency) {
    Bench bench({.copies = copies}, latency);
    for (uint32_t i = 0; i < 8; i++)
      bench.send(Opcode::kCopyBuffer, arch::CopyBufferPacket{64 * i, (1 << 15) + 64 * i, 64});
    bench.sim.run(bench.clock, 20000);
    EXPECT_EQ(bench.done.received.size(), 8u);
    return bench.done.received.back().first;
  };
  EXPECT_EQ(time(1, 400) - time(1, 300), 8 * 2 * 100u);
  EXPECT_EQ(time(4, 400) - time(4, 300), 2 * 2 * 100u);
  EXPECT_EQ(time(8, 400) - time(8, 300), 2 * 100u);
}

// A chain in which each copy reads part of the previous one's output: it waits for data not yet in memory.
TEST(CopyEngine, ReadsNothingThatACopyBeforeIsStillToWrite) {
  for (const unsigned copies : {1u, 2u, 8u})
    for (const Cycle latency : {1u, 5u, 300u}) {
      Bench bench({.copies = copies, .chunks = 8}, latency);
      std::vector<uint8_t> model(1 << 15);
      for (size_t i = 0; i < model.size(); i++) model[i] = static_cast<uint8_t>(i * 7 + i / 256);
      bench.memory.memory.write(0, model.data(), model.size());
      std::mt19937 random(3);
      for (int i = 0; i < 40; i++) {
        const uint32_t bytes = 1 + random() % 400, from = random() % 2000, to = 2400 + random() % 1000;
        const bool back = random() % 2;
        bench.send(Opcode::kCopyBuffer, arch::CopyBufferPacket{back ? to : from, back ? from : to, bytes});
        std::vector<uint8_t> moved(model.begin() + (back ? to : from),
                                   model.begin() + (back ? to : from) + bytes);
        std::copy(moved.begin(), moved.end(), model.begin() + (back ? from : to));
      }
      bench.sim.run(bench.clock, 200'000);
      EXPECT_EQ(bench.done.received.size(), 40u);
      EXPECT_TRUE(bench.bytes(0, model.size()) == model) << copies << " copies, latency " << latency;
    }
}

// A clear reaches memory by another path, so it runs alone.
TEST(CopyEngine, ClearsAloneBetweenCopies) {
  Bench bench({}, 100, {.color = true, .depth = false});
  arch::ClearPacket packet{};
  packet.surface = messages::testing::surface(arch::Format::R8_UNORM, 8, 8, 0x400);
  packet.width = packet.height = 8;
  bench.send(Opcode::kCopyBuffer, arch::CopyBufferPacket{0, 1 << 15, 64});
  bench.send(Opcode::kClear, packet);
  bench.send(Opcode::kCopyBuffer, arch::CopyBufferPacket{0, 1 << 14, 64});
  bench.sim.run(bench.clock, 1000);
  EXPECT_EQ(bench.memory.seen.size(), 2u) << "the second copy waits for the clear's answer";
  ASSERT_EQ(bench.clears.received.size(), 1u);
  EXPECT_GT(bench.clears.received[0].first, bench.memory.seen[1].first + 100);
  bench.cleared.messages.push_back({{0x400, 64}});
  bench.cleared.wake();
  bench.sim.run(bench.clock, 1000);
  EXPECT_EQ(bench.done.received.size(), 3u);
  EXPECT_EQ(bench.memory.seen.size(), 4u);
}

// Consecutive sectors, one per cycle, with the packet's bytes; nothing is read.
TEST(CopyEngine, ClearsWriteSectorsAndReadNone) {
  Bench bench;
  std::vector<uint8_t> model(1 << 15, 0x33);
  bench.memory.memory.write(0, model.data(), model.size());
  arch::ClearPacket packet{};
  packet.surface = messages::testing::surface(arch::Format::D24_UNORM_S8_UINT, 40, 24, 0x400);
  packet.x = 8, packet.width = 16, packet.y = 8, packet.height = 16;
  packet.aspect = static_cast<uint32_t>(arch::CopyAspect::kDepth);
  bench.send(Opcode::kClear, packet);
  for (uint32_t row = 1; row < 3; row++)
    for (uint32_t i = 0; i < 512; i++)
      if (i % 4 < 3) model[0x400 + row * 5 * 256 + 256 + i] = 0;
  bench.sim.run(bench.clock, 200);
  ASSERT_EQ(bench.done.received.size(), 1u);
  EXPECT_TRUE(bench.bytes(0, model.size()) == model);
  EXPECT_EQ(bench.memory.reads, 0u);
  ASSERT_EQ(bench.memory.writes, 16u);
  EXPECT_EQ(bench.memory.seen.back().first - bench.memory.seen.front().first, 15u);
  EXPECT_GE(bench.done.received[0].first, bench.memory.seen.back().first + bench.memory.latency);
  EXPECT_EQ(bench.box.counters.clears, 1u);
  EXPECT_EQ(bench.box.counters.sectors_cleared, 16u);
  EXPECT_EQ(bench.box.counters.copies, 0u);
}

// The memory controller tags a run's blocks if it can; the rest is written.
TEST(CopyEngine, ClearsWriteWhatHasNoTags) {
  arch::ClearPacket packet{};
  packet.surface = messages::testing::surface(arch::Format::R8_UNORM, 72, 24, 0x400);  // tiles of 64 bytes
  packet.width = 72, packet.height = 16;
  packet.value[0] = 0x3f800000;
  struct Case {
    CopyEngine::FastClears fast;
    func::ClearRun taken;
    std::vector<arch::Address> written;  // first sectors
    size_t sectors;
  };
  for (const Case& c : {Case{{true, false}, {0x400, 1024}, {0x800}, 2}, Case{{true, false}, {}, {0x400}, 18},
                        Case{{true, false}, {0x500, 512}, {0x400, 0x440, 0x480, 0x4c0, 0x700}, 10},
                        Case{{false, true}, {}, {0x400}, 18}}) {
    Bench bench({}, 10, c.fast);
    if (c.fast.color) bench.cleared.messages.push_back({c.taken});
    bench.send(Opcode::kClear, packet);
    bench.sim.run(bench.clock, 200);
    ASSERT_EQ(bench.done.received.size(), 1u);
    ASSERT_EQ(bench.clears.received.size(), c.fast.color ? 1u : 0u);
    if (c.fast.color) {
      const messages::ClearBlocks& order = bench.clears.received[0].second;
      EXPECT_EQ(order.run.address, 0x400u);
      EXPECT_EQ(order.run.bytes, 18 * 64u);
      EXPECT_EQ(order.layer.bytes, 27 * 64u);
    }
    ASSERT_EQ(bench.memory.seen.size(), c.sectors);
    for (size_t i = 0; i < c.written.size(); i++)
      EXPECT_EQ(bench.memory.seen[i].second.address, c.written[i]);
  }
}

TEST(CopyEngine, ColorAndDepthMayBeClearedFastAlone) {
  for (const CopyEngine::FastClears fast : {CopyEngine::FastClears{true, false}, {false, true}})
    for (const bool depth : {false, true}) {
      Bench bench({}, 10, fast);
      arch::ClearPacket packet{};
      packet.surface = messages::testing::surface(
          depth ? arch::Format::D32_SFLOAT : arch::Format::R8G8B8A8_UNORM, 8, 8, 0x400);
      packet.width = packet.height = 8;
      bench.send(Opcode::kClear, packet);
      bench.sim.run(bench.clock, 100);
      EXPECT_EQ(bench.clears.received.size(), fast.depth == depth ? 1u : 0u) << depth;
      EXPECT_EQ(bench.memory.writes, fast.depth == depth ? 0u : 4u) << depth;
    }
}

}  // namespace
}  // namespace cutaway::boxes::copy_engine_test
