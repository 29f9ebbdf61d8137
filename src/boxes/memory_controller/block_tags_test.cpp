#include "boxes/memory_controller/block_tags.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

#include "boxes/memory_controller/bench_for_test.h"

namespace cutaway::boxes {
namespace {

using namespace memory_bench;
using func::ClearRun;
using func::ClearValue;

ClearValue value_of(uint32_t element, uint32_t mask = ~0u) {
  ClearValue value;
  for (uint32_t i = 0; i < func::kClearBytes; i++) {
    value.bytes[i] = static_cast<std::byte>(element >> i % 4 * 8);
    if (mask >> i % 4 * 8 & 0xff) value.mask |= 1ull << i;
  }
  return value;
}

struct Tags {
  arch::Memory memory;
  BlockTags tags;

  explicit Tags(unsigned regions = 4, unsigned blocks = 256) : tags(regions, blocks, memory) {
    memory.map(0, 1 << 17);
    for (uint32_t i = 0; i < 1 << 17; i += 4) memory.write_as<uint32_t>(i, i);
  }
  ClearRun clear(ClearRun layer, ClearRun run, const ClearValue& value) {
    return tags.clear(layer, run, value);
  }
  uint32_t seen(arch::Address address) {
    arch::Memory view = memory;
    tags.expand_into(view);
    return view.read_as<uint32_t>(address);
  }
  uint32_t read(arch::Address address, bool& transfers) {
    parts::MemoryReply reply;
    transfers = tags.read(memory_bench::read(address / 64 * 64), reply);
    uint32_t word;
    std::memcpy(&word, reply.data.data() + address % 64, 4);
    return word;
  }
};

constexpr ClearRun kLayer{0x1000, 0x2000};

TEST(BlockTags, AClearedSectorNeedsNoMemoryUntilItIsWritten) {
  Tags t;
  bool transfers = false;
  EXPECT_EQ(t.clear(kLayer, kLayer, value_of(0x11223344)).bytes, kLayer.bytes);
  EXPECT_EQ(t.memory.read_as<uint32_t>(0x1404), 0x1404u) << "memory is as it was";
  EXPECT_EQ(t.read(0x1404, transfers), 0x11223344u);
  EXPECT_FALSE(transfers);
  EXPECT_EQ(t.seen(0x1404), 0x11223344u);
  EXPECT_EQ(t.seen(0x3000), 0x3000u);
  // The rest of the sector is written with it; the other sectors stay cleared.
  t.tags.write(write(0x1440, 0xab, 0, 0xf0));
  EXPECT_EQ(t.memory.read_as<uint32_t>(0x1440), 0x11223344u);
  EXPECT_EQ(t.read(0x1444, transfers), 0xababababu);
  EXPECT_TRUE(transfers);
  EXPECT_EQ(t.read(0x1400, transfers), 0x11223344u);
  EXPECT_FALSE(transfers);
}

TEST(BlockTags, AClearOfSomeBytesLeavesTheOthersInMemory) {
  Tags t;
  bool transfers = false;
  EXPECT_NE(t.clear(kLayer, kLayer, value_of(0x00777777, 0x00ffffff)).bytes, 0u);
  t.memory.write_as<uint32_t>(0x1500, 0x5a000000);
  EXPECT_EQ(t.read(0x1500, transfers), 0x5a777777u);
  EXPECT_TRUE(transfers);
  t.tags.write(write(0x1500, 0xee, 0, 0xf0));
  EXPECT_EQ(t.memory.read_as<uint32_t>(0x1500), 0x5a777777u);
  // A clear of the other bytes too needs none any more, where all blocks are cleared.
  EXPECT_EQ(t.clear(kLayer, kLayer, value_of(0x12000000, 0xff000000)).bytes, 0u);
  EXPECT_EQ(t.clear(kLayer, kLayer, value_of(0x00777777, 0x00ffffff)).bytes, 0u) << "one sector is not";
  EXPECT_NE(t.clear(kLayer, kLayer, value_of(0)).bytes, 0u);
  EXPECT_NE(t.clear(kLayer, kLayer, value_of(0x12000000, 0xff000000)).bytes, 0u);
  EXPECT_EQ(t.read(0x1500, transfers), 0x12000000u);
  EXPECT_FALSE(transfers);
}

TEST(BlockTags, ALayerHasOneValue) {
  Tags t;
  const ClearRun half{0x1000, 0x1000};
  EXPECT_NE(t.clear(kLayer, kLayer, value_of(1)).bytes, 0u);
  EXPECT_EQ(t.clear(kLayer, half, value_of(2)).bytes, 0u);
  EXPECT_EQ(t.seen(0x1000), 1u);
  EXPECT_NE(t.clear(kLayer, half, value_of(1)).bytes, 0u);
  EXPECT_NE(t.clear(kLayer, kLayer, value_of(2)).bytes, 0u);
  EXPECT_EQ(t.seen(0x1000), 2u);
  EXPECT_EQ(t.tags.counters.clears_refused, 1u);
}

TEST(BlockTags, RunsAreRoundedToWholeBlocksInwards) {
  Tags t;
  const ClearRun cleared = t.clear({0x1040, 0x1000}, {0x1040, 0x300}, value_of(3));
  EXPECT_EQ(cleared.address, 0x1100u);
  EXPECT_EQ(cleared.bytes, 0x200u);
  EXPECT_EQ(t.seen(0x10fc), 0x10fcu);
  EXPECT_EQ(t.seen(0x1100), 3u);
  EXPECT_EQ(t.seen(0x12fc), 3u);
  EXPECT_EQ(t.seen(0x1300), 0x1300u);
  EXPECT_EQ(t.clear({0x1040, 0x1000}, {0x1140, 0x100}, value_of(3)).bytes, 0u);
}

TEST(BlockTags, StorageHasADeclaredSize) {
  const auto layer = [](uint32_t i) { return ClearRun{0x1000 + i * 0x1000, 0x1000}; };
  Tags regions(2, 256), blocks(9, 40);  // a layer has 16 blocks
  for (Tags* t : {&regions, &blocks}) {
    for (uint32_t i = 0; i < 2; i++) EXPECT_NE(t->clear(layer(i), layer(i), value_of(i)).bytes, 0u);
    EXPECT_EQ(t->clear(layer(2), layer(2), value_of(2)).bytes, 0u);
    EXPECT_EQ(t->seen(0x3000), 0x3000u);
    // A layer without a tagged block makes room.
    t->tags.expand(0x1000, 0x1000);
    EXPECT_EQ(t->memory.read_as<uint32_t>(0x1ffc), 0u);
    EXPECT_EQ(t->tags.counters.host_blocks_expanded, 16u);
    EXPECT_NE(t->clear(layer(2), layer(2), value_of(2)).bytes, 0u);
  }
  Tags none(4, 0);
  EXPECT_EQ(none.clear(layer(0), layer(0), value_of(1)).bytes, 0u);
  // Another surface in the same memory.
  EXPECT_EQ(regions.clear({0x2800, 0x400}, {0x2800, 0x400}, value_of(5)).bytes, 0u);
}

TEST(BlockTags, WhatIsNotMappedIsNotCleared) {
  Tags t;
  EXPECT_EQ(t.clear({0x1f000, 0x2000}, {0x1f000, 0x2000}, value_of(1)).bytes, 0u);
  EXPECT_NE(t.clear({0x1f000, 0x2000}, {0x1f000, 0x1000}, value_of(1)).bytes, 0u);
}

TEST(BlockTags, ADroppedTagShowsWhatMemoryHeld) {
  Tags t;
  t.tags.drop_tag = 2;
  t.clear(kLayer, kLayer, value_of(0));
  EXPECT_EQ(t.seen(0x1000), 0u);
  EXPECT_EQ(t.seen(0x1100), 0x1100u);
  EXPECT_EQ(t.seen(0x1200), 0u);
}

// ---- In the memory controller ----

// So many blocks a cycle; not done a cycle before.
TEST(BlockTags, AClearTakesTheCyclesOfItsBlocks) {
  const auto cycles = [](unsigned rate, uint64_t blocks) {
    MemoryControllerSpec spec = kSpec;
    spec.clear_blocks = rate;
    Bench bench(spec, {{}});
    bench.clears.messages.push_back(
        {.layer = {0x1000, 0x10000}, .run = {0x1000, blocks * 256}, .value = value_of(1)});
    bench.sim.run(bench.clock, 1000);
    EXPECT_EQ(bench.cleared.received.size(), 1u);
    EXPECT_EQ(bench.cleared.received.at(0).second.cleared.bytes, blocks * 256);
    return bench.cleared.received.at(0).first;
  };
  const Cycle refused = cycles(1, 0);
  for (unsigned rate : {1u, 3u, 16u})
    for (uint64_t blocks : {1u, 48u, 49u})
      EXPECT_EQ(cycles(rate, blocks), refused + (blocks + rate - 1) / rate);
}

// A read of what is cleared is answered without the bus.
TEST(BlockTags, RepliesWaitForWhatIsTransferred) {
  const auto arrival = [](bool cleared) {
    Bench bench(kSpec, {{read(0x1000, 2)}});
    if (cleared) bench.controller.tags().clear({0x1000, 0x1000}, {0x1000, 0x1000}, value_of(1));
    bench.sim.run(bench.clock, 200);
    EXPECT_EQ(bench.controller.client_counters[0].read_bytes, cleared ? 0u : 64u);
    return bench.arrivals(0).at(0);
  };
  EXPECT_EQ(arrival(true), arrival(false) - 4);  // 64 bytes at 16 a cycle
}

}  // namespace
}  // namespace cutaway::boxes
