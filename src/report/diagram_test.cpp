#include "report/diagram.h"

#include <gmock/gmock.h>
#include <random>

#include "report/diagram_layout.h"
#include "report/diagram_rows.h"

namespace cutaway::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Role = Diagram::Role;
using Layout = DiagramLayout;

// A front end with a helper, followed by a loop of two units, and memory.
Diagram example() {
  Diagram diagram{.title = "a <chip>", .units = {}, .wires = {}};
  diagram.units = {{.name = "front"},
                   {.name = "helper", .obeys = true},
                   {.name = "worker", .count = 3},
                   {.name = "end_unit"},
                   {.name = "memory", .memory = true}};
  diagram.wires = {{0, 1, "orders", Role::kData, 1, 2, 4, 1},    {1, 0, "answers", Role::kData, 1, 1, 2, 1},
                   {0, 2, "work", Role::kData, 7, 1, 9, 3},      {2, 3, "results", Role::kData, 2, 1, 3, 3},
                   {3, 0, "ends", Role::kData, 1, 1, 2, 1},      {0, 3, "entries", Role::kData, 1, 5, 8, 1},
                   {2, 4, "requests", Role::kBus, 2, 1, 10, 3},  {4, 2, "replies", Role::kBus, 2, 1, 10, 3},
                   {0, 1, "control", Role::kControl, 1, 1, 2, 1}};
  return diagram;
}

std::vector<std::vector<size_t>> units_of(const DiagramRows& rows) {
  std::vector<std::vector<size_t>> units;
  for (const auto& row : rows.rows) {
    units.emplace_back();
    for (const auto& place : row) units.back().push_back(place.unit);
  }
  return units;
}

TEST(DiagramRows, AreTheLongestPathOverWhatDoesNotLeadBack) {
  const DiagramRows rows = rows_of(example());
  EXPECT_THAT(units_of(rows), ElementsAre(ElementsAre(0), ElementsAre(2), ElementsAre(3)));
  EXPECT_THAT(rows.rows[0][0].helpers, ElementsAre(1));
  EXPECT_THAT(rows.row, ElementsAre(0, 0, 1, 2, 0));
  EXPECT_THAT(rows.back, ElementsAre(false, true, false, false, true, false, false, false, false));
}

TEST(DiagramRows, APathThatIsFoundLateMayBeShorter) {
  Diagram diagram;
  diagram.units = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "d"}, {.name = "e"}};
  diagram.wires = {{.from = 0, .to = 3},
                   {.from = 3, .to = 4},
                   {.from = 0, .to = 1},
                   {.from = 1, .to = 2},
                   {.from = 2, .to = 4}};
  EXPECT_THAT(rows_of(diagram).row, ElementsAre(0, 1, 2, 1, 3));
  std::reverse(diagram.wires.begin(), diagram.wires.end());
  EXPECT_THAT(rows_of(diagram).row, ElementsAre(0, 1, 2, 1, 3));
}

TEST(DiagramRows, WireOrderDecidesBackwardWires) {
  Diagram diagram;
  diagram.units = {{.name = "a"}, {.name = "b"}, {.name = "c"}, {.name = "d"}};
  diagram.wires = {{.from = 0, .to = 1},
                   {.from = 0, .to = 2},
                   {.from = 1, .to = 2},
                   {.from = 2, .to = 3},
                   {.from = 3, .to = 1}};
  EXPECT_THAT(rows_of(diagram).back, ElementsAre(false, false, false, false, true));
  std::swap(diagram.wires[0], diagram.wires[1]);
  EXPECT_THAT(rows_of(diagram).back, ElementsAre(false, false, true, false, false));
}

