#include <gtest/gtest.h>

#include "structures/replacement/set_for_test.h"

namespace cutaway::structures {
namespace {

TEST(Fifo, AUseKeepsNoLine) {
  SetForTest set("fifo", 4);
  EXPECT_EQ(set.access("ABCDAAA"), "mmmmhhh");
  EXPECT_EQ(set.access("EA"), "mm");  // A goes for E, B for A
  EXPECT_EQ(set.lines(), "EACD");
  EXPECT_EQ(set.access("DCEAB"), "hhhhm");  // C goes
  EXPECT_EQ(set.lines(), "EABD");
}

TEST(Fifo, ACycleOfOneLineMoreThanWaysMissesAlways) {
  SetForTest set("fifo", 4);
  EXPECT_EQ(set.access("ABCDEABCDEABCDE"), std::string(15, 'm'));
}

TEST(Fifo, OnlyCandidatesGo) {
  const auto fifo = ReplacementPolicies::make("fifo", 2, 4);
  for (const uint32_t way : {2u, 0u, 3u, 1u}) fifo->filled(1, way);
  fifo->used(1, 2);
  EXPECT_EQ(fifo->victim(1, 0b1111), 2u);
  EXPECT_EQ(fifo->victim(1, 0b1010), 3u);
}

}  // namespace
}  // namespace cutaway::structures
