#include "structures/index_set.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace cutaway::structures {
namespace {

std::vector<uint32_t> all(const IndexSet& set) {
  std::vector<uint32_t> indices;
  set.for_each([&](uint32_t index) { indices.push_back(index); });
  return indices;
}

// Compares with std::set, for capacities around a word's bits.
TEST(IndexSet, HoldsWhatWasPutIn) {
  for (const uint32_t capacity : {1u, 5u, 63u, 64u, 65u, 128u, 1000u, 1024u}) {
    std::mt19937 random(capacity);
    IndexSet set(capacity);
    std::set<uint32_t> expected;
    EXPECT_EQ(set.first(), IndexSet::kNone);
    for (uint32_t round = 0; round < 3000; round++) {
      const auto index = static_cast<uint32_t>(random() % capacity);
      if (random() % 2) set.insert(index), expected.insert(index);
      else set.erase(index), expected.erase(index);
      ASSERT_EQ(set.size(), expected.size());
      ASSERT_EQ(set.empty(), expected.empty());
      ASSERT_EQ(set.full(), expected.size() == capacity);
      ASSERT_EQ(set.contains(index), expected.contains(index));
      ASSERT_EQ(set.first(), expected.empty() ? IndexSet::kNone : *expected.begin());
      // The next multiple of 3, searching from anywhere.
      const auto start = static_cast<uint32_t>(random() % capacity);
      uint32_t found = IndexSet::kNone;
      for (uint32_t n = 0; n < capacity && found == IndexSet::kNone; n++)
        if (const uint32_t at = (start + n) % capacity; at % 3 == 0 && expected.contains(at)) found = at;
      ASSERT_EQ(set.find_round(start, [](uint32_t at) { return at % 3 == 0; }), found) << start;
    }
    EXPECT_EQ(all(set), std::vector<uint32_t>(expected.begin(), expected.end()));
    set.insert_all();
    EXPECT_TRUE(set.full());
    EXPECT_EQ(all(set).size(), capacity);
  }
}

// Each member is tried at most once, even if none matches.
TEST(IndexSet, LooksAtEachOnce) {
  for (const uint32_t capacity : {28u, 64u, 200u}) {
    IndexSet set(capacity);
    set.insert_all();
    for (uint32_t start = 0; start < capacity; start++) {
      std::vector<uint32_t> asked;
      EXPECT_EQ(set.find_round(start, [&](uint32_t at) { return asked.push_back(at), false; }),
                IndexSet::kNone);
      ASSERT_EQ(asked.size(), capacity);
      EXPECT_EQ(asked.front(), start);
      EXPECT_EQ(std::set(asked.begin(), asked.end()).size(), capacity);
    }
  }
}

TEST(IndexSet, IndicesMayGoWhileItIsWalked) {
  IndexSet set(130);
  set.insert_all();
  uint32_t seen = 0;
  set.for_each([&](uint32_t index) { seen++, set.erase(index); });
  EXPECT_EQ(seen, 130u);
  EXPECT_TRUE(set.empty());
}

TEST(IndexSet, NextGoesRound) {
  IndexSet set(200);
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

// Compares with std::set, for sizes around a word's bits.
TEST(IndexSet, HoldsWhatWasInserted) {
  std::mt19937 random(1);
  for (const uint32_t size : {1u, 5u, 63u, 64u, 65u, 128u, 300u}) {
    IndexSet set(size);
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
}  // namespace cutaway::structures
