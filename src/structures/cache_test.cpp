#include "structures/cache.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "structures/cache_backing_for_test.h"

namespace cutaway::structures::cache_test {
namespace {

using cache_bench::Backing;

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

TEST(Cache, FetchesWholeLinesIfDeclared) {
  Cache cache({.whole_lines = true});
  Backing memory;
  uint32_t line;
  EXPECT_EQ(cache.access(0x1040, 0b0010, {}, line), Cache::Outcome::kMiss);
  memory.serve(cache);
  EXPECT_EQ(memory.reads, 4u);
  EXPECT_TRUE(cache.ready(line, 0, 256));
  EXPECT_EQ(cache.access(0x2000, 0, {}, line), Cache::Outcome::kMiss);  // to be overwritten
  EXPECT_FALSE(cache.has_request());
}

// Only a line that no other cache writes, and only once all of it is there.
TEST(Cache, WritesWholeLinesIfDeclared) {
  const uint32_t value = 7;
  const auto sectors_written = [&](bool whole_lines, bool owned, uint32_t fetch) {
    Cache cache({.whole_lines = whole_lines});
    Backing memory;
    memory.bytes[0x10ff] = std::byte{9};
    uint32_t line;
    cache.access(0x1000, fetch, {}, line, {.owned = owned});
    memory.serve(cache);
    cache.write(line, 64, &value, 4);
    cache.unpin(line);
    EXPECT_FALSE(cache.flush({}));
    memory.serve(cache);
    EXPECT_TRUE(cache.flush({}));
    EXPECT_EQ(memory.bytes[0x1040], std::byte{7});
    EXPECT_EQ(memory.bytes[0x10ff], std::byte{9});
    return memory.writes;
  };
  EXPECT_EQ(sectors_written(true, true, 0b0010), 4u);
  EXPECT_EQ(sectors_written(true, false, 0b0010), 1u);
  EXPECT_EQ(sectors_written(true, true, 0), 1u) << "three sectors are not known";
  EXPECT_EQ(sectors_written(false, true, 0b1111), 1u);
}

// An eviction waits until the clean sectors of a whole line have room too.
TEST(Cache, ReservesRoomForWholeLines) {
  Cache cache({.lines = 2, .ways = 2, .whole_lines = true, .write_backs = 4});  // room for 8 requests
  Backing memory;
  const uint32_t value = 7;
  uint32_t line;
  for (const bool owned : {false, true}) {
    cache.access(owned ? 0x2000 : 0x1000, 1, {}, line, {.owned = owned});
    memory.serve(cache);
    cache.write(line, 0, &value, 4);
    cache.unpin(line);
  }
  EXPECT_EQ(cache.access(0x3000, 1, {}, line), Cache::Outcome::kMiss);  // 1 write, 4 reads
  EXPECT_EQ(cache.access(0x4000, 0, {}, line), Cache::Outcome::kStall) << "4 writes, room for 3";
  memory.serve(cache);
  EXPECT_EQ(cache.access(0x4000, 0, {}, line), Cache::Outcome::kMiss);
  memory.serve(cache);
  EXPECT_EQ(memory.writes, 5u);
}

// Memory need not bring bytes that no access names; one that names them asks again.
TEST(Cache, AnAccessMayNeedSomeBytesOfASector) {
  Cache cache(CacheGeometry{});
  constexpr messages::ByteMask kDepths = 0x7777777777777777;
  uint32_t line;
  EXPECT_EQ(cache.access(0x1000, 0b0001, {}, line, {}, kDepths), Cache::Outcome::kMiss);
  EXPECT_EQ(cache.request().mask, kDepths);
  EXPECT_EQ(cache.access(0x1000, 0b0001, {}, line, {}, kDepths), Cache::Outcome::kHitUnderWay);
  EXPECT_EQ(cache.access(0x1000, 0b0001, {}, line), Cache::Outcome::kStall) << "the sector may come in part";
  EXPECT_EQ(cache.access(0x1000, 0b0010, {}, line), Cache::Outcome::kMiss) << "another sector";
  const uint32_t tag = cache.request().tag;
  messages::MemoryReply part{.tag = tag};
  part.data.fill(std::byte{5});
  part.bring(kDepths);
  cache.reply(part);
  EXPECT_TRUE(cache.ready(line, 8, 3));
  EXPECT_FALSE(cache.ready(line, 8, 4));
  EXPECT_EQ(cache.access(0x1000, 0b0001, {}, line, {}, kDepths), Cache::Outcome::kHit);
  // What was written meanwhile stays.
  cache.write(line, 8, "abc", 3);
  EXPECT_EQ(cache.access(0x1000, 0b0001, {}, line), Cache::Outcome::kMiss);
  messages::MemoryReply whole{.tag = tag};
  whole.data.fill(std::byte{9});
  cache.reply(whole);
  EXPECT_TRUE(cache.ready(line, 0, 64));
  EXPECT_EQ(cache.data(line)[8], std::byte{'a'});
  EXPECT_EQ(cache.data(line)[4], std::byte{5});
  EXPECT_EQ(cache.data(line)[7], std::byte{9});
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

// Random reads and writes through a small cache behave like plain memory, whichever policy chooses what goes.
// The ways of a set are looked at as bits of words, which sets of 24 ways straddle.
TEST(Cache, OnlyTheLineThatIsFreeGivesWay) {
  Cache cache({.lines = 96, .ways = 24});
  Backing memory;
  std::vector<uint32_t> pinned(96);
  for (uint32_t i = 0; i < 96; i++) {
    ASSERT_EQ(cache.access(i * 256, 1, {}, pinned[i]), Cache::Outcome::kMiss) << i;
    memory.serve(cache);
  }
  uint32_t line;
  for (uint32_t i = 0; i < 96; i++) {
    const arch::Address other = (96 + i) * 256, set = cache.set_of(other);
    EXPECT_EQ(cache.access(other, 0, {}, line), Cache::Outcome::kStall);
    const auto free = std::find_if(pinned.begin(), pinned.end(), [&](uint32_t of) { return of / 24 == set; });
    ASSERT_NE(free, pinned.end());
    cache.unpin(*free);
    ASSERT_EQ(cache.access(other, 1, {}, line), Cache::Outcome::kMiss);
    EXPECT_EQ(line, *free);
    cache.unpin(line);  // it waits for memory
    arch::Address third = other + 96 * 256;
    while (cache.set_of(third) != set) third += 256;
    uint32_t none;
    EXPECT_EQ(cache.access(third, 0, {}, none), Cache::Outcome::kStall);
    memory.serve(cache);
    EXPECT_EQ(cache.access(other, 0, {}, line), Cache::Outcome::kHit);
    *free = ~0u;  // stays pinned
  }
}

// A line that stays pinned stays where it is.
void expect_like_memory(const char* policy) {
  std::mt19937 random(1);
  Cache cache({.lines = 16, .ways = 4, .line_bytes = 128, .write_backs = 4, .replacement = policy});
  Backing memory;
  std::vector<std::pair<uint32_t, arch::Address>> pinned;  // at most 3: a set always has room
  std::vector<std::byte> model(1 << 16);
  for (int step = 0; step < 20000; step++) {
    const uint32_t address = random() % 4096, offset = address % 128;
    const uint32_t bytes = std::min<uint32_t>(1 + random() % 8, 128 - offset);
    const bool write = random() % 2;
    uint32_t sectors = 0;
    if (!write)
      for (uint32_t b = offset; b < offset + bytes; b++) sectors |= 1u << b / messages::kSectorBytes;
    uint32_t line;
    while (cache.access(address, sectors, {}, line) == Cache::Outcome::kStall) memory.serve(cache);
    for (const auto& [held, at] : pinned) ASSERT_EQ(cache.address_of(held), at) << step;
    if (write) {
      std::byte data[8];
      for (uint32_t i = 0; i < bytes; i++) data[i] = model[address + i] = static_cast<std::byte>(random());
      cache.write(line, offset, data, bytes);
      if (random() % 2) memory.serve(cache);
    } else {
      while (!cache.ready(line, offset, bytes)) memory.serve(cache);
      ASSERT_EQ(std::memcmp(cache.data(line) + offset, &model[address], bytes), 0) << step;
    }
    pinned.emplace_back(line, cache.address_of(line));
    if (pinned.size() < 4 && random() % 2) continue;
    const size_t leaves = random() % pinned.size();
    cache.unpin(pinned[leaves].first);
    pinned.erase(pinned.begin() + static_cast<ptrdiff_t>(leaves));
  }
  for (const auto& [held, at] : pinned) cache.unpin(held);
  while (!cache.flush({})) memory.serve(cache);
  EXPECT_TRUE(memory.bytes == model);
}

TEST(Cache, BehavesLikeMemory) {
  for (const std::string_view policy : ReplacementPolicies::names()) {
    SCOPED_TRACE(policy);
    expect_like_memory(policy.data());
  }
}

// An access that finds no room for its requests asks again. How often it does changes nothing of what goes.
TEST(Cache, AStallDoesNotMoveThePolicy) {
  const auto given_up = [](const char* policy, int asks) {
    Cache cache({.lines = 8, .ways = 8, .line_bytes = 64, .write_backs = 1, .replacement = policy});
    Backing memory;
    std::vector<arch::Address> gone;
    for (uint32_t i = 0; i < 64; i++) {
      uint32_t line;
      const arch::Address address = i * 64;
      for (int ask = 0; i >= 9 && ask < asks; ask++) {
        EXPECT_EQ(cache.access(address, 1, {}, line), Cache::Outcome::kStall) << policy << i;
      }
      memory.serve(cache);
      EXPECT_EQ(cache.access(address, 1, {}, line), Cache::Outcome::kMiss);
      if (const Cache::Evicted evicted = cache.take_evicted(); evicted.line != Cache::kNone)
        gone.push_back(evicted.address);
      const std::byte one{1};
      cache.write(line, 0, &one, 1);
      cache.unpin(line);
    }
    return gone;
  };
  for (const std::string_view policy : ReplacementPolicies::names()) {
    const auto expected = given_up(policy.data(), 0);
    EXPECT_EQ(expected.size(), 56u);
    for (const int asks : {1, 7}) EXPECT_EQ(given_up(policy.data(), asks), expected) << policy;
  }
}

}  // namespace
}  // namespace cutaway::structures::cache_test
