#include <gtest/gtest.h>

#include "structures/replacement/set_for_test.h"

namespace cutaway::structures {
namespace {

// A to D fill the ways in order; the root then points to the lower half, and each half to its lower way. E
// takes the place of A and turns the root; F that of C, where LRU would give up B.
TEST(PseudoLru, TheTreePointsToTheVictim) {
  SetForTest set("pseudo-lru", 4);
  EXPECT_EQ(set.access("ABCDEF"), "mmmmmm");
  EXPECT_EQ(set.lines(), "EBFD");
  EXPECT_EQ(set.access("B"), "h");  // the lower half points to E now, the root to the upper half: D goes
  EXPECT_EQ(set.access("C"), "m");
  EXPECT_EQ(set.lines(), "EBFC");
  EXPECT_EQ(set.access("DF"), "mh");  // the root points to the lower half: E goes
  EXPECT_EQ(set.lines(), "DBFC");
}

TEST(PseudoLru, ACycleOfOneLineMoreThanWaysHitsAtTimes) {
  SetForTest set("pseudo-lru", 4);
  EXPECT_EQ(set.access("ABCDEAB"), "mmmmmmh");
}

// Three ways are a tree of four without the last: the upper half has one way.
TEST(PseudoLru, WaysNeedBeNoPowerOfTwo) {
  SetForTest set("pseudo-lru", 3);
  EXPECT_EQ(set.access("ABCDEF"), "mmmmmm");  // D for A, E for C, F for B
  EXPECT_EQ(set.lines(), "DFE");
  EXPECT_EQ(set.access("DEF"), "hhh");
}

TEST(PseudoLru, WithTwoWaysItIsLru) {
  const std::string lines = "ABACBBCAABCCABCBA";
  EXPECT_EQ(SetForTest("pseudo-lru", 2).access(lines), SetForTest("lru", 2).access(lines));
}

TEST(PseudoLru, AHalfWithoutCandidatesIsPassedBy) {
  const auto tree = ReplacementPolicies::make("pseudo-lru", 2, 8);
  EXPECT_EQ(tree->victim(1, 0xff), 0u);
  EXPECT_EQ(tree->victim(1, 0xf0), 4u);
  EXPECT_EQ(tree->victim(1, 0xc0), 6u);
  EXPECT_EQ(tree->victim(1, 0x88), 3u);
  tree->used(1, 3);  // the root points to the upper half
  EXPECT_EQ(tree->victim(1, 0x88), 7u);
  EXPECT_EQ(tree->victim(1, 0x08), 3u);
}

// 63 nodes of 64 ways: each use of the victim turns to the way that is farthest.
TEST(PseudoLru, TheWidestSetUsesEveryWayOnceInTurn) {
  const auto tree = ReplacementPolicies::make("pseudo-lru", 1, 64);
  uint64_t seen = 0;
  for (uint32_t i = 0; i < 64; i++) {
    const uint32_t way = tree->victim(0, ~0ull);
    EXPECT_FALSE(seen >> way & 1) << i;
    seen |= uint64_t{1} << way;
    tree->filled(0, way);
  }
  EXPECT_EQ(seen, ~0ull);
}

}  // namespace
}  // namespace cutaway::structures
