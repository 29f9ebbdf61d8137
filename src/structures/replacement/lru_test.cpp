#include <gtest/gtest.h>

#include "structures/replacement/set_for_test.h"

namespace cutaway::structures {
namespace {

TEST(Lru, AUseKeepsALine) {
  SetForTest set("lru", 4);
  EXPECT_EQ(set.access("ABCDA"), "mmmmh");
  EXPECT_EQ(set.access("E"), "m");  // B goes
  EXPECT_EQ(set.lines(), "AECD");
  EXPECT_EQ(set.access("ACB"), "hhm");  // D goes
  EXPECT_EQ(set.lines(), "AECB");
}

TEST(Lru, ACycleOfOneLineMoreThanWaysMissesAlways) {
  for (const uint32_t ways : {1u, 2u, 4u, 25u}) {
    std::string cycle;
    for (uint32_t i = 0; i <= ways; i++) cycle += static_cast<char>('A' + i);
    SetForTest set("lru", ways);
    EXPECT_EQ(set.access(cycle + cycle + cycle), std::string(3 * cycle.size(), 'm')) << ways;
    cycle.pop_back();
    SetForTest fits("lru", ways);
    EXPECT_EQ(fits.access(cycle + cycle), std::string(ways, 'm') + std::string(ways, 'h')) << ways;
  }
}

TEST(Lru, OnlyCandidatesGo) {
  const auto lru = ReplacementPolicies::make("lru", 2, 4);
  for (const uint32_t way : {2u, 0u, 3u, 1u}) lru->filled(1, way);
  EXPECT_EQ(lru->victim(1, 0b1111), 2u);
  EXPECT_EQ(lru->victim(1, 0b1011), 0u);
  EXPECT_EQ(lru->victim(1, 0b1010), 3u);
  EXPECT_EQ(lru->victim(1, 0b0010), 1u);
  lru->used(1, 2);
  EXPECT_EQ(lru->victim(1, 0b0110), 1u);
}

}  // namespace
}  // namespace cutaway::structures
