// Compressed blocks.
#include <gtest/gtest.h>

#include "boxes/memory_controller/tags_for_test.h"

namespace cutaway::boxes::packed_blocks_test {
namespace {

using namespace block_tags_bench;

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

}  // namespace
}  // namespace cutaway::boxes::packed_blocks_test
