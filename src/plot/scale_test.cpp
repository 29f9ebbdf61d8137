#include "plot/scale.h"

#include <cmath>
#include <gmock/gmock.h>

namespace cutaway::plot {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> texts(const std::vector<Tick>& ticks) {
  std::vector<std::string> all;
  for (const Tick& tick : ticks) all.push_back(tick.text);
  return all;
}

TEST(NumberText, ShortensThousandsAndMillions) {
  EXPECT_EQ(number_text(0.30000000000000004), "0.3");
  EXPECT_EQ(number_text(9999), "9999");
  EXPECT_EQ(number_text(12500), "12.5 K");
  EXPECT_EQ(number_text(-2.5e6), "-2.5 M");
}

TEST(Extent, OfALinearAxisIncludesZeroAndRoom) {
  const Interval shown = extent({}, {3, std::nan(""), 5}, 0.1);
  EXPECT_EQ(shown.least, 0);
  EXPECT_DOUBLE_EQ(shown.most, 5.5);
  EXPECT_DOUBLE_EQ(extent({}, {-2, 1}, 0.5).least, -3);
}

TEST(Extent, OfALogarithmicAxisEnclosesThePositiveValues) {
  const Interval shown = extent({.scale = Axis::Scale::kLog}, {0, 2, 8}, 0);
  EXPECT_GT(shown.least, 1);
  EXPECT_LT(shown.least, 2);
  EXPECT_GT(shown.most, 8);
  EXPECT_LT(shown.most, 10);
}

TEST(Extent, IsNeverEmpty) {
  for (const Axis::Scale scale : {Axis::Scale::kLinear, Axis::Scale::kLog})
    for (const std::vector<double>& values : {std::vector<double>{}, {0}, {7}}) {
      const Interval shown = extent({.scale = scale}, values, 0);
      EXPECT_LT(shown.least, shown.most);
    }
}

TEST(Extent, OfNamesGivesEachAStep) {
  const Interval shown = extent({.scale = Axis::Scale::kNames, .ticks = {{0, "a"}, {1, "b"}}}, {}, 0);
  EXPECT_EQ(shown.least, -0.5);
  EXPECT_EQ(shown.most, 1.5);
}

TEST(Ticks, AreRoundNumbers) {
  EXPECT_THAT(texts(ticks_of({}, {0, 3.2}, 6)), ElementsAre("0", "1", "2", "3"));
  EXPECT_THAT(texts(ticks_of({}, {0, 160e3}, 6)), ElementsAre("0", "50 K", "100 K", "150 K"));
  EXPECT_THAT(texts(ticks_of({}, {0, 1}, 5)), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1"));
  EXPECT_THAT(texts(ticks_of({.scale = Axis::Scale::kLog}, {0.5, 20}, 6)),
              ElementsAre("0.5", "1", "2", "5", "10", "20"));
}

TEST(Ticks, OfTheAxisLieInTheInterval) {
  EXPECT_THAT(texts(ticks_of({.ticks = {{1, "one"}, {4, "four"}, {9, "nine"}}}, {2, 8}, 6)),
              ElementsAre("four"));
}

TEST(Scale, MapsLinearlyOrByLogarithmAndStaysInside) {
  const Scale linear(Axis::Scale::kLinear, {0, 10}, 300, 100);
  EXPECT_DOUBLE_EQ(linear.at(0), 300);
  EXPECT_DOUBLE_EQ(linear.at(2.5), 250);
  EXPECT_DOUBLE_EQ(linear.at(11), 100);
  const Scale log(Axis::Scale::kLog, {0.1, 10}, 0, 200);
  EXPECT_NEAR(log.at(1), 100, 1e-9);
  EXPECT_NEAR(log.at(0), 0, 1e-9);
}

}  // namespace
}  // namespace cutaway::plot
