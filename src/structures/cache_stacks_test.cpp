// Caches of samples whose equal sectors are written at once.
#include <gtest/gtest.h>
#include <vector>

#include "structures/cache_backing_for_test.h"

namespace cutaway::structures::cache_stacks_test {
namespace {

using cache_bench::Backing;

// Two samples: a tile of the second lies 256 bytes behind that of the first.
constexpr Packing kPair{.stack = {2, 256}, .surface = 0x1000};

struct StackBench {
  Cache cache;
  Backing memory;

  explicit StackBench(uint32_t lines) : cache({.lines = lines, .ways = lines, .stacks = true}) {
    memory.tagged = true;
  }
  // Writes a value to all of the first sector of a tile.
  void write(arch::Address address, uint32_t value) {
    uint32_t line = 0;
    EXPECT_EQ(cache.access(address, 0, {}, line, kPair), Cache::Outcome::kMiss);
    memory.serve(cache);
    for (uint32_t i = 0; i < 16; i++) cache.write(line, 4 * i, &value, 4);
    cache.unpin(line);
  }
  std::vector<arch::Address> flush() {
    memory.seen.clear();
    while (!cache.flush({})) memory.serve(cache);
    std::vector<arch::Address> written;
    for (const messages::MemoryRequest& request : memory.seen) written.push_back(request.address);
    return written;
  }
};

TEST(CacheStacks, EqualSamplesAreWrittenOnce) {
  for (const bool equal : {true, false}) {
    StackBench bench(4);
    bench.write(0x1000, 5);
    bench.write(0x1100, equal ? 5 : 6);
    EXPECT_EQ(bench.flush(),
              equal ? std::vector<arch::Address>{0x1100} : std::vector<arch::Address>({0x1000, 0x1100}));
    EXPECT_EQ(static_cast<bool>(bench.memory.seen[0].stack), equal);
  }
}

// The first sample's line goes while the write that gave it its bytes is under way.
TEST(CacheStacks, ASampleIsNotReadBeforeTheWriteOfItsStack) {
  StackBench bench(2);
  bench.write(0x1000, 5);
  bench.write(0x1100, 5);
  EXPECT_FALSE(bench.cache.flush({}));
  ASSERT_TRUE(bench.cache.has_request());
  uint32_t line = 0;
  ASSERT_EQ(bench.cache.access(0x4000, 0, {}, line), Cache::Outcome::kMiss);
  bench.cache.unpin(line);
  EXPECT_EQ(bench.cache.access(0x1000, 1, {}, line, kPair), Cache::Outcome::kStall);
  EXPECT_EQ(bench.cache.access(0x1000, 0, {}, line, kPair), Cache::Outcome::kStall);
  bench.memory.serve(bench.cache);
  EXPECT_EQ(bench.cache.access(0x1000, 1, {}, line, kPair), Cache::Outcome::kMiss);
}

}  // namespace
}  // namespace cutaway::structures::cache_stacks_test
