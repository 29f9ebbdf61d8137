// Caches that ask for halves of sectors.
#include <cstring>
#include <gtest/gtest.h>
#include <random>

#include "structures/cache.h"

namespace cutaway::structures {
namespace {

constexpr CacheGeometry kHalves{.grain = 32};
constexpr messages::ByteMask kFirst = messages::byte_mask(0, 32), kSecond = messages::byte_mask(32, 32);

// A memory that answers what it is told to, with what is wanted alone. Byte i of it is i modulo 251.
struct Backing {
  std::vector<std::byte> bytes = std::vector<std::byte>(1 << 16);
  std::vector<messages::MemoryRequest> seen;

  Backing() {
    for (size_t i = 0; i < bytes.size(); i++) bytes[i] = static_cast<std::byte>(i % 251);
  }
  void take(Cache& cache) {
    for (; cache.has_request(); cache.pop_request()) seen.push_back(cache.request());
  }
  void answer(Cache& cache, const messages::MemoryRequest& request) {
    messages::MemoryReply reply{.tag = request.tag, .write = request.write};
    if (request.write) {
      for (uint32_t i = 0; i < messages::kSectorBytes; i++)
        if (request.mask >> i & 1) bytes[request.address + i] = request.data[i];
    } else {
      std::memcpy(reply.data.data(), &bytes[request.address], messages::kSectorBytes);
      reply.bring(request.mask);
    }
    cache.reply(reply);
  }
  void serve(Cache& cache) {
    take(cache);
    for (; answered_ < seen.size(); answered_++) answer(cache, seen[answered_]);
  }

