#include "boxes/address_translation/tlb.h"

#include <gtest/gtest.h>

namespace cutaway::boxes {
namespace {

TEST(Tlb, HoldsTheFramesOfItsPages) {
  Tlb tlb(8, 2, "lru");
  EXPECT_FALSE(tlb.find(3));
  tlb.fill(3, 30);
  tlb.fill(7, 70);  // of the same set
  EXPECT_EQ(tlb.find(3), 30u);
  EXPECT_EQ(tlb.find(7), 70u);
  EXPECT_FALSE(tlb.find(11));
}

TEST(Tlb, GivesUpAPageOfTheSameSet) {
  Tlb tlb(8, 2, "lru");
  for (const uint64_t page : {3, 7, 4}) tlb.fill(page, 10 * page);
  EXPECT_TRUE(tlb.find(3));
  tlb.fill(11, 110);
  EXPECT_TRUE(tlb.find(3));
  EXPECT_FALSE(tlb.find(7));
  EXPECT_TRUE(tlb.find(11));
  EXPECT_TRUE(tlb.find(4));
}

TEST(Tlb, ReplacesByItsPolicy) {
  Tlb tlb(2, 2, "fifo");
  tlb.fill(1, 1);
  tlb.fill(2, 2);
  EXPECT_TRUE(tlb.find(1));
  tlb.fill(3, 3);
  EXPECT_FALSE(tlb.find(1));
  EXPECT_TRUE(tlb.find(2));
}

TEST(Tlb, HoldsAPageOnce) {
  Tlb tlb(2, 2, "lru");
  tlb.fill(1, 1);
  tlb.fill(2, 2);
  tlb.fill(1, 5);
  EXPECT_EQ(tlb.find(1), 5u);
  EXPECT_EQ(tlb.find(2), 2u);
}

TEST(Tlb, HasSixtyFourWaysAtMost) {
  Tlb tlb(64, 64, "lru");
  for (uint64_t page = 0; page < 65; page++) tlb.fill(page, page);
  EXPECT_FALSE(tlb.find(0));
  for (uint64_t page = 1; page < 65; page++) EXPECT_EQ(tlb.find(page), page);
}

TEST(Tlb, Forgets) {
  Tlb tlb(4, 4, "lru");
  tlb.fill(1, 1);
  tlb.forget_all();
  EXPECT_FALSE(tlb.find(1));
}

}  // namespace
}  // namespace cutaway::boxes
