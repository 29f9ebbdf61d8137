#include "boxes/memory_controller/block_tags.h"

#include <gtest/gtest.h>

#include "boxes/memory_controller/tags_for_test.h"

namespace cutaway::boxes::block_tags_test {
namespace {

using namespace block_tags_bench;

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

}  // namespace
}  // namespace cutaway::boxes::block_tags_test
