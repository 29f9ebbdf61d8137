#include "structures/post_shading_cache.h"

#include <gtest/gtest.h>

namespace cutaway::structures {
namespace {

TEST(PostShadingCache, FindsAVertexOfAnInstance) {
  PostShadingCache cache(4);
  EXPECT_FALSE(cache.find(0, 0));
  cache.insert(7, 1, 20);
  cache.insert(7, 2, 30);
  EXPECT_EQ(cache.find(7, 1), 20);
  EXPECT_EQ(cache.find(7, 2), 30);
  EXPECT_FALSE(cache.find(7, 0));
  EXPECT_FALSE(cache.find(1, 7));
}

// First in, first out, regardless of hits.
TEST(PostShadingCache, TheOldestGoesFirst) {
  for (uint32_t size : {1u, 2u, 5u}) {
    PostShadingCache cache(size);
    EXPECT_TRUE(cache.empty());
    for (uint32_t i = 0; i < size; i++) {
      EXPECT_FALSE(cache.full());
      cache.insert(i, 0, static_cast<messages::SlotIndex>(10 + i));
    }
    EXPECT_TRUE(cache.full());
    EXPECT_EQ(cache.find(0, 0), 10);
    EXPECT_EQ(cache.evict(), 10);
    EXPECT_FALSE(cache.find(0, 0));
    EXPECT_FALSE(cache.full());
    cache.insert(100, 0, 50);
    for (uint32_t i = 1; i < size; i++) EXPECT_EQ(cache.evict(), 10 + i);
    EXPECT_EQ(cache.evict(), 50);
    EXPECT_TRUE(cache.empty());
  }
}

}  // namespace
}  // namespace cutaway::structures