 private:
  size_t answered_ = 0;
};

bool holds(const Cache& cache, uint32_t line, uint32_t offset, uint32_t bytes) {
  for (uint32_t i = offset; i < offset + bytes; i++)
    if (cache.data(line)[i] != static_cast<std::byte>((cache.address_of(line) + i) % 251)) return false;
  return true;
}

TEST(CacheGrains, AHalfOfASectorIsAskedForAlone) {
  Cache cache(kHalves);
  Backing memory;
  uint32_t line;
  EXPECT_EQ(cache.access(0x1040, 0b1000, {}, line), Cache::Outcome::kMiss);
  memory.serve(cache);
  ASSERT_EQ(memory.seen.size(), 1u);
  EXPECT_EQ(memory.seen[0].address, 0x1040u);
  EXPECT_EQ(memory.seen[0].mask, kSecond);
  EXPECT_TRUE(cache.ready(line, 0x60, 32));
  EXPECT_TRUE(holds(cache, line, 0x60, 32));
  // Grains that were not asked for are not there.
  EXPECT_FALSE(cache.ready(line, 0x5f, 1));
  EXPECT_FALSE(cache.ready(line, 0x80, 1));
  EXPECT_EQ(cache.access(0x1040, 0b1000, {}, line), Cache::Outcome::kHit);
}

TEST(CacheGrains, TheOtherHalfIsAskedForLater) {
  Cache cache(kHalves);
  Backing memory;
  uint32_t line;
  cache.access(0x1000, 0b01, {}, line);
  memory.serve(cache);
  EXPECT_EQ(cache.access(0x1000, 0b11, {}, line), Cache::Outcome::kMiss);
  memory.serve(cache);
  ASSERT_EQ(memory.seen.size(), 2u);
  EXPECT_EQ(memory.seen[0].mask, kFirst);
  EXPECT_EQ(memory.seen[1].mask, kSecond);
  EXPECT_TRUE(cache.ready(line, 0, 64));
  EXPECT_TRUE(holds(cache, line, 0, 64));
}

TEST(CacheGrains, HalvesOfOneSectorThatAreAbsentAreOneRequest) {
  Cache cache(kHalves);
  Backing memory;
  uint32_t line;
  EXPECT_EQ(cache.access(0x1000, 0b110110, {}, line), Cache::Outcome::kMiss);
  memory.serve(cache);
  ASSERT_EQ(memory.seen.size(), 3u);
  EXPECT_EQ(memory.seen[0].mask, kSecond);
  EXPECT_EQ(memory.seen[1].mask, kFirst);
  EXPECT_EQ(memory.seen[2].mask, messages::kAllBytes);
  EXPECT_EQ(memory.seen[2].address, 0x1080u);
}

// While the request for the first half waits for the port, the second joins it.
TEST(CacheGrains, AHalfJoinsARequestThatHasNotBeenSent) {
  Cache cache({.lines = 4, .ways = 4, .line_bytes = 64, .write_backs = 1, .grain = 32});
  Backing memory;
  uint32_t line, other;
  EXPECT_EQ(cache.access(0x1000, 0b10, {}, line), Cache::Outcome::kMiss);
  EXPECT_EQ(cache.access(0x1040, 0b10, {}, other), Cache::Outcome::kMiss);
  // It needs no room: there is none.
  EXPECT_EQ(cache.access(0x1000, 0b01, {}, line), Cache::Outcome::kMiss);
  memory.serve(cache);
  ASSERT_EQ(memory.seen.size(), 2u);
  EXPECT_EQ(memory.seen[0].address, 0x1000u);
  EXPECT_EQ(memory.seen[0].mask, messages::kAllBytes);
  EXPECT_EQ(memory.seen[1].mask, kSecond);
  EXPECT_TRUE(holds(cache, line, 0, 64));
  EXPECT_FALSE(cache.ready(other, 0, 1));
  EXPECT_TRUE(cache.idle());
}

// Each of two halves under way is there when it comes.
TEST(CacheGrains, HalvesAreSettledApart) {
  Cache cache(kHalves);
  Backing memory;
  uint32_t line;
  cache.access(0x1000, 0b01, {}, line);
  memory.take(cache);
  EXPECT_EQ(cache.access(0x1000, 0b11, {}, line), Cache::Outcome::kMiss);
  EXPECT_EQ(cache.access(0x1000, 0b11, {}, line), Cache::Outcome::kHitUnderWay);
  memory.take(cache);
  ASSERT_EQ(memory.seen.size(), 2u);
  memory.answer(cache, memory.seen[1]);
  EXPECT_TRUE(cache.settled(line, 0b10));
  EXPECT_FALSE(cache.settled(line, 0b01));
  EXPECT_FALSE(cache.ready(line, 0, 1));
  EXPECT_EQ(cache.access(0x1000, 0b10, {}, line), Cache::Outcome::kHit);
  EXPECT_EQ(cache.access(0x1000, 0b01, {}, line), Cache::Outcome::kHitUnderWay);
  memory.answer(cache, memory.seen[0]);
  EXPECT_TRUE(cache.settled(line, 0b11));
  EXPECT_TRUE(holds(cache, line, 0, 64));
  EXPECT_TRUE(cache.idle());
}

// A line waits until the last of its halves has come.
TEST(CacheGrains, ALineWithAHalfUnderWayWaits) {
  Cache cache({.misses = 1, .grain = 32});
  Backing memory;
  uint32_t line, other;
  cache.access(0x1000, 0b01, {}, line);
  memory.take(cache);
  cache.access(0x1000, 0b10, {}, line);
  memory.take(cache);
  memory.answer(cache, memory.seen[0]);
  EXPECT_EQ(cache.access(0x2000, 1, {}, other), Cache::Outcome::kStall);
  memory.answer(cache, memory.seen[1]);
  EXPECT_EQ(cache.access(0x2000, 1, {}, other), Cache::Outcome::kMiss);
}

// Requests are counted by sectors: room for one sector is room for both its halves.
TEST(CacheGrains, StallsForRoomOfSectors) {
  Cache cache({.lines = 4, .ways = 4, .line_bytes = 64, .write_backs = 1, .grain = 32});
  uint32_t line;
  EXPECT_EQ(cache.access(0x1000, 0b11, {}, line), Cache::Outcome::kMiss);
  EXPECT_EQ(cache.access(0x1040, 0b11, {}, line), Cache::Outcome::kMiss);
  EXPECT_EQ(cache.access(0x1080, 0b01, {}, line), Cache::Outcome::kStall);
}

TEST(CacheGrains, BehaveLikeMemory) {
  std::mt19937 random(1);
  Cache cache({.lines = 8, .ways = 2, .line_bytes = 128, .write_backs = 4, .grain = 32});
  Backing memory;
  std::vector<std::byte> model = memory.bytes;
  for (int step = 0; step < 20000; step++) {
    const uint32_t address = random() % 4096, offset = address % 128;
    const uint32_t bytes = std::min<uint32_t>(1 + random() % 8, 128 - offset);
    const bool write = random() % 2;
    uint32_t grains = 0;
    if (!write)
      for (uint32_t b = offset; b < offset + bytes; b++) grains |= 1u << b / 32;
    uint32_t line;
    while (cache.access(address, grains, {}, line) == Cache::Outcome::kStall) memory.serve(cache);
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
}  // namespace cutaway::structures
