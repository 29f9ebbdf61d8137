#include "boxes/command_processor/copy_tracker.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::copy_tracker_test {
namespace {

MemoryUse copy(arch::Address from, arch::Address to) {
  return {.read = {{from, from + 64}}, .written = {{to, to + 64}}, .bound = {}};
}

TEST(CopyTracker, EndsCopiesInTheirOrder) {
  CopyTracker copies(16);
  EXPECT_TRUE(copies.empty());
  copies.begin(copy(0x1000, 0x2000), 5);
  copies.begin(copy(0x3000, 0x4000), 7);
  EXPECT_EQ(copies.size(), 2u);
  EXPECT_EQ(copies.end().work, 5u);
  EXPECT_FALSE(copies.write({0x2000, 0x2004}));
  EXPECT_TRUE(copies.write({0x4000, 0x4004}));
  EXPECT_EQ(copies.end().work, 7u);
  EXPECT_TRUE(copies.empty());
}

TEST(CopyTracker, IsFullWithAsManyAsAreWatched) {
  CopyTracker two(2), any(0);
  for (int i = 0; i < 2; i++) {
    EXPECT_FALSE(two.full());
    two.begin({}, 0), any.begin({}, 0);
  }
  EXPECT_TRUE(two.full());
  EXPECT_FALSE(any.full());
}

TEST(CopyTracker, HoldsBarriersOnlyIfCopiesAreNotWatched) {
  CopyTracker watched(1), unwatched(0);
  EXPECT_FALSE(unwatched.hold_barriers());
  watched.begin({}, 0), unwatched.begin({}, 0);
  EXPECT_FALSE(watched.hold_barriers());
  EXPECT_TRUE(unwatched.hold_barriers());
}

TEST(CopyTracker, WatchesWholeLinesOfCaches) {
  CopyTracker copies(16);
  copies.begin(copy(0x1040, 0x2040), 0);
  EXPECT_TRUE(copies.write({0x2000, 0x2001}));
  EXPECT_TRUE(copies.write({0x21ff, 0x2200}));
  EXPECT_FALSE(copies.write({0x1fff, 0x2000}));
  EXPECT_FALSE(copies.write({0x2200, 0x2201}));
  EXPECT_FALSE(copies.write({0x1040, 0x1080})) << "it only reads there";
}

TEST(CopyTracker, OverlapsWithUsersOfTheSameMemory) {
  CopyTracker copies(16);
  copies.begin({}, 0);  // a clear
  copies.begin(copy(0x1000, 0x2000), 0);
  EXPECT_FALSE(copies.overlap({.read = {{0x1000, 0x1004}}, .written = {}, .bound = {}}));
  EXPECT_TRUE(copies.overlap({.read = {{0x2000, 0x2004}}, .written = {}, .bound = {}}));
  EXPECT_TRUE(copies.overlap({.read = {}, .written = {{0x1000, 0x1004}}, .bound = {}}));
  EXPECT_TRUE(copies.overlap({.read = {}, .written = {}, .bound = {{0x2000, 0x2004}}}));
  EXPECT_FALSE(copies.overlap({.read = {}, .written = {{0x3000, 0x3004}}, .bound = {}}));
}

}  // namespace
}  // namespace cutaway::boxes::copy_tracker_test
