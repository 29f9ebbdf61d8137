#include "experiment/formula.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>

#include "sweep/testing/sweep_files.h"

namespace cutaway::experiment::formula_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two machines and three numbers of units: cycles 100, 60, 50 and 90, 50, 45.
const Table kTable{{{"machine", {"non-split", "all in one"}}, {"units", {"2", "4", "8"}}},
                   {{"cycles", {100, 60, 50, 90, 50, 45}}, {"area", {40, 70, 130, 30, 60, 120}}}};

double value(const std::string& text, const Place& at = {0, 0}, const Table& table = kTable) {
  const Formula formula(text, "here");
  formula.check(table.axes, {"cycles", "area"});
  return formula.value(table, whole(table.axes), at);
}
std::string error(const std::string& text) {
  return sweep::error_of([&] { value(text); });
}

TEST(Formula, Arithmetic) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3 - 4 / 2"), 7);
  EXPECT_EQ(value("2 - 3 - 4"), -5);
  EXPECT_EQ(value("-2 * -.5"), 1);
}

TEST(Formula, ColumnsOfAConfiguration) {
  EXPECT_EQ(value("cycles", {1, 2}), 45);
  EXPECT_EQ(value("cycles[units = 2] / cycles", {1, 1}), 90.0 / 50);
  EXPECT_EQ(value("cycles[machine = non-split, units = 8]", {1, 0}), 50);
  EXPECT_EQ(value("cycles[machine='all in one']", {0, 1}), 50);
}

TEST(Formula, AxesThatItLeavesOpen) {
  const auto free = [](const char* text) { return Formula(text, "here").free_axes(kTable.axes); };
  EXPECT_THAT(free("cycles"), ElementsAre(true, true));
  EXPECT_THAT(free("cycles[units = 2] / cycles[units = 4]"), ElementsAre(true, false));
  EXPECT_THAT(free("max(cycles)"), ElementsAre(false, false));
  EXPECT_THAT(free("max(cycles[units = 2]) / cycles[machine = non-split]"), ElementsAre(false, true));
  EXPECT_THAT(free("3"), ElementsAre(false, false));
}

TEST(Formula, OverAllConfigurations) {
  EXPECT_EQ(value("max(cycles)"), 100);
  EXPECT_EQ(value("min(cycles[machine = non-split])"), 50);
  EXPECT_EQ(value("sum(cycles[units = 8])"), 95);
  EXPECT_EQ(value("mean(area[units = 2])"), 35);
  Domain domain = whole(kTable.axes);
  domain[1] = {0, 1};  // if only 2 and 4 units are selected
  EXPECT_EQ(Formula("min(cycles)", "here").value(kTable, domain, {0, 0}), 50);
}

TEST(Formula, TellsWhoseNumbersItTook) {
  std::set<size_t> touched;
  Formula("cycles[machine = non-split] / cycles[units = 8]", "here")
      .value(kTable, whole(kTable.axes), {1, 1}, &touched);
  EXPECT_THAT(touched, ElementsAre(1, 5));
  touched.clear();
  Formula("min(cycles[machine = non-split])", "here").value(kTable, whole(kTable.axes), {0, 0}, &touched);
  EXPECT_THAT(touched, ElementsAre(2));
  touched.clear();
  Formula("sum(cycles[units = 4])", "here").value(kTable, whole(kTable.axes), {0, 0}, &touched);
  EXPECT_THAT(touched, ElementsAre(1, 4));
}

TEST(Formula, UnmeasuredValuesAreNaN) {
  Table table = kTable;
  table.columns["cycles"][3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(value("cycles[machine = 'all in one'] + 1", {0, 0}, table)));
  EXPECT_TRUE(std::isnan(value("max(cycles)", {0, 0}, table)));
  EXPECT_TRUE(std::isnan(value("1 / (cycles[units = 2] - cycles[units = 2])")));
  EXPECT_EQ(value("max(cycles[machine = non-split])", {1, 0}, table), 100);
}

