#include "base/text.h"

#include <gtest/gtest.h>

namespace cutaway {
namespace {

TEST(Readable, KeepsCharactersAndReplacesEveryByteOfNone) {
  EXPECT_EQ(readable(""), "");
  EXPECT_EQ(readable("plain, \xc3\xa9, \xe2\x82\xac, \xf0\x9f\x92\xa1"),
            "plain, \xc3\xa9, \xe2\x82\xac, \xf0\x9f\x92\xa1");
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(readable("a\xffz"), "a" + bad + "z");
  EXPECT_EQ(readable("\xe2\x82"), bad + bad);  // truncated character
  EXPECT_EQ(readable("\xc0\xaf"), bad + bad);  // overlong form
  EXPECT_EQ(readable("\xe0\x80\xaf"), bad + bad + bad);
  EXPECT_EQ(readable("\xed\xa0\x80"), bad + bad + bad);            // a surrogate
  EXPECT_EQ(readable("\xf4\x90\x80\x80"), bad + bad + bad + bad);  // beyond U+10FFFF
}

TEST(TimeText, HasThreeDigitsInAUnitThatFits) {
  EXPECT_EQ(time_text(0), "0.00 us");
  EXPECT_EQ(time_text(42.1e-6), "42.1 us");
  EXPECT_EQ(time_text(9.996e-6), "10.0 us");
  EXPECT_EQ(time_text(999.4e-6), "999 us");
  EXPECT_EQ(time_text(999.6e-6), "1.00 ms");
  EXPECT_EQ(time_text(3.046e-3), "3.05 ms");
  EXPECT_EQ(time_text(1.2), "1.20 s");
}

TEST(Readable, WritesControlCharactersOut) {
  EXPECT_EQ(readable("\x1b[2J\n\x7f"), "\\x1b[2J\\n\\x7f");
  EXPECT_EQ(readable("\xc2\x9b\x32J \xc2\xa0"), "\\x9b\x32J \xc2\xa0");
  EXPECT_EQ(readable(std::string_view("a\0b", 3)), "a\\x00b");
}

}  // namespace
}  // namespace cutaway
