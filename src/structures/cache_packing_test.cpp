// Caches of blocks that may be compressed.
#include <gtest/gtest.h>
#include <vector>

#include "structures/cache_backing_for_test.h"

namespace cutaway::structures::cache_packing_test {
namespace {

using cache_bench::Backing;

constexpr Packing kPacking{.depth_bits = 24, .surface = 0x1000};

struct PackingBench {
  Cache cache{CacheGeometry{.lines = 4, .ways = 4}};
  Backing memory;
  uint32_t line = 0;

  PackingBench() { memory.tagged = true; }
  Cache::Outcome access(arch::Address address, uint32_t fetch) {
    const Cache::Outcome outcome = cache.access(address, fetch, {}, line, kPacking);
    memory.serve(cache);
    return outcome;
  }
  // Evicts the line that was used last.
  void write(uint32_t offset, uint32_t element) { cache.write(line, offset, &element, 4); }
  // The writes that it brings, in how many sectors their block is.
  std::vector<uint32_t> flush() {
    memory.seen.clear();
    while (!cache.flush({})) memory.serve(cache);
    std::vector<uint32_t> packed;
    for (const messages::MemoryRequest& request : memory.seen) packed.push_back(request.packed);
    return packed;
  }
};

TEST(PackingCache, AsksForTheWholeBlockBeside) {
  PackingBench bench;
  EXPECT_EQ(bench.access(0x1040, 0b0010), Cache::Outcome::kMiss);
  ASSERT_EQ(bench.memory.seen.size(), 4u);
  EXPECT_EQ(bench.memory.seen[0].address, 0x1040u) << "what the access waits for comes first";
  for (size_t i = 0; i < 4; i++)
    EXPECT_EQ(bench.memory.seen[i].opportunistic,
              i ? messages::Opportunistic::kOfPacked : messages::Opportunistic::kNo)
        << i;
  EXPECT_EQ(bench.access(0x1080, 0b0100), Cache::Outcome::kHit);
  // A line that is written without being read: what is cleared.
  bench.memory.seen.clear();
  EXPECT_EQ(bench.access(0x2000, 0), Cache::Outcome::kMiss);
  ASSERT_EQ(bench.memory.seen.size(), 4u);
  for (const messages::MemoryRequest& request : bench.memory.seen)
    EXPECT_EQ(request.opportunistic, messages::Opportunistic::kOfCleared);
}

TEST(PackingCache, AsksOnceOfABlockThatIsOverwritten) {
  PackingBench bench;
  Packing packing = kPacking;
  packing.overwritten = true;
  bench.cache.access(0x2000, 0, {}, bench.line, packing);
  bench.memory.serve(bench.cache);
  ASSERT_EQ(bench.memory.seen.size(), 1u);
  EXPECT_EQ(bench.memory.seen[0].opportunistic, messages::Opportunistic::kOfCleared);
  for (uint32_t offset = 0; offset < 256; offset += 4) bench.write(offset, 0x123);
  EXPECT_EQ(bench.flush(), std::vector<uint32_t>{1}) << "compressed all the same";
}

TEST(PackingCache, AsksNothingBesideOfASurfaceWithoutTags) {
  PackingBench bench;
  bench.memory.tagged = false;
  bench.access(0x1000, 0b0001);
  const auto asked = [&](arch::Address address, Packing packing) {
    bench.memory.seen.clear();
    bench.cache.access(address, 0b0001, {}, bench.line, packing);
    bench.memory.serve(bench.cache);
    return bench.memory.seen.size();
  };
  EXPECT_EQ(asked(0x1100, kPacking), 1u);
  EXPECT_EQ(asked(0x8000, {.depth_bits = 24, .surface = 0x8000}), 4u) << "another may have them";
  bench.cache = Cache(CacheGeometry{.lines = 4, .ways = 4});
  bench.memory.tagged = true;
  EXPECT_EQ(asked(0x1100, kPacking), 4u);
  // A clear may give it tags: all is forgotten before.
  bench.memory.tagged = false;
  bench.access(0x1200, 0b0001);
  for (uint32_t line = 0; line < 4; line++)
    if (bench.cache.address_of(line) != ~0ull) bench.cache.unpin(line);
  bench.cache.invalidate();
  EXPECT_EQ(asked(0x1300, kPacking), 4u);
}

TEST(PackingCache, AsksAgainForWhatWasDeclinedOrIsStillUnderWay) {
  PackingBench bench;
  bench.memory.tagged = false;
  EXPECT_EQ(bench.access(0x1000, 0b0001), Cache::Outcome::kMiss);
  EXPECT_EQ(bench.memory.reads, 4u);
  EXPECT_FALSE(bench.cache.ready(bench.line, 0x40, 4));
  bench.memory.seen.clear();
  EXPECT_EQ(bench.access(0x1040, 0b0010), Cache::Outcome::kMiss);
  ASSERT_EQ(bench.memory.seen.size(), 1u) << "others that were declined are not asked for again";
  EXPECT_TRUE(bench.cache.ready(bench.line, 0x40, 64));
  // Before the answer has come.
  uint32_t line;
  bench.cache.access(0x3000, 0b0001, {}, line, kPacking);
  bench.cache.access(0x3040, 0b0010, {}, line, kPacking);
  bench.memory.serve(bench.cache);
  EXPECT_TRUE(bench.cache.ready(line, 0x40, 64));
  EXPECT_TRUE(bench.cache.idle());
}

TEST(PackingCache, WritesBlocksBackInAsManySectorsAsTheyNeed) {
  PackingBench bench;
  bench.access(0x1000, 0b0001);
  for (uint32_t i = 0; i < 64; i++) bench.write(4 * i, 0x05123456);
  EXPECT_EQ(bench.flush(), std::vector<uint32_t>{1});
  EXPECT_TRUE(bench.flush().empty()) << "clean now";
  // Noise: a block that was compressed is written whole, one that was not only where it is dirty.
  for (uint32_t i = 0; i < 64; i++) bench.write(4 * i, i * 2654435761u);
  EXPECT_EQ(bench.flush(), (std::vector<uint32_t>{4, 4, 4, 4}));
  bench.write(0x80, 77);
  EXPECT_EQ(bench.flush(), std::vector<uint32_t>{0});
  EXPECT_EQ(bench.memory.seen.at(0).address, 0x1080u);
  EXPECT_EQ(bench.memory.seen.at(0).mask, 15u);
  EXPECT_EQ(bench.cache.packed().one, 1u);
  EXPECT_EQ(bench.cache.packed().plain, 2u);
}

TEST(PackingCache, WritesWhatIsNotWholeOrMayNotBeCompressedAsItIs) {
  for (const bool tagged : {true, false}) {
    PackingBench bench;
    bench.memory.tagged = tagged;
    bench.cache.access(0x1000, 0, {}, bench.line, tagged ? Packing{} : kPacking);
    bench.memory.serve(bench.cache);
    for (uint32_t i = 0; i < 16; i++) bench.write(4 * i, 1);
    EXPECT_EQ(bench.flush(), std::vector<uint32_t>{0});
  }
}

TEST(PackingCache, NeedsRoomForAWholeBlock) {
  Cache cache({.lines = 1, .ways = 1, .write_backs = 4});
  Backing memory;
  memory.tagged = true;
  uint32_t line;
  EXPECT_EQ(cache.access(0x1000, 1, {}, line, kPacking), Cache::Outcome::kMiss);
  memory.serve(cache);
  const uint32_t value = 5;
  cache.write(line, 0, &value, 4);
  cache.unpin(line);
  // Four sectors go and four are asked for: eight are room enough, seven are not.
  EXPECT_EQ(cache.access(0x2000, 1, {}, line, kPacking), Cache::Outcome::kMiss);
  cache.unpin(line);
  EXPECT_EQ(cache.access(0x3000, 1, {}, line, kPacking), Cache::Outcome::kStall);
  memory.serve(cache);
  EXPECT_EQ(cache.access(0x3000, 1, {}, line, kPacking), Cache::Outcome::kMiss);
}

}  // namespace
}  // namespace cutaway::structures::cache_packing_test
