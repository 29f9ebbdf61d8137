#include "base/csv.h"

#include <gtest/gtest.h>

namespace cutaway {
namespace {

TEST(CsvCell, QuotesWhatSeparatesCells) {
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("gears.cutaway"), "gears.cutaway");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(csv_cell("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_cell("a;=1+1"), "\"a;=1+1\"");
  EXPECT_EQ(csv_cell("a\t=1+1"), "\"a\t=1+1\"");
}

TEST(CsvCell, MakesTextOfFormulas) {
  for (const char* formula :
       {"=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "-", "=", "--1", "-1+A1",
        "\xef\xbc\x9d"
        "1"})
    EXPECT_EQ(csv_cell(formula), "\"'" + std::string(formula) + "\"");
  EXPECT_EQ(csv_cell("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
  EXPECT_EQ(csv_cell("a=1"), "a=1");
}

TEST(CsvCell, KeepsNumbers) {
  for (const char* number : {"0", "-1", "+1", "-0.5", "-1.5e-07", "18446744073709551615", "-inf"})
    EXPECT_EQ(csv_cell(number), number);
}

TEST(CsvCell, ReplacesBytesThatAreNotUtf8) { EXPECT_EQ(csv_cell("g\xff.cap"), "g\xef\xbf\xbd.cap"); }

}  // namespace
}  // namespace cutaway
