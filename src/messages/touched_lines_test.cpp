#include "messages/touched_lines.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

#include "base/error.h"

namespace cutaway::messages {
namespace {

TEST(TouchedLines, ALineCountsOnceForEachThatTouchesIt) {
  TouchedLines lines;
  for (int again = 0; again < 3; again++) {
    lines.touch(4, 0, 0, 256);
    lines.touch(4, 1, 0, 256);
    lines.touch(4, 1, 512, 256);
    lines.touch(6, 1, 512, 256);
  }
  EXPECT_EQ(lines.of(4).bytes, 512u);
  EXPECT_EQ(lines.of(4).first_touches, 3u);
  EXPECT_EQ(lines.of(4).cache_bytes, (std::vector<uint64_t>{256, 512}));
  EXPECT_EQ(lines.of(6).bytes, 256u);
  EXPECT_EQ(lines.of(5).bytes, 0u);
  EXPECT_EQ(lines.of(7).bytes, 0u);
  EXPECT_EQ(lines.bytes(), 512u);
  lines.clear(7);
  EXPECT_EQ(lines.bytes(), 0u);
  EXPECT_EQ(lines.of(4).bytes, 0u);
  lines.touch(7, 0, 0, 256);
  EXPECT_EQ(lines.of(7).first_touches, 1u);
  EXPECT_EQ(lines.bytes(), 256u);
  EXPECT_THROW(lines.touch(6, 0, 0, 256), InternalError);
}

TEST(TouchedLines, LinesOfAnotherMemoryAreOthers) {
  TouchedLines lines;
  lines.touch(0, 0, 64, 64);
  lines.begin_space(1);
  lines.touch(1, 0, 64, 64);
  EXPECT_EQ(lines.bytes(), 128u);
  lines.begin_space(0);
  lines.touch(2, 0, 64, 64);
  EXPECT_EQ(lines.bytes(), 128u);
}

// Compares with sets, while the table grows.
TEST(TouchedLines, CountsAsSetsDo) {
  TouchedLines lines;
  std::map<uint32_t, std::set<uint64_t>> by_work;
  std::map<std::pair<uint32_t, uint32_t>, std::set<uint64_t>> by_cache;
  std::set<uint64_t> all;
  std::mt19937_64 random(1);
  for (int i = 0; i < 50'000; i++) {
    const auto work = static_cast<uint32_t>(random() % 20), cache = static_cast<uint32_t>(random() % 5);
    const uint64_t line = (random() % 3 ? 0x7fff'0000'0000 : 0) + random() % 600 * 64;
    lines.touch(work, cache, line, 64);
    by_work[work].insert(line), by_cache[{work, cache}].insert(line), all.insert(line);
  }
  for (const auto& [work, set] : by_work) EXPECT_EQ(lines.of(work).bytes, 64 * set.size());
  for (const auto& [key, set] : by_cache)
    EXPECT_EQ(lines.of(key.first).cache_bytes[key.second], 64 * set.size());
  EXPECT_EQ(lines.bytes(), 64 * all.size());
}

}  // namespace
}  // namespace cutaway::messages
