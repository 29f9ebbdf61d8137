#include "plot/figure_svg.h"

#include <cmath>
#include <gmock/gmock.h>
#include <regex>

#include "plot/layout.h"
#include "plot/svg.h"

namespace cutaway::plot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

size_t count(const std::string& svg, const std::string& text) {
  size_t found = 0;
  for (size_t at = 0; (at = svg.find(text, at)) != svg.npos; at += text.size()) found++;
  return found;
}

Axis names(const std::vector<std::string>& texts) {
  Axis axis{.scale = Axis::Scale::kNames};
  for (const std::string& text : texts) axis.ticks.push_back({static_cast<double>(axis.ticks.size()), text});
  return axis;
}

// The pixels of an attribute in every element of a kind, in the order of the document.
std::vector<double> pixels(const std::string& svg, const std::string& element, const std::string& attribute) {
  const std::regex pattern("<" + element + " [^>]*\\b" + attribute + "=\"([0-9.]+)\"");
  std::vector<double> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), pattern), end; it != end; ++it)
    found.push_back(std::stod((*it)[1]));
  return found;
}

TEST(FigureSvg, EscapesTexts) {
  const std::string svg = figure_svg({.title = "a <b>", .subtitle = "c & d", .charts = {{.title = "\"e\""}}});
  for (const char* text : {">a &lt;b&gt;<", ">c &amp; d<", ">&quot;e&quot;<"})
    EXPECT_THAT(svg, HasSubstr(text));
}

TEST(FigureSvg, DrawsABarForEachValue) {
  Chart chart{.x = names({"one", "two"}), .mark = Chart::Mark::kBars};
  chart.series = {{.name = "s", .points = {{0, 1}, {1, 2}}},
                  {.name = "t", .points = {{0, std::nan("")}, {1, 4}}}};
  const std::string svg = figure_svg({.charts = {chart}});
  EXPECT_EQ(count(svg, "<title>"), 3u);
  EXPECT_THAT(svg, HasSubstr("<title>t: 4</title>"));
  // The whole picture, the pattern's two, s, s, t; the legend follows.
  const std::vector<double> heights = pixels(svg, "rect", "height");
  ASSERT_EQ(heights.size(), 8u);
  constexpr double kRounding = 0.3;  // pixels are rounded to a tenth, here times 4
  EXPECT_NEAR(heights[4], 2 * heights[3], kRounding);
  EXPECT_NEAR(heights[5], 4 * heights[3], kRounding);
}

TEST(FigureSvg, StepsHoldTheirValue) {
  Chart chart{.y = {.least = 0, .most = 10}, .mark = Chart::Mark::kSteps};
  chart.series = {{.points = {{0, 10}, {5, 0}, {10, 10}}}};
  // Area: 70 to 960, 40 to 320.
  EXPECT_THAT(figure_svg({.charts = {chart}}),
              HasSubstr("M70.0 40.0L515.0 40.0L515.0 320.0L960.0 320.0L960.0 40.0"));
  chart.mark = Chart::Mark::kLines;
  EXPECT_THAT(figure_svg({.charts = {chart}}), HasSubstr("M70.0 40.0L515.0 320.0L960.0 40.0"));
}

TEST(FigureSvg, PointsAreJoinedAndDotsAreNot) {
  Chart chart{.mark = Chart::Mark::kPoints};
  chart.series = {{.points = {{1, 1}, {2, 2}}}};
  const std::string joined = figure_svg({.charts = {chart}});
  chart.mark = Chart::Mark::kDots;
  const std::string dots = figure_svg({.charts = {chart}});
  EXPECT_EQ(count(joined, "<circle"), 2u);
  EXPECT_EQ(count(dots, "<circle"), 2u);
  EXPECT_THAT(joined, HasSubstr("stroke-linejoin"));
  EXPECT_THAT(dots, Not(HasSubstr("stroke-linejoin")));
}

