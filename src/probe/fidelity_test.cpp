#include "probe/fidelity.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "base/error.h"
#include "probe/rates.h"
#include "probe/reasons.h"

namespace cutaway::probe {
namespace {

constexpr double kPixels = double{kWindow} * kWindow;

TEST(Figures, AreOfWhatCanBeDrawn) {
  for (const Figure& each : figures()) {
    EXPECT_TRUE(find_rate(each.of) || find_case(each.of)) << each.of;
    EXPECT_GT(each.value, 0) << each.of;
    EXPECT_FALSE(each.fact.empty()) << each.of;
    EXPECT_TRUE(each.most == 0 || each.most > each.value) << each.of;
  }
  std::set<std::string> names;
  for (const Rate& each : rates()) {
    EXPECT_EQ(each.work > 0 && each.beside.empty(), false) << each.name;
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_TRUE(each.beside.empty() || find_rate(each.beside)) << each.name;
    EXPECT_TRUE(each.against.empty() || find_rate(each.against)) << each.name;
    for (const std::string& name : each.series) EXPECT_TRUE(find_rate(name)) << each.name;
  }
}

// Times of a chip that draws 10 pixels per cycle, and takes 1,000 cycles for the rest.
TEST(Figures, AreHeldAgainstWorkByTime) {
  const auto figures = select_figures({"R1-blended"}, "g80");
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(drawn_for(figures), (std::vector<std::string>{"R0", "R1-blended"}));
  const double work = find_rate("R1-blended")->work;
  const auto rows = held(figures, {{"g80", {{"R0", 1000}, {"R1-blended", 1000 + work / 10}}}});
  EXPECT_NEAR(rows.at(0).ours.value(), 10, 1e-9);
  EXPECT_TRUE(rows[0].near());
  EXPECT_NE(fidelity_table(rows).find("+0.0%"), std::string::npos);
  EXPECT_FALSE(held(figures, {{"g80", {{"R0", 1000}, {"R1-blended", 900}}}}).at(0).ours);
  EXPECT_FALSE(held(figures, {}).at(0).ours);
  const auto off = held(figures, {{"g80", {{"R0", 1000}, {"R1-blended", 1000 + work / 11.1}}}});
  EXPECT_FALSE(off.at(0).near());
}

TEST(Figures, CasesGiveRatios) {
  const auto figures = select_figures({"E4.5"}, "g80");
  const auto rows = held(figures, {{"g80", {{"E4.1", 200}, {"E4.5", 300}}}});
  EXPECT_EQ(rows.at(0).ours, 1.5);
  EXPECT_THROW(select_figures({"E4.5"}, "attila"), UserError);
}

// Each without its frame's fixed time.
TEST(Figures, MayBeToldInTheTimeOfAnother) {
  const auto figures = select_figures({"R6-samples-4"}, "geforce6800");
  EXPECT_EQ(drawn_for(figures),
            (std::vector<std::string>{"R0", "R6-cleared", "R6-samples-1", "R6-samples-4"}));
  const Times times{{"R0", 10}, {"R6-samples-1", 110}, {"R6-cleared", 40}, {"R6-samples-4", 165}};
  EXPECT_EQ(held(figures, {{"geforce6800", times}}).at(0).ours, 1.25);
  EXPECT_NE(fidelity_table(held(figures, {{"geforce6800", times}})).find("times R6-samples-1"),
            std::string::npos);
}

// Times of a cache of 8 KiB with misses three times as long as hits, and of a cache that holds everything.
TEST(Figures, SeriesGiveTheLastUnslowedRate) {
  const auto figures = select_figures({"R8-cache"}, "g80");
  const Rate& cache = *find_rate("R8-cache");
  const auto drawn = drawn_for(figures);
  EXPECT_EQ(drawn.size(), cache.series.size() + 1);
  Times small{{"R8-loaded", 50}}, large = small;
  for (const std::string& name : cache.series)
    large[name] = 150, small[name] = find_rate(name)->work > 8 ? 350 : 150;
  EXPECT_EQ(held(figures, {{"g80", small}}).at(0).ours, 8);
  EXPECT_EQ(held(figures, {{"g80", large}}).at(0).ours, find_rate(cache.series.back())->work);
  small.erase(cache.series[1]);
  EXPECT_FALSE(held(figures, {{"g80", small}}).at(0).ours);
}

// 128 x 128 fragments read four words each, of which memory moves 48 bytes, whatever the time.
TEST(Figures, MayBeBytesThatMemoryReads) {
  const auto figures = select_figures({"R8-transfer"}, "g80");
  EXPECT_EQ(drawn_for(figures), (std::vector<std::string>{"R0", "R8-transfer"}));
  const Times times{{"R0", 50}, {"R8-transfer", 70}};
  const Times bytes_read{{"R0", 300}, {"R8-transfer", 300 + 128 * 128 * 4 * 48}};
  EXPECT_EQ(held(figures, {{"g80", times}}, {{"g80", bytes_read}}).at(0).ours, 48);
  EXPECT_FALSE(held(figures, {{"g80", times}}).at(0).ours);
}

// 16 pipes that take 4 cycles per construct.
TEST(Figures, MayBeTheTimeOfOne) {
  const auto figures = select_figures({"R5-loop"}, "geforce6800");
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(drawn_for(figures), (std::vector<std::string>{"R5-loop", "R5-straight"}));
  const Times times{{"R5-straight", 1000}, {"R5-loop", 1000 + kPixels * 16 * 4 / 16}};
  const auto rows = held(figures, {{"geforce6800", times}});
  EXPECT_EQ(rows.at(0).ours, 4);
  EXPECT_NE(fidelity_table(rows).find("cycles of one of 16 pipes"), std::string::npos);
}

// Inside the range the error is 0; outside it is the distance to the nearer end.
TEST(Figures, MayBeRanges) {
  const auto figures = select_figures({"R3-geometry"}, "d3d11");
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(figures[0]->value, 3);
  EXPECT_EQ(figures[0]->most, 7);
  const auto of = [&](double ratio) {
    return held(figures, {{"d3d11", {{"R0", 10}, {"R3-culled", 110}, {"R3-geometry", 10 + 100 * ratio}}}});
  };
  EXPECT_EQ(of(5).at(0).off(), 0);
  EXPECT_NEAR(of(1.5).at(0).off(), -0.5, 1e-9);
  EXPECT_NEAR(of(8.4).at(0).off(), 0.2, 1e-9);
  EXPECT_TRUE(of(3).at(0).near());
  EXPECT_NE(fidelity_table(of(5)).find("3.00 to 7.00"), std::string::npos);
  EXPECT_NE(fidelity_page(of(5), "p.svg").find("| 3.00 to 7.00 | 5.00 | +0.0 % |"), std::string::npos);
  EXPECT_NE(fidelity_json(of(5)).find("\"most\": 7"), std::string::npos);
  EXPECT_NE(fidelity_svg(of(8.4)).find("+20 %"), std::string::npos);
}

// The distance that a rasteriser gets ahead, from all its cases.
TEST(Figures, MayBeAWindow) {
  const auto figures = select_figures({"E1.6"}, "g80");
  ASSERT_EQ(figures.size(), 1u);
  Times times = {{"E1.0", 100}, {"E1.2", 1100}};
  for (const Case& each : cases())
    if (each.apart) times[each.name] = each.apart <= 4608 ? 1100 : 2100;
  for (const std::string& name : drawn_for(figures)) EXPECT_TRUE(times.contains(name)) << name;
  const auto rows = held(figures, {{"g80", times}});
  EXPECT_EQ(rows.at(0).ours, 4864);
  EXPECT_TRUE(rows[0].near());
  EXPECT_FALSE(held(figures, {{"g80", {}}}).at(0).ours);
}

TEST(Reasons, AreOfFigures) {
  for (const Reason& each : reasons()) {
    const auto figures = select_figures({each.of}, each.gpu);
    EXPECT_FALSE(figures.empty()) << each.of;
    EXPECT_TRUE(each.why.ends_with(".")) << each.of;
  }
}

// Lists rows that differ, with their reason once; not those that are near.
TEST(Reasons, StandBelowTheTable) {
  Figure first{.gpu = "chip", .of = "R1-color", .value = 10, .fact = "F-1", .why = "it is slow."};
  Figure second = first, near = first, other = first;
  second.of = "R1-depth", near.of = "R1-hidden", other.of = "R1-both", other.why = "";
  const std::string page = fidelity_page({{&first, 5}, {&near, 10}, {&second, 6}, {&other, 7}}, "p.svg");
  EXPECT_NE(page.find("\n- `R1-color`, `R1-depth`: it is slow.\n- `R1-both`: not examined"),
            std::string::npos);
  EXPECT_EQ(page.find("- `R1-hidden`"), std::string::npos);
  EXPECT_NE(fidelity_json({{&first, 5}}).find("it is slow"), std::string::npos);
  EXPECT_EQ(fidelity_page({{&near, 10}}, "p.svg").find("Reasons for"), std::string::npos);
}

// Areas and facings: front-facing triangles are drawn, back-facing ones culled.
TEST(Rates, TrianglesAreAsTheySay) {
  const auto signed_area = [](const Point& a, const Point& b, const Point& c) {
    return ((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;
  };
  const std::vector<Point> apart = vertices_of(find_rate("R3-vertices")->draw);
  EXPECT_EQ(apart.size(), 3u * find_rate("R3-vertices")->draw.triangles);
  const std::vector<Point> culled = vertices_of(find_rate("R3-culled")->draw);
  const std::vector<Point> drawn = vertices_of(find_rate("R3-drawn")->draw);
  size_t large = 0;
  for (size_t i = 0; i + 2 < culled.size(); i++) {
    const float turn = i % 2 ? -1.0f : 1.0f;
    EXPECT_GT(turn * signed_area(culled[i], culled[i + 1], culled[i + 2]) *
                  signed_area(apart[0], apart[1], apart[2]),
              0)
        << i;
    large += std::abs(signed_area(drawn[i], drawn[i + 1], drawn[i + 2])) > 2;
  }
  EXPECT_EQ(large, 0u);
}

}  // namespace
}  // namespace cutaway::probe
