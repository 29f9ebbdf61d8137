#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "structures/replacement/set_for_test.h"

namespace cutaway::structures {
namespace {

std::vector<uint32_t> victims(Replacement& random, uint64_t candidates, unsigned count) {
  std::vector<uint32_t> ways;
  for (unsigned i = 0; i < count; i++) {
    ways.push_back(random.victim(0, candidates));
    random.evicted(0, ways.back());
  }
  return ways;
}

// The draws of RND-1 with (13, 7, 17), worked out by hand from the seed: of a cache of one set, and of one of
// 16 sets with as many ways.
TEST(Random, EveryRunDrawsTheSame) {
  EXPECT_EQ(victims(*ReplacementPolicies::make("random", 1, 4), 0b1111, 12),
            (std::vector<uint32_t>{3, 1, 0, 0, 0, 3, 3, 2, 1, 3, 3, 1}));
  EXPECT_EQ(victims(*ReplacementPolicies::make("random", 16, 4), 0b1111, 12),
            (std::vector<uint32_t>{1, 3, 3, 1, 3, 0, 0, 0, 2, 3, 3, 2}));
}

// The n-th draw names the same place among the candidates, whichever ways they are.
TEST(Random, ItDrawsAmongTheCandidates) {
  const auto random = ReplacementPolicies::make("random", 1, 4);
  EXPECT_EQ(victims(*random, uint64_t{0b1111} << 60, 4), (std::vector<uint32_t>{63, 61, 60, 60}));
  EXPECT_EQ(victims(*random, 0b101010100, 4), (std::vector<uint32_t>{2, 8, 8, 6}));
}

// Neither a use nor a fill draws: what is given up does not depend on hits.
TEST(Random, OnlyAnEvictionDraws) {
  const auto random = ReplacementPolicies::make("random", 1, 4);
  for (uint32_t i = 0; i < 10; i++) random->used(0, i % 4), random->filled(0, i % 4);
  EXPECT_EQ(victims(*random, 0b1111, 3), (std::vector<uint32_t>{3, 1, 0}));
}

// Each of 8 ways about 1 time in 8: of 8000 draws a way gets 1000, with a deviation of about 30.
TEST(Random, EveryWayIsAsLikely) {
  const auto random = ReplacementPolicies::make("random", 32, 8);
  std::vector<int> drawn(8);
  for (const uint32_t way : victims(*random, 0xff, 8000)) drawn[way]++;
  for (const int count : drawn) EXPECT_NEAR(count, 1000, 150);
}

TEST(Random, ACycleOfOneLineMoreThanWaysHitsAtTimes) {
  std::string cycle;
  for (int i = 0; i < 40; i++) cycle += "ABCDE";
  const std::string outcomes = SetForTest("random", 4).access(cycle);
  const auto hits = std::count(outcomes.begin(), outcomes.end(), 'h');
  EXPECT_GT(hits, 60);
  EXPECT_LT(hits, 140);
}

}  // namespace
}  // namespace cutaway::structures