TEST(Formula, ErrorsNameThePlace) {
  EXPECT_THAT(error("1 +"), HasSubstr("here: in the formula \"1 +\": it ends where a value is expected"));
  EXPECT_THAT(error("(1"), HasSubstr("expected"));
  EXPECT_THAT(error("1 2"), HasSubstr("unexpected '2'"));
  EXPECT_THAT(error("cycles[units 2]"), HasSubstr("expected '=' before '2]'"));
  EXPECT_THAT(error("cycles[units = 'two]"), HasSubstr("a ' is not closed"));
  EXPECT_THAT(error("1.2.3"), HasSubstr("'1.2.3' is no number"));
  EXPECT_THAT(error("cycle"), HasSubstr("there is no measure 'cycle' (did you mean cycles?)"));
  EXPECT_THAT(error("cycles[ways = 1]"), HasSubstr("there is no axis 'ways'; there are: machine, units"));
  EXPECT_THAT(error("cycles[units = 3]"), HasSubstr("axis units has no '3'; it has: 2, 4, 8"));
  EXPECT_THAT(error(std::string(100, '(') + "1" + std::string(100, ')')), HasSubstr("too deep"));
}

TEST(Formula, ChainsOfAnyLength) {
  std::string sum = "cycles", product = "1";
  for (int i = 1; i < 100'000; i++)
    sum += i % 2 ? "+cycles" : "-cycles", product += i % 2 ? "*cycles" : "/cycles";
  EXPECT_EQ(value(sum), 200);
  EXPECT_EQ(value(product), 100);
  EXPECT_EQ(value("max(" + sum + ") - min(" + product + ")"), 200 - 45);
  const Formula formula(sum, "here");
  EXPECT_THAT(formula.names(), ElementsAre("cycles"));
  EXPECT_TRUE(formula.may_be_negative({}));
  EXPECT_FALSE(Formula(product, "here").may_be_negative({}));
  EXPECT_EQ(formula.normal_text().substr(99'998, 18), "cycles + cycles) -");
}

TEST(Formula, NestingHasALimit) {
  const auto nested = [](const std::string& open, const std::string& close, size_t levels) {
    std::string text;
    for (size_t i = 0; i < levels; i++) text += open;
    text += "1";
    for (size_t i = 0; i < levels; i++) text += close;
    return text;
  };
  for (const auto& [open, close] : {std::pair("(", ")"), std::pair("-", ""), std::pair("max(", ")"),
                                    std::pair("1+2*(", ")"), std::pair("1/-(", ")")}) {
    const size_t levels = std::string(open).find("-(") == std::string::npos ? 49 : 24;
    EXPECT_EQ(error(nested(open, close, levels)), "") << open;
    EXPECT_THAT(error(nested(open, close, levels + 2)), HasSubstr("too deep")) << open;
    EXPECT_THAT(error(nested(open, close, 1'000'000)), HasSubstr("too deep")) << open;
  }
}

TEST(Formula, LongTextsAreNotRepeated) {
  const std::string junk(200'000, 'x');
  for (const std::string& text : {junk, junk + " +", "1 " + junk, "1" + junk, "cycles[" + junk + " = 1]",
                                  "cycles[units = " + junk + "]", "1 + [" + junk}) {
    EXPECT_THAT(error(text), HasSubstr("..."));
    EXPECT_LT(error(text).size(), 300u);
  }
  EXPECT_THAT(error("1 + $" + std::string(54, ' ') + "\xc3\xa4\xc3\xa4"),
              HasSubstr(" ...\""));  // whole characters
}

TEST(Formula, FunctionsInFunctionsHaveALimit) {
  std::string text = "cycles";
  for (int i = 0; i < 20; i++) text = "max(cycles + " + text + ")";
  EXPECT_THAT(error(text), HasSubstr("here: the formula takes more than 20,000,000 steps"));
}

TEST(Formula, NormalTextHasNoNeedlessBlanksAndParentheses) {
  const auto normal = [](const char* text) { return Formula(text, "here").normal_text(); };
  EXPECT_EQ(normal("((cycles)-  area)"), "cycles - area");
  EXPECT_EQ(normal("(1 + 2) * -max(cycles[units=2])"), "(1 + 2) * -max(cycles[units = 2])");
  EXPECT_EQ(normal("1-2+3 * 4/5"), "(1 - 2) + ((3 * 4) / 5)");
}

TEST(Formula, DivisorsThatMayBeNegative) {
  const auto open = [](const char* text) { return Formula(text, "here").open_divisors({"gain"}); };
  EXPECT_THAT(open("cycles / area"), ElementsAre());
  EXPECT_THAT(open("(cycles - area) / area - 1"), ElementsAre());  // a dividend may be negative
  EXPECT_THAT(open("1 / (cycles - area)"), ElementsAre("cycles - area"));
  EXPECT_THAT(open("max(1 / (cycles / (2 - area)))"), ElementsAre("cycles / (2 - area)", "2 - area"));
  EXPECT_THAT(open("cycles / gain"), ElementsAre("gain"));
}

}  // namespace
}  // namespace cutaway::experiment::formula_test
