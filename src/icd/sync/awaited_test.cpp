#include "icd/sync/awaited.h"

#include <gtest/gtest.h>

namespace cutaway::icd::awaited_test {
namespace {

TEST(Awaited, AllAreThereWithTheLast) {
  Awaited awaited(true, 2);
  EXPECT_FALSE(awaited.enough());
  awaited.add(5);
  EXPECT_FALSE(awaited.enough());
  awaited.add(3);
  EXPECT_TRUE(awaited.enough());
  EXPECT_EQ(awaited.submission(), 5u);
}

TEST(Awaited, OneIsEnoughFromTheFirst) {
  Awaited awaited(false, 3);
  EXPECT_FALSE(awaited.enough());
  awaited.add(5), awaited.add(3);
  EXPECT_TRUE(awaited.enough());
  EXPECT_EQ(awaited.submission(), 3u);
}

TEST(Awaited, NothingIsThereAtOnce) {
  EXPECT_TRUE(Awaited(true, 0).enough());
  EXPECT_EQ(Awaited(true, 0).submission(), 0u);
}

}  // namespace
}  // namespace cutaway::icd::awaited_test
