#include "base/shortened.h"

#include <gtest/gtest.h>

namespace cutaway {
namespace {

TEST(Shortened, KeepsTheFirstBytesAndTheLast) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdef", 4), "abcd...");
  EXPECT_EQ(shortened("abcdef", 4, 2), "abcdef");
  EXPECT_EQ(shortened("abcdef", 2, 1), "ab...f");
  EXPECT_EQ(shortened("abcdef", 0), "...");
}

TEST(Shortened, KeepsCharactersWhole) {
  EXPECT_EQ(shortened("a\xc3\xa4z", 2), "a...");
  EXPECT_EQ(shortened("a\xc3\xa4z", 0, 2), "...z");
  EXPECT_EQ(shortened("\xa4\xa4\xa4\xa4", 2, 1), "...");  // no characters at all
}

}  // namespace
}  // namespace cutaway
