#include "base/text.h"

#include <gtest/gtest.h>

namespace cutaway {
namespace {

TEST(OneLine, KeepsCharactersAndReplacesEveryByteOfNone) {
  EXPECT_EQ(one_line(""), "");
  EXPECT_EQ(one_line("plain, \xc3\xa9, \xe2\x82\xac, \xf0\x9f\x92\xa1"),
            "plain, \xc3\xa9, \xe2\x82\xac, \xf0\x9f\x92\xa1");
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(one_line("a\xffz"), "a" + bad + "z");
  EXPECT_EQ(one_line("\xe2\x82"), bad + bad);  // truncated character
  EXPECT_EQ(one_line("\xc0\xaf"), bad + bad);  // overlong form
  EXPECT_EQ(one_line("\xe0\x80\xaf"), bad + bad + bad);
  EXPECT_EQ(one_line("\xed\xa0\x80"), bad + bad + bad);            // a surrogate
  EXPECT_EQ(one_line("\xf4\x90\x80\x80"), bad + bad + bad + bad);  // beyond U+10FFFF
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

TEST(OneLine, WritesControlCharactersOut) {
  EXPECT_EQ(one_line("\x1b[2J\n\x7f"), "\\x1b[2J\\n\\x7f");
  EXPECT_EQ(one_line("\xc2\x9b\x32J \xc2\xa0"), "\\x9b\x32J \xc2\xa0");
  EXPECT_EQ(one_line(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(OneLine, EscapesSeparatorsAndMarksOfDirection) {
  EXPECT_EQ(one_line("a\xe2\x80\xaeZ\xe2\x80\xa8z"), "a\\u202eZ\\u2028z");
  EXPECT_EQ(one_line("\xd8\x9c\xe2\x80\x8f\xe2\x81\xa6"), "\\u061c\\u200f\\u2066");
  EXPECT_EQ(one_line("\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xaa"), "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xaa");
}

TEST(LinesOf, KeepsNewlinesOnly) {
  EXPECT_EQ(lines_of("a\n\x1b[2J\tb\r\xff\n"), "a\n\\x1b[2J\\x09b\\x0d\xef\xbf\xbd\n");
}

TEST(ValidUtf8, ReplacesBytesAlone) {
  EXPECT_EQ(valid_utf8("a\xff\n\x1b\xc3\xa9"), "a\xef\xbf\xbd\n\x1b\xc3\xa9");
}

TEST(EscapeBytes, GivesTheSameBytesAgain) {
  EXPECT_EQ(escape_bytes("g\xff 100%.cap"), "g%FF 100%25.cap");
  std::string every;
  for (int byte = 0; byte < 256; byte++) every += static_cast<char>(byte), every += "%4\xc3\xa9";
  EXPECT_EQ(valid_utf8(escape_bytes(every)), escape_bytes(every));
  EXPECT_EQ(unescape_bytes(escape_bytes(every)), every);
  for (const char* text : {"", "%", "%4", "a%zz", "%%", "%4"})
    EXPECT_EQ(unescape_bytes(escape_bytes(text)), text);
  EXPECT_EQ(unescape_bytes("%"), "%");
  EXPECT_EQ(unescape_bytes("%4"), "%4");
  EXPECT_EQ(unescape_bytes("%-1"), "%-1");
}

}  // namespace
}  // namespace cutaway
