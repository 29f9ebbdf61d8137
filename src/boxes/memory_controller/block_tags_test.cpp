#include "boxes/memory_controller/block_tags.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

#include "boxes/memory_controller/bench_for_test.h"
#include "func/rop/depth_block.h"

namespace cutaway::boxes::block_tags_test {
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

  explicit Tags(unsigned regions = 4, unsigned blocks = 256) : tags(regions, blocks, 2, 2, memory) {
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
    messages::MemoryReply reply;
    transfers = tags.read(memory_bench::read(address / 64 * 64), 0, reply).reads != 0;
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
  // The rest of the sector is written too; the other sectors stay cleared.
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
  EXPECT_NE(t.clear(kLayer, kLayer, value_of(0x00666666, 0x00ffffff)).bytes, 0u) << "the same bytes again";
  EXPECT_EQ(t.read(0x1500, transfers), 0x5a666666u);
  EXPECT_NE(t.clear(kLayer, kLayer, value_of(0)).bytes, 0u);
  EXPECT_NE(t.clear(kLayer, kLayer, value_of(0x12000000, 0xff000000)).bytes, 0u);
  EXPECT_EQ(t.read(0x1500, transfers), 0x12000000u);
  EXPECT_FALSE(transfers);
}

// As a draw that tests depth alone reads a surface of depth and stencil.
TEST(BlockTags, AReadOfClearedBytesNeedsNoMemory) {
  Tags t;
  constexpr messages::ByteMask kDepths = 0x7777777777777777;
  t.clear(kLayer, kLayer, value_of(0x00777777, 0x00ffffff));
  messages::MemoryRequest request = memory_bench::read(0x1500);
  request.mask = kDepths;
  messages::MemoryReply reply;
  EXPECT_EQ(t.tags.read(request, 0, reply).reads, 0);
  EXPECT_EQ(reply.mask, kDepths) << "memory holds the stencils";
  EXPECT_EQ(reply.data[0], std::byte{0x77});
  EXPECT_EQ(t.tags.counters.cleared_sectors, 1u);
  request.opportunistic = messages::Opportunistic::kOfCleared;
  reply = {};
  t.tags.read(request, 0, reply);
  EXPECT_FALSE(reply.declined);
  request.mask = messages::kAllBytes;
  t.tags.read(request, 0, reply);
  EXPECT_TRUE(reply.declined);
  // A byte that the value lacks, and a sector that has been written.
  request.opportunistic = messages::Opportunistic::kNo, request.mask = 1 << 3;
  EXPECT_NE(t.tags.read(request, 0, reply).reads, 0);
  t.tags.write(write(0x1500, 0xee, 0, 1));
  request.mask = kDepths;
  EXPECT_NE(t.tags.read(request, 0, reply).reads, 0);
}

// Depth and stencil are cleared one after the other, between them some sectors are written.
TEST(BlockTags, PartsAreClearedApart) {
  Tags t;
  bool transfers = false;
  const ClearValue depth = value_of(0x00777777, 0x00ffffff), stencil = value_of(0x12000000, 0xff000000);
  EXPECT_NE(t.clear(kLayer, kLayer, value_of(0x5a111111)).bytes, 0u);
  t.tags.write(write(0x1500, 0xee));
  EXPECT_NE(t.clear(kLayer, kLayer, depth).bytes, 0u)
      << "stencils of some sectors are in memory, of others cleared";
  EXPECT_EQ(t.read(0x1400, transfers), 0x5a777777u);
  EXPECT_FALSE(transfers);
  EXPECT_EQ(t.read(0x1500, transfers), 0xee777777u);
  EXPECT_TRUE(transfers);
  EXPECT_EQ(t.seen(0x1500), 0xee777777u);
  // The rest of the layer has cleared stencils of another value.
  EXPECT_EQ(t.clear(kLayer, {0x1000, 0x800}, stencil).bytes, 0u);
  EXPECT_EQ(t.clear(kLayer, kLayer, value_of(0x0000abcd, 0x0000ffff)).bytes, 0u) << "parts of other bytes";
  EXPECT_EQ(t.seen(0x1400), 0x5a777777u);
  EXPECT_NE(t.clear(kLayer, kLayer, stencil).bytes, 0u);
  EXPECT_EQ(t.read(0x1500, transfers), 0x12777777u);
  EXPECT_FALSE(transfers) << "both parts are cleared";
  EXPECT_NE(t.clear(kLayer, kLayer, value_of(0x0000abcd, 0x0000ffff)).bytes, 0u);
  EXPECT_EQ(t.read(0x1500, transfers), 0x1277abcdu);
}

// A second clear covers the data of a compressed block.
TEST(BlockTags, ClearsOfBothPartsEndCompression) {
  Tags t;
  t.clear(kLayer, kLayer, value_of(0));
  messages::MemoryRequest packed = write(0x1500, 0);
  packed.packed = 1;
  t.tags.write(packed);
  t.clear(kLayer, kLayer, value_of(0x00777777, 0x00ffffff));
  bool transfers = false;
  t.read(0x1540, transfers);
  EXPECT_TRUE(transfers) << "stencils of the compressed block";
  t.clear(kLayer, kLayer, value_of(0x12000000, 0xff000000));
  EXPECT_EQ(t.read(0x1540, transfers), 0x12777777u);
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

TEST(BlockTags, UnmappedMemoryIsNotCleared) {
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

// ---- Compressed blocks ----

constexpr arch::Address kBlock = 0x1400;

// A block of depths with a stencil in the upper bits, plain and compressed.
struct Depths {
  std::array<uint32_t, 64> plain;
  std::array<std::byte, 256> packed{};
  uint32_t sectors;

  // noise: 0 for one sector, 4095 for two.
  explicit Depths(uint32_t noise) {
    for (uint32_t i = 0; i < 64; i++)
      plain[i] = 0x33400000 + 1000 * (i % 4) + (i * 2654435761u >> 16 & noise);
    sectors = func::pack_depth_block(reinterpret_cast<const std::byte*>(plain.data()), 24, packed.data());
  }
  // True if the address reads as this word.
  bool is(arch::Address address, uint32_t word) const { return plain[(address - kBlock) / 4] == word; }
};

struct PackedTags : Tags {
  explicit PackedTags(const Depths& depths) {
    clear(kLayer, kLayer, value_of(0x11223344));
    for (uint32_t s = 0; s < depths.sectors; s++) {
      MemoryRequest request = write(kBlock + 64 * s, 0);
      request.packed = static_cast<uint8_t>(depths.sectors);
      std::copy_n(depths.packed.begin() + 64 * s, 64, request.data.begin());
      EXPECT_EQ(tags.write(request).writes, 1u << s);
    }
  }
  unsigned reads(arch::Address address, unsigned channel = 0) {
    messages::MemoryReply reply;
    return tags.read(memory_bench::read(address), channel, reply).reads;
  }
};

TEST(PackedBlocks, TakeFewerSectorsAndReadUnchanged) {
  for (const uint32_t noise : {0u, 4095u}) {
    const Depths depths(noise);
    ASSERT_EQ(depths.sectors, noise ? 2u : 1u);
    PackedTags t(depths);
    bool transfers;
    for (arch::Address address = kBlock; address < kBlock + 256; address += 4) {
      EXPECT_PRED2([&](auto at, auto word) { return depths.is(at, word); }, address,
                   t.read(address, transfers));
      EXPECT_PRED2([&](auto at, auto word) { return depths.is(at, word); }, address, t.seen(address));
    }
    EXPECT_EQ(t.seen(kBlock + 256), 0x11223344u);
    EXPECT_TRUE(t.tags.any());
  }
}

TEST(PackedBlocks, AreTransferredOnceForEachChannelThatKeepsThem) {
  PackedTags t(Depths(4095));
  EXPECT_EQ(t.reads(kBlock + 128), 3u);
  EXPECT_EQ(t.reads(kBlock), 0u) << "the channel has it";
  EXPECT_EQ(t.reads(kBlock, 1), 3u) << "another has not";
  EXPECT_EQ(t.reads(kBlock + 64, 1), 0u);
  EXPECT_EQ(t.tags.counters.sectors_saved, 2u);
  t.tags.write(write(kBlock, 1));
  EXPECT_EQ(t.reads(kBlock), 1u) << "it is plain now";
}

TEST(PackedBlocks, APlainWriteExpandsThem) {
  const Depths depths(4095);
  PackedTags t(depths);
  bool transfers;
  EXPECT_EQ(t.reads(kBlock), 3u);
  const BlockTags::Transfers moved = t.tags.write(write(kBlock + 64, 0xab, 0, 0xf0));
  EXPECT_EQ(moved.reads, 3u);
  EXPECT_EQ(moved.writes, 15u);
  EXPECT_TRUE(moved.expands);
  EXPECT_EQ(t.read(kBlock + 68, transfers), 0xababababu);
  for (const arch::Address at : {0u, 64u, 72u, 252u})
    EXPECT_TRUE(depths.is(kBlock + at, t.read(kBlock + at, transfers)));
  EXPECT_EQ(t.memory.read_as<uint32_t>(kBlock + 252), depths.plain[63]);
  EXPECT_EQ(t.tags.counters.blocks_expanded, 1u);
}

TEST(PackedBlocks, AWholeBlockTakesTheirPlace) {
  PackedTags t(Depths(0));
  for (uint32_t s = 0; s < 4; s++) {
    MemoryRequest request = write(kBlock + 64 * s, static_cast<uint8_t>(s + 1));
    request.packed = 4;
    EXPECT_EQ(t.tags.write(request).writes, 1u << s);
  }
  bool transfers;
  for (uint32_t s = 0; s < 4; s++) EXPECT_EQ(t.read(kBlock + 64 * s, transfers), (s + 1) * 0x01010101);
  EXPECT_EQ(t.tags.counters.blocks_expanded, 0u);
}

// A clear of depths keeps the stencils, compressed.
TEST(PackedBlocks, AClearOfSomeBytesComesOnTop) {
  PackedTags t(Depths(0));
  bool transfers;
  t.read(kBlock, transfers);
  const auto clear = [&](uint32_t value) {
    return t.clear(kLayer, {kBlock, 0x200}, value_of(value, 0x00ffffff)).bytes;
  };
  EXPECT_EQ(clear(0x777777), 0u) << "the other blocks have another value";
  t.tags.expand(0x1000, kBlock - 0x1000), t.tags.expand(kBlock + 0x100, 0x3000);
  EXPECT_NE(clear(0x777777), 0u);
  EXPECT_EQ(t.read(kBlock + 64, transfers), 0x33777777u);
  EXPECT_TRUE(transfers);
  // The same bytes again, after some blocks were written.
  t.tags.write(write(kBlock + 0x100, 5));
  EXPECT_NE(clear(0x888888), 0u);
  EXPECT_EQ(t.read(kBlock + 64, transfers), 0x33888888u);
  EXPECT_EQ(t.seen(kBlock + 0x100), 0x05888888u);
  t.tags.write(write(kBlock, 0xab, 0, 15));
  EXPECT_EQ(t.read(kBlock, transfers), 0xababababu);
  EXPECT_EQ(t.read(kBlock + 4, transfers), 0x33888888u);
}

TEST(PackedBlocks, CostlyOpportunisticFetchesAreDeclined) {
  Tags t;
  const auto declined = [&](arch::Address address, messages::Opportunistic opportunistic) {
    messages::MemoryReply reply;
    MemoryRequest request = read(address);
    request.opportunistic = opportunistic;
    const unsigned reads = t.tags.read(request, 0, reply).reads;
    EXPECT_TRUE(!reply.declined || !reads);
    return reply.declined;
  };
  EXPECT_TRUE(declined(kBlock, messages::Opportunistic::kOfPacked));
  t.clear(kLayer, kLayer, value_of(7));
  EXPECT_FALSE(declined(kBlock, messages::Opportunistic::kOfPacked));
  EXPECT_FALSE(declined(kBlock, messages::Opportunistic::kOfCleared));
  MemoryRequest packed = write(kBlock, 0);
  packed.packed = 1;
  t.tags.write(packed);
  EXPECT_FALSE(declined(kBlock, messages::Opportunistic::kOfPacked));
  EXPECT_TRUE(declined(kBlock, messages::Opportunistic::kOfCleared));
}

// A layer keeps its tags, even if none is set, while a cache may hold blocks to be written compressed.
TEST(PackedBlocks, KeepTheirLayerUntilCachesHaveForgotten) {
  Tags t(1);
  t.clear(kLayer, kLayer, value_of(7));
  const ClearRun other{0x8000, 0x1000};
  messages::MemoryReply reply;
  MemoryRequest request = read(kBlock);
  request.packs = true;
  t.tags.read(request, 0, reply);
  EXPECT_TRUE(reply.may_pack);
  t.tags.expand(kLayer.address, kLayer.bytes);
  EXPECT_EQ(t.clear(other, other, value_of(1)).bytes, 0u);
  t.tags.forget_packers();
  EXPECT_EQ(t.clear(other, other, value_of(1)).bytes, other.bytes);
}

TEST(PackedBlocks, ReadersThatDoNotCompressKeepNoLayer) {
  Tags t(1);
  t.clear(kLayer, kLayer, value_of(7));
  messages::MemoryReply reply;
  t.tags.read(read(kBlock), 0, reply);
  EXPECT_FALSE(reply.may_pack);
  t.tags.expand(kLayer.address, kLayer.bytes);
  const ClearRun other{0x8000, 0x1000};
  EXPECT_EQ(t.clear(other, other, value_of(1)).bytes, other.bytes);
}

// ---- In the memory controller ----

// A number of blocks per cycle, and not a cycle less.
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

// A read of a cleared sector is answered without the bus.
TEST(BlockTags, RepliesWaitForTheirTransfers) {
  const auto arrival = [](bool cleared) {
    Bench bench(kSpec, {{read(0x1000, 2)}});
    if (cleared) bench.controller.tags().clear({0x1000, 0x1000}, {0x1000, 0x1000}, value_of(1));
    bench.sim.run(bench.clock, 200);
    EXPECT_EQ(bench.controller.client_counters[0].read_bytes, cleared ? 0u : 64u);
    return bench.arrivals(0).at(0);
  };
  EXPECT_EQ(arrival(true), arrival(false) - 4);  // 64 bytes at 16 per cycle
}

// Sectors transferred in sequence, plus the expander's latency.
TEST(PackedBlocks, RepliesWaitForTheirSectorsAndTheExpander) {
  const Depths depths(4095);
  const auto arrivals = [&](bool packed, unsigned expand_latency, MemoryRequest request) {
    MemoryControllerSpec spec = kSpec;
    spec.expand_latency = expand_latency;
    spec.read_to_write = 0;
    Bench bench(spec, {{request, read(kBlock + 64, 3)}});
    BlockTags& tags = bench.controller.tags();
    tags.clear({kBlock, 256}, {kBlock, 256}, value_of(1));
    for (uint32_t s = 0; s < 4; s++) {
      MemoryRequest block = write(kBlock + 64 * s, 9);
      block.packed = packed ? 2 : 4;
      if (packed && s < 2) std::copy_n(depths.packed.begin() + 64 * s, 64, block.data.begin());
      if (!packed || s < 2) tags.write(block);
    }
    bench.sim.run(bench.clock, 300);
    return bench.arrivals(0);
  };
  const Cycle plain = arrivals(false, 0, read(kBlock)).at(0), sector = 4;  // 64 bytes at 16 per cycle
  EXPECT_EQ(arrivals(true, 0, read(kBlock)).at(0), plain + sector);
  EXPECT_EQ(arrivals(true, 11, read(kBlock)).at(0), plain + sector + 11);
  // The second read finds the block expanded.
  EXPECT_EQ(arrivals(true, 11, read(kBlock)).at(1), plain + sector + 11 + 1);
  // A write of one sector: two are read and four written.
  EXPECT_EQ(arrivals(true, 0, write(kBlock, 1)).at(0),
            arrivals(false, 0, write(kBlock, 1)).at(0) + 5 * sector);
}

// Simultaneous reads of cleared sectors before a read of one that is not: a limited number per cycle.
TEST(BlockTags, ClearedReadsTakeNoBusTurn) {
  const auto arrivals = [](unsigned lookups) {
    MemoryControllerSpec spec = kSpec;
    spec.channels = 1, spec.tag_lookups = lookups;
    // The first keeps the bus busy until the others have arrived.
    spec.bytes_per_cycle = 1;
    std::vector<MemoryRequest> requests{read(0x8000)};
    for (uint32_t i = 0; i < 4; i++) requests.push_back(read(0x1000 + 64 * i));
    requests.push_back(read(0x8040));
    Bench bench(spec, {requests});
    bench.controller.tags().clear({0x1000, 0x1000}, {0x1000, 0x1000}, value_of(1));
    bench.sim.run(bench.clock, 400);
    return bench.arrivals(0);
  };
  const std::vector<Cycle> one = arrivals(1), two = arrivals(2), four = arrivals(4), five = arrivals(5);
  EXPECT_EQ(four.at(5), one.at(5) - 3);
  EXPECT_EQ(two.at(5), one.at(5) - 2);
  EXPECT_EQ(five.at(5), four.at(5) - 1) << "the one that needs memory goes with them";
}

}  // namespace
}  // namespace cutaway::boxes::block_tags_test
