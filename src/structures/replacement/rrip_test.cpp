#include <gtest/gtest.h>

#include "structures/replacement/set_for_test.h"

namespace cutaway::structures {
namespace {

// A and B are used again: 0. C and D come in with 2. E finds no 3: all age by one, and C goes; then D has 3,
// and goes for F. For G all age again: A and B have 2. H takes the place of F.
TEST(Rrip, LinesThatAreUsedAgainOutliveAScan) {
  SetForTest set("rrip", 4);
  EXPECT_EQ(set.access("AABBCDEFGH"), "mhmhmmmmmm");
  EXPECT_EQ(set.lines(), "ABGH");
  EXPECT_EQ(set.access("AB"), "hh");
  const std::string lines = "AABBCDEFGHAB";
  EXPECT_EQ(SetForTest("lru", 4).access(lines), "mhmhmmmmmmmm");
}

// A ninth line finds A, B, G and H with 2 each: the first goes.
TEST(Rrip, WithoutAUseTheyAgeUntilTheyGo) {
  SetForTest set("rrip", 4);
  EXPECT_EQ(set.access("AABBCDEFGHI"), "mhmhmmmmmmm");
  EXPECT_EQ(set.lines(), "IBGH");
  EXPECT_EQ(set.access("J"), "m");  // all others have 3 now
  EXPECT_EQ(set.lines(), "IJGH");
  // I and J have 2, G and H 3. A use sets 0.
  EXPECT_EQ(set.access("GKL"), "hmm");
  EXPECT_EQ(set.lines(), "LJGK");
}

// It resists scans, not a cycle of lines that are all used once in their turn.
TEST(Rrip, ACycleOfOneLineMoreThanWaysMissesAlways) {
  SetForTest set("rrip", 4);
  EXPECT_EQ(set.access("ABCDEABCDEABCDE"), std::string(15, 'm'));
}

// Way 1 is pinned with 3; of the others way 2 has the greatest, 2, so that the set ages by one.
TEST(Rrip, TheSetAgesByWhatTheVictimLacks) {
  const auto rrip = ReplacementPolicies::make("rrip", 2, 4);
  for (const uint32_t way : {0u, 2u, 3u}) rrip->filled(1, way);
  rrip->used(1, 0), rrip->used(1, 3);
  EXPECT_EQ(rrip->victim(1, 0b1111), 1u);
  EXPECT_EQ(rrip->victim(1, 0b1101), 2u);
  rrip->evicted(1, 2), rrip->filled(1, 2);
  // 1, 3, 2, 1: way 0 goes only when the others may not.
  EXPECT_EQ(rrip->victim(1, 0b1101), 2u);
  EXPECT_EQ(rrip->victim(1, 0b1001), 0u);
  rrip->evicted(1, 0);
  // 3, 3, 3, 3: ages do not pass 3.
  EXPECT_EQ(rrip->victim(1, 0b1110), 1u);
  EXPECT_EQ(rrip->victim(1, 0b1100), 2u);
  rrip->used(1, 2);
  EXPECT_EQ(rrip->victim(1, 0b1100), 3u);
}

}  // namespace
}  // namespace cutaway::structures
