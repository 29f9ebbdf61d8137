#include "parts/cache.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace cutaway::parts {
namespace {

// A memory that answers every request at once.
struct Backing {
  std::vector<std::byte> bytes = std::vector<std::byte>(1 << 16);
  uint64_t reads = 0, writes = 0;

  void serve(Cache& cache) {
    while (cache.has_request()) {
      const MemoryRequest request = cache.request();
      cache.pop_request();
      MemoryReply reply{.tag = request.tag, .write = request.write};
      if (request.write) {
        writes++;
        for (uint32_t i = 0; i < kSectorBytes; i++)
          if (request.mask >> i & 1) bytes[request.address + i] = request.data[i];
      } else {
        reads++;
        std::memcpy(reply.data.data(), &bytes[request.address], kSectorBytes);
      }
      cache.reply(reply);
    }
  }
};

TEST(Cache, FetchesOnlyTheSectorsAskedFor) {
  Cache cache(CacheGeometry{});
  uint32_t line;
  EXPECT_EQ(cache.access(0x1040, 0b0010, {}, line), Cache::Outcome::kMiss);
  EXPECT_FALSE(cache.ready(line, 0x40, 4));
  Backing memory;
  memory.bytes[0x1044] = std::byte{7};
  memory.serve(cache);
  EXPECT_TRUE(cache.ready(line, 0x40, 64));
  EXPECT_FALSE(cache.ready(line, 0x80, 1));
  EXPECT_EQ(cache.data(line)[0x44], std::byte{7});
  EXPECT_EQ(memory.reads, 1u);
  uint32_t again;
  EXPECT_EQ(cache.access(0x1070, 0b0010, {}, again), Cache::Outcome::kHit);
  EXPECT_EQ(again, line);
}

TEST(Cache, TellsHitsOnWhatIsUnderWay) {
  Cache cache(CacheGeometry{});
  Backing memory;
  uint32_t line;
  EXPECT_EQ(cache.access(0x1000, 0b0001, {}, line), Cache::Outcome::kMiss);
  EXPECT_EQ(cache.access(0x1000, 0b0001, {}, line), Cache::Outcome::kHitUnderWay);
  EXPECT_EQ(cache.access(0x1000, 0, {}, line), Cache::Outcome::kHit);  // nothing is to be read
  memory.serve(cache);
  EXPECT_EQ(cache.access(0x1000, 0b0001, {}, line), Cache::Outcome::kHit);
  EXPECT_EQ(cache.access(0x1040, 0b0010, {}, line), Cache::Outcome::kMiss);
  EXPECT_EQ(cache.access(0x1000, 0b0001, {}, line), Cache::Outcome::kHit);
  EXPECT_EQ(cache.access(0x1000, 0b0011, {}, line), Cache::Outcome::kHitUnderWay);
}

// Two lines may wait; a third that needs nothing from memory may be made, one that does may not.
TEST(Cache, OnlySoManyLinesWaitForSectors) {
  Cache cache({.misses = 2});
  Backing memory;
  uint32_t line;
  EXPECT_EQ(cache.access(0x1000, 0b0001, {}, line), Cache::Outcome::kMiss);
  EXPECT_EQ(cache.access(0x2000, 0b0001, {}, line), Cache::Outcome::kMiss);
  EXPECT_EQ(cache.access(0x3000, 0b0001, {}, line), Cache::Outcome::kStall);
  EXPECT_EQ(cache.line_of(0x3000), Cache::kNone);
  EXPECT_EQ(cache.access(0x3000, 0, {}, line), Cache::Outcome::kMiss);
  EXPECT_EQ(cache.access(0x3000, 0b0001, {}, line), Cache::Outcome::kStall);
  // More sectors of a line that waits already.
  EXPECT_EQ(cache.access(0x2000, 0b0110, {}, line), Cache::Outcome::kMiss);
  EXPECT_EQ(cache.access(0x1000, 0b0001, {}, line), Cache::Outcome::kHitUnderWay);
  cache.reply({.tag = cache.line_of(0x1000) * 4});
  EXPECT_EQ(cache.access(0x3000, 0b0001, {}, line), Cache::Outcome::kMiss);
  EXPECT_EQ(cache.access(0x4000, 0b0001, {}, line), Cache::Outcome::kStall);
  // The three sectors of a line are all awaited.
  cache.reply({.tag = cache.line_of(0x2000) * 4});
  cache.reply({.tag = cache.line_of(0x2000) * 4 + 1});
  EXPECT_EQ(cache.access(0x4000, 0b0001, {}, line), Cache::Outcome::kStall);
  cache.reply({.tag = cache.line_of(0x2000) * 4 + 2});
  EXPECT_EQ(cache.access(0x4000, 0b0001, {}, line), Cache::Outcome::kMiss);
  // When all have arrived two may wait again.
  cache.reply({.tag = cache.line_of(0x3000) * 4});
  cache.reply({.tag = cache.line_of(0x4000) * 4});
  EXPECT_EQ(cache.access(0x5000, 0b0001, {}, line), Cache::Outcome::kMiss);
  EXPECT_EQ(cache.access(0x6000, 0b0001, {}, line), Cache::Outcome::kMiss);
}

TEST(Cache, AFillKeepsBytesWrittenInTheMeantime) {
  Cache cache(CacheGeometry{});
  Backing memory;
  memory.bytes[0] = std::byte{1}, memory.bytes[1] = std::byte{1};
  uint32_t line;
  cache.access(0, 1, {}, line);
  const std::byte two{2};
  cache.write(line, 1, &two, 1);
  memory.serve(cache);
  EXPECT_EQ(cache.data(line)[0], std::byte{1});
  EXPECT_EQ(cache.data(line)[1], std::byte{2});
}

TEST(Cache, StallsWhenEveryWayIsPinnedAndChangesNothing) {
  Cache cache({.lines = 4, .ways = 4, .line_bytes = 64, .write_backs = 4});
  uint32_t line, pinned[4];
  for (uint32_t i = 0; i < 4; i++) ASSERT_NE(cache.access(i * 64, 0, {}, pinned[i]), Cache::Outcome::kStall);
  EXPECT_EQ(cache.access(4 * 64, 0, {}, line), Cache::Outcome::kStall);
  cache.unpin(pinned[2]);
  EXPECT_EQ(cache.access(4 * 64, 0, {}, line), Cache::Outcome::kMiss);
  EXPECT_EQ(line, pinned[2]);
}

TEST(Cache, EvictsTheLeastRecentlyUsed) {
  Cache cache({.lines = 2, .ways = 2, .line_bytes = 64, .write_backs = 4});
  uint32_t line;
  for (arch::Address address : {0, 64, 0, 128}) {
    cache.access(address, 0, {}, line);
    cache.unpin(line);
  }
  EXPECT_NE(cache.line_of(0), Cache::kNone);
  EXPECT_EQ(cache.line_of(64), Cache::kNone);
}

TEST(Cache, ADroppedDirtyBitLosesTheWrite) {
  for (uint64_t drop : {0, 1}) {
    Cache cache(CacheGeometry{});
    Backing memory;
    cache.drop_dirty_bit(drop);
    uint32_t line;
    cache.access(0, 0, {}, line);
    const std::byte five{5};
    cache.write(line, 3, &five, 1);
    while (!cache.flush({})) memory.serve(cache);
    EXPECT_EQ(memory.bytes[3], drop ? std::byte{0} : five);
  }
}

TEST(Cache, AnInvalidationForgetsCleanBytesAlone) {
  Cache cache(CacheGeometry{});
  Backing memory;
  uint32_t line;
  cache.access(0x1000, 0b0001, {}, line);
  memory.serve(cache);
  const std::byte five{5};
  cache.write(line, 2, &five, 1);
  cache.unpin(line);
  uint32_t clean;
  cache.access(0x2000, 0b0001, {}, clean);
  memory.serve(cache);
  cache.unpin(clean);

  cache.invalidate();
  EXPECT_EQ(cache.line_of(0x2000), Cache::kNone);
  EXPECT_TRUE(cache.ready(line, 2, 1));
  EXPECT_FALSE(cache.ready(line, 1, 1));
  memory.bytes[0x1001] = memory.bytes[0x1002] = std::byte{9};
  EXPECT_EQ(cache.access(0x1000, 0b0001, {}, line), Cache::Outcome::kMiss);
  memory.serve(cache);
  EXPECT_EQ(cache.data(line)[1], std::byte{9});  // read again
  EXPECT_EQ(cache.data(line)[2], five);
  while (!cache.flush({})) memory.serve(cache);
  EXPECT_EQ(memory.bytes[0x1002], five);
}

// Random reads and writes through a small cache behave like plain memory.
TEST(Cache, BehavesLikeMemory) {
  std::mt19937 random(1);
  Cache cache({.lines = 8, .ways = 2, .line_bytes = 128, .write_backs = 4});
  Backing memory;
  std::vector<std::byte> model(1 << 16);
  for (int step = 0; step < 20000; step++) {
    const uint32_t address = random() % 4096, offset = address % 128;
    const uint32_t bytes = std::min<uint32_t>(1 + random() % 8, 128 - offset);
    const bool write = random() % 2;
    uint32_t sectors = 0;
    if (!write)
      for (uint32_t b = offset; b < offset + bytes; b++) sectors |= 1u << b / kSectorBytes;
    uint32_t line;
    while (cache.access(address, sectors, {}, line) == Cache::Outcome::kStall) memory.serve(cache);
    if (write) {
      std::byte data[8];
      for (uint32_t i = 0; i < bytes; i++) data[i] = model[address + i] = static_cast<std::byte>(random());
      cache.write(line, offset, data, bytes);
      if (random() % 2) memory.serve(cache);
    } else {
      while (!cache.ready(line, offset, bytes)) memory.serve(cache);
      ASSERT_EQ(std::memcmp(cache.data(line) + offset, &model[address], bytes), 0) << step;
    }
    cache.unpin(line);
  }
  while (!cache.flush({})) memory.serve(cache);
  EXPECT_TRUE(memory.bytes == model);
}

}  // namespace
}  // namespace cutaway::parts