// Two kinds of workers and the unit that serves both: neither is placed below it, in any search order.
TEST(DiagramRows, TheFirstWireBetweenTwoUnitsAsks) {
  Diagram diagram;
  diagram.units = {{.name = "front"}, {.name = "worker"}, {.name = "other"}, {.name = "server"}};
  diagram.wires = {{.from = 0, .to = 1}, {.from = 0, .to = 2}, {.from = 1, .to = 3},
                   {.from = 3, .to = 1}, {.from = 2, .to = 3}, {.from = 3, .to = 2}};
  const std::vector<bool> back{false, false, false, true, false, true};
  EXPECT_EQ(rows_of(diagram).back, back);
  EXPECT_THAT(rows_of(diagram).row, ElementsAre(0, 1, 1, 2));
  std::swap(diagram.wires[0], diagram.wires[1]);
  EXPECT_EQ(rows_of(diagram).back, back);
}

TEST(DiagramRows, AHelperHearsFromOneUnitAndAnswers) {
  Diagram diagram;
  diagram.units = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
  diagram.wires = {{.from = 0, .to = 1}, {.from = 1, .to = 2}};
  EXPECT_EQ(rows_of(diagram).rows.size(), 3u);  // c does not answer
  diagram.wires.push_back({.from = 2, .to = 1});
  EXPECT_EQ(rows_of(diagram).rows.size(), 2u);
  diagram.wires.push_back({.from = 2, .to = 0});  // and now another one does too
  EXPECT_EQ(rows_of(diagram).rows.size(), 3u);
}

TEST(DiagramText, TellsUnitsByRowWithTheirWires) {
  const std::string text = diagram_text(example());
  EXPECT_EQ(text.substr(0, text.find("\n->")), R"(a <chip>

front
  -> helper    orders        1 cycle, 2 a cycle, 4 slots
  -> worker    3 x work      7 cycles, 1 a cycle, 9 slots
  -> end_unit  entries       1 cycle, 5 a cycle, 8 slots
  !  helper    control       1 cycle, 1 a cycle, 2 slots

helper
  ^  front     answers       1 cycle, 1 a cycle, 2 slots

worker x3
  -> end_unit  3 x results   2 cycles, 1 a cycle, 3 slots
  =  memory    3 x requests  2 cycles, 1 a cycle, 10 slots

end_unit
  ^  front     ends          1 cycle, 1 a cycle, 2 slots

memory
  =  worker    3 x replies   2 cycles, 1 a cycle, 10 slots
)");
}

TEST(DiagramSvg, TellsUnitsAndWires) {
  const std::string svg = diagram_svg(example());
  for (const char* text : {">a &lt;chip&gt;", ">front<", ">helper<", ">worker ×3<", ">end unit<", ">memory<",
                           ">orders 1/2/4<", ">answers 1/1/2<", ">3 × work 7/1/9<", ">3 × results 2/1/3<",
                           ">ends 1/1/2<", ">entries 1/5/8<", ">6 × 2/1/10<", "not drawn: 1 × 1/1/2<"}) {
    EXPECT_THAT(svg, HasSubstr(text));
    EXPECT_EQ(svg.find(text), svg.rfind(text)) << text;
  }
}

// True if two lines share more than a point.
bool share_a_part(const Layout::Line& line, const Layout::Line& other) {
  for (size_t i = 1; i < line.points.size(); i++)
    for (size_t k = 1; k < other.points.size(); k++) {
      const Layout::Point &a = line.points[i - 1], &b = line.points[i];
      const Layout::Point &c = other.points[k - 1], &d = other.points[k];
      auto meet = [](double a0, double a1, double b0, double b1) {
        return std::min(std::max(a0, a1), std::max(b0, b1)) > std::max(std::min(a0, a1), std::min(b0, b1));
      };
      if (a.x == b.x && c.x == d.x && a.x == c.x && meet(a.y, b.y, c.y, d.y)) return true;
      if (a.y == b.y && c.y == d.y && a.y == c.y && meet(a.x, b.x, c.x, d.x)) return true;
    }
  return false;
}