TEST(FigureSvg, FactorsStandAtEqualDistancesOnALogarithmicAxis) {
  Chart chart{.x = {.scale = Axis::Scale::kLog}, .mark = Chart::Mark::kPoints};
  chart.series = {{.points = {{1, 1}, {2, 1}, {4, 1}}}};
  const std::vector<double> x = pixels(figure_svg({.charts = {chart}}), "circle", "cx");
  ASSERT_EQ(x.size(), 3u);
  EXPECT_NEAR(x[1] - x[0], x[2] - x[1], 0.11);
}

TEST(FigureSvg, RowsOfNamesGoDownAndShowNotes) {
  Chart chart{.y = names({"first", "second"}), .mark = Chart::Mark::kDots};
  chart.series = {{.open = true, .points = {{1, 0, "+1 %"}, {2, 1, "+2 %"}}}};
  const std::string svg = figure_svg({.charts = {chart}});
  const std::vector<double> y = pixels(svg, "circle", "cy");
  ASSERT_EQ(y.size(), 2u);
  EXPECT_NEAR(y[1] - y[0], kRow, 0.11);
  for (const char* text : {">first<", ">second<", ">+1 %<", ">+2 %<", "fill=\"#ffffff\" stroke=\"#1f6fb2\""})
    EXPECT_THAT(svg, HasSubstr(text));
}

TEST(FigureSvg, BandsStandInTheLegendOnce) {
  Chart chart{.bands = {{.y = Interval{1, 2}}, {.y = Interval{3, 3}}}, .band_name = "expected"};
  const std::string svg = figure_svg({.charts = {chart}});
  EXPECT_EQ(count(svg, "url(#hatched)"), 3u);
  EXPECT_EQ(count(svg, ">expected<"), 1u);
  // A band of one value is two pixels high.
  EXPECT_EQ(count(svg, "height=\"2.0\""), 1u);
}

TEST(FigureSvg, SlantsNamesThatWouldOverlap) {
  std::vector<std::string> texts(12, "a name of some length");
  EXPECT_THAT(figure_svg({.charts = {{.x = names(texts)}}}), HasSubstr("rotate(-30"));
  texts.resize(3);
  EXPECT_THAT(figure_svg({.charts = {{.x = names(texts)}}}), Not(HasSubstr("rotate(-30")));
}

TEST(FigureSvg, LeavesOutNumbersThatWouldOverlap) {
  Chart chart;
  for (unsigned i = 0; i < 100; i++) chart.x.ticks.push_back({1.0 * i, std::to_string(1000000 + i)});
  chart.x.least = 0, chart.x.most = 99;
  const std::string svg = figure_svg({.charts = {chart}});
  EXPECT_THAT(svg, HasSubstr(">1000000<"));
  EXPECT_THAT(svg, Not(HasSubstr(">1000001<")));
}

TEST(FigureSvg, ShortensNamesThatAreTooLongForTheLegend) {
  const std::string name(100, 'n');
  Chart chart{.series = {{.name = name, .points = {{1, 1}, {2, 2}}}}};
  const std::string svg = figure_svg({.charts = {chart}});
  EXPECT_THAT(svg, HasSubstr("nnn\xe2\x80\xa6<"));
  EXPECT_THAT(svg, Not(HasSubstr(name)));
}

TEST(Fitted, CutsBetweenCharacters) {
  const double character = text_width("x", 10);
  EXPECT_EQ(fitted("\xc3\xa9\xc3\xa9\xc3\xa9", 10, 3 * character), "\xc3\xa9\xc3\xa9\xc3\xa9");
  EXPECT_EQ(fitted("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 10, 3.1 * character), "\xc3\xa9\xc3\xa9\xe2\x80\xa6");
}

TEST(FigureSvg, AlignsChartsBelowOneAnother) {
  Chart wide{.y = names({"a name that is longer than the labels of numbers"})};
  const std::string svg = figure_svg({.charts = {{.title = "first"}, wide}});
  const double left = margins_of(wide).left;
  EXPECT_GT(left, margins_of({.title = "first"}).left);
  EXPECT_THAT(svg, HasSubstr("<text x=\"" + std::to_string(left).substr(0, std::to_string(left).size() - 5)));
}

}  // namespace
}  // namespace cutaway::plot
