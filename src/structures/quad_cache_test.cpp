#include "structures/quad_cache.h"

#include <gtest/gtest.h>
#include <vector>

namespace cutaway::structures {
namespace {

// A quad of a linear target whose rows lie in two lines.
TEST(QuadAccess, IsReadyWhenAllItsLinesAre) {
  for (const uint32_t first_answer : {0u, 1u}) {
    Cache cache(CacheGeometry{});
    const func::TargetView view{.base = 0x1000, .row_pitch = 256, .bytes = 4, .width = 64, .height = 2};
    QuadAccess quad(view, 0, 0, 0b1111, 256);
    uint64_t hits = 0, merged = 0, misses = 0;
    ASSERT_TRUE(quad.acquire(cache, true, {}, hits, merged, misses));
    ASSERT_EQ(quad.lines(), 2u);
    std::vector<messages::MemoryReply> replies;
    for (; cache.has_request(); cache.pop_request()) replies.push_back({.tag = cache.request().tag});
    ASSERT_EQ(replies.size(), 2u);
    EXPECT_FALSE(quad.ready(cache));
    cache.reply(replies[first_answer]);
    EXPECT_FALSE(quad.ready(cache));
    cache.reply(replies[1 - first_answer]);
    EXPECT_TRUE(quad.ready(cache));
  }
}

// Bytes that were written need no sector of their own.
TEST(QuadAccess, IsReadyOnceItsElementsAreWritten) {
  Cache cache(CacheGeometry{});
  const func::TargetView view{
      .base = 0x1000, .row_pitch = 1024, .bytes = 4, .width = 8, .height = 8, .tiled = true};
  QuadAccess quad(view, 2, 2, 0b0101, 256);
  uint64_t hits = 0, merged = 0, misses = 0;
  ASSERT_TRUE(quad.acquire(cache, false, {}, hits, merged, misses));
  const uint32_t element = 7;
  quad.write(cache, 0, &element);
  EXPECT_FALSE(quad.ready(cache));
  quad.write(cache, 2, &element);
  EXPECT_TRUE(quad.ready(cache));
}

}  // namespace
}  // namespace cutaway::structures
