#include "app/text.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace cutaway::app {
namespace {

TEST(Text, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(bytes_text(812), "812 bytes");
  EXPECT_EQ(bytes_text(1400000), "1.4 MB");
}

TEST(Text, WrapsLinesAtSpaces) {
  EXPECT_EQ(wrapped("short", 10), "short");
  EXPECT_EQ(wrapped("  one two three\nfour", 10), "  one two\n    three\nfour");
  EXPECT_EQ(wrapped("aaaaaaaaaaaa b", 10), "aaaaaaaaaaaa\n  b");
  EXPECT_EQ(wrapped("  aaaaaaaaaaaaaa", 10), "  aaaaaaaaaaaaaa");
}

}  // namespace
}  // namespace cutaway::app
