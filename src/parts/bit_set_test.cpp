#include "parts/bit_set.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace cutaway::parts {
namespace {

TEST(BitSet, NextGoesRound) {
  BitSet set(200);
  EXPECT_TRUE(set.empty());
  set.insert(3), set.insert(63), set.insert(64), set.insert(199);
  EXPECT_EQ(set.next(0), 3u);
  EXPECT_EQ(set.next(3), 3u);
  EXPECT_EQ(set.next(4), 63u);
  EXPECT_EQ(set.next(64), 64u);
  EXPECT_EQ(set.next(65), 199u);
  set.erase(199);
  EXPECT_EQ(set.next(65), 3u);
  set.erase(3);
  EXPECT_EQ(set.next(65), 63u);  // in another word
  set.erase(64);
  EXPECT_EQ(set.next(64), 63u);  // around, to the word's lower part
  set.erase(63);
  EXPECT_TRUE(set.empty());
}

// Against std::set, of sizes around those of a word.
TEST(BitSet, HoldsWhatWasInserted) {
  std::mt19937 random(1);
  for (const uint32_t size : {1u, 5u, 63u, 64u, 65u, 128u, 300u}) {
    BitSet set(size);
    std::set<uint32_t> model;
    for (int step = 0; step < 2000; step++) {
      const auto i = static_cast<uint32_t>(random() % size);
      if (random() % 3) set.erase(i), model.erase(i);
      else set.insert(i), model.insert(i);
      EXPECT_EQ(set.contains(i), model.contains(i));
      ASSERT_EQ(set.empty(), model.empty());
      if (model.empty()) continue;
      const auto from = static_cast<uint32_t>(random() % size);
      const auto found = model.lower_bound(from);
      ASSERT_EQ(set.next(from), found == model.end() ? *model.begin() : *found) << size << ", " << from;
    }
  }
}

}  // namespace
}  // namespace cutaway::parts