void expect_readable(const Diagram& diagram, const std::string& which) {
  const Layout layout = layout_of(diagram);
  ASSERT_EQ(layout.boxes.size(), diagram.units.size());
  std::vector<std::pair<std::string, Layout::Rectangle>> areas;
  for (const auto& box : layout.boxes)
    areas.emplace_back(
        diagram.units[box.unit].name,
        Layout::Rectangle{box.area.x, box.area.y, box.area.width + box.depth, box.area.height + box.depth});
  for (const auto& text : layout.texts) areas.emplace_back(text.text, text.area());
  for (size_t i = 0; i < areas.size(); i++)
    for (size_t k = 0; k < i; k++)
      EXPECT_FALSE(areas[i].second.overlaps(areas[k].second))
          << which << areas[i].first << " covers " << areas[k].first;
  for (const auto& line : layout.lines)
    for (const Layout::Point& end : {line.points.front(), line.points.back()})
      EXPECT_TRUE(std::any_of(layout.boxes.begin(), layout.boxes.end(),
                              [&](const auto& box) {
                                return box.area.x <= end.x && end.x <= box.right() && box.area.y <= end.y &&
                                       end.y <= box.bottom();
                              }))
          << which << "a line ends at no box";
  for (const auto& line : layout.lines)
    for (const auto& other : layout.lines)
      EXPECT_FALSE(&line != &other && share_a_part(line, other)) << which << "two lines lie on one another";
  for (const auto& line : layout.lines)
    for (size_t i = 1; i < line.points.size(); i++) {
      const Layout::Point &a = line.points[i - 1], &b = line.points[i];
      EXPECT_TRUE(a.x == b.x || a.y == b.y) << which << "a slanted line";
      const Layout::Rectangle part{std::min(a.x, b.x), std::min(a.y, b.y), std::abs(a.x - b.x),
                                   std::abs(a.y - b.y)};
      for (const auto& box : layout.boxes) {
        const Layout::Rectangle inside{box.area.x + 1, box.area.y + 1, box.area.width - 2,
                                       box.area.height - 2};
        EXPECT_FALSE(part.overlaps(inside)) << which << "a line through " << diagram.units[box.unit].name;
      }
    }
}

TEST(DiagramLayout, OfTheExampleIsReadable) { expect_readable(example(), ""); }

Diagram random_diagram(unsigned seed) {
  std::mt19937 random(seed);
  auto below = [&](size_t n) { return random() % n; };
  Diagram diagram;
  const size_t units = 2 + below(14);
  for (size_t i = 0; i < units; i++)
    diagram.units.push_back(
        {.name = "unit_" + std::string(1, char('a' + i)), .count = unsigned(1 + below(3))});
  diagram.units.back().memory = true;
  for (size_t i = 0; i < units * 2; i++) {
    const size_t from = below(units - 1), to = below(units - 1);
    diagram.wires.push_back(
        {from, to, "port_" + std::to_string(i), Role::kData, 1, 1, 2, unsigned(1 + below(20))});
    if (below(4) == 0) diagram.wires.push_back({to, from, "answers", Role::kData, 1, 1, 2, 1});
    if (below(2) == 0) diagram.wires.push_back({from, units - 1, "memory", Role::kBus, 2, 1, 10, 1});
  }
  for (size_t helper = units; helper < units + below(4); helper++) {
    const size_t helped = below(units - 1);
    diagram.units.push_back({.name = "helper_" + std::to_string(helper)});
    for (size_t i = 0; i <= below(4); i++) {
      diagram.wires.push_back({helped, helper, "order_" + std::to_string(i), Role::kData, 1, 1, 2, 1});
      diagram.wires.push_back({helper, helped, "answer_" + std::to_string(i), Role::kData, 1, 1, 2, 1});
      if (below(2) == 0) diagram.wires.push_back({helper, units - 1, "memory", Role::kBus, 2, 1, 10, 1});
    }
  }
  return diagram;
}

TEST(DiagramLayout, OfAnyMachineIsReadable) {
  for (unsigned seed = 0; seed < 1000 && !testing::Test::HasFailure(); seed++)
    expect_readable(random_diagram(seed), "seed " + std::to_string(seed) + ": ");
}

}  // namespace
}  // namespace cutaway::report
