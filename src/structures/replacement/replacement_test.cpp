// Tests that hold for every policy. Mru, of this file, enters the family as any other does.
#include "structures/replacement/replacement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace cutaway::structures {
namespace {

using ::testing::IsSupersetOf;

// Gives up the line that was used last.
class Mru final : public Replacement {
 public:
  Mru(uint32_t sets, uint32_t ways) : ways_(ways), use_(size_t{sets} * ways) {}

  uint32_t victim(uint32_t set, uint64_t candidates) const override {
    uint32_t best = kMostWays;
    for (uint32_t way = 0; way < ways_; way++)
      if ((candidates >> way & 1) &&
          (best == kMostWays || use_[set * ways_ + way] > use_[set * ways_ + best]))
        best = way;
    return best;
  }
  void filled(uint32_t set, uint32_t way) override { used(set, way); }
  void used(uint32_t set, uint32_t way) override { use_[set * ways_ + way] = ++time_; }

 private:
  uint32_t ways_;
  std::vector<uint64_t> use_;
  uint64_t time_ = 0;
};

const ReplacementPolicies::Member<Mru> kMru("mru of a test");

TEST(Replacement, EveryPolicyIsThereByName) {
  const auto names = ReplacementPolicies::names();
  EXPECT_THAT(names, IsSupersetOf({"lru", "pseudo-lru", "fifo", "random", "rrip", "mru of a test"}));
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

constexpr uint32_t kSets = 3;

// Drives a policy as a cache does: ways that hold nothing first, then any victim among those that are free.
class Driven {
 public:
  Driven(std::string_view name, uint32_t ways)
      : policy_(ReplacementPolicies::make(name.data(), kSets, ways)), ways_(ways), held_(kSets) {}

  // An access, by the numbers that it is drawn from: to a line that is held, or to a new one while the ways
  // of `busy` are pinned. The way that was given up; -1: none.
  int access(uint32_t set, uint32_t number, uint64_t busy) {
    if (held_[set] == ways_ && number % 2) {
      policy_->used(set, number / 2 % ways_);
      return -1;
    }
    uint32_t way = held_[set];
    int given_up = -1;
    if (way < ways_) {
      held_[set]++;
    } else {
      const uint64_t candidates = (~0ull >> (64 - ways_)) & ~busy;
      if (!candidates) return -1;
      way = policy_->victim(set, candidates);
      // A stalled access asks again.
      EXPECT_EQ(policy_->victim(set, candidates), way);
      EXPECT_LT(way, ways_);
      EXPECT_TRUE(candidates >> way & 1) << way;
      policy_->evicted(set, way);
      given_up = static_cast<int>(way);
    }
    policy_->filled(set, way);
    return given_up;
  }

 private:
  std::unique_ptr<Replacement> policy_;
  uint32_t ways_;
  std::vector<uint32_t> held_;
};

TEST(Replacement, OnlyCandidatesGoAndEveryWayDoesInTheEnd) {
  for (const std::string_view name : ReplacementPolicies::names())
    for (const uint32_t ways : {1u, 2u, 3u, 4u, 8u, 24u, 63u, 64u}) {
      std::mt19937_64 dice(ways);
      Driven driven(name, ways), again(name, ways);
      std::vector<std::vector<int>> gone(kSets, std::vector<int>(ways));
      for (int i = 0; i < 400 * static_cast<int>(ways); i++) {
        const auto set = static_cast<uint32_t>(dice() % kSets), number = static_cast<uint32_t>(dice());
        const uint64_t busy = dice() & dice();
        const int given_up = driven.access(set, number, busy);
        EXPECT_EQ(again.access(set, number, busy), given_up);
        if (given_up >= 0) gone[set][static_cast<size_t>(given_up)]++;
      }
      for (const auto& set : gone)
        for (uint32_t way = 0; way < ways; way++) EXPECT_GT(set[way], 0) << name << ways << ' ' << way;
    }
}

// But for the draws of "random", which all sets share.
TEST(Replacement, SetsHaveNothingToDoWithEachOther) {
  for (const std::string_view name : ReplacementPolicies::names()) {
    if (name == "random") continue;
    std::mt19937_64 dice(7);
    Driven alone(name, 5), beside(name, 5);
    for (int i = 0; i < 2000; i++) {
      const auto number = static_cast<uint32_t>(dice()), other = static_cast<uint32_t>(dice());
      const uint64_t busy = dice() & dice();
      const int given_up = alone.access(1, number, busy);
      beside.access(i % 2 ? 0 : 2, other, 0);
      EXPECT_EQ(beside.access(1, number, busy), given_up) << name << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace cutaway::structures
