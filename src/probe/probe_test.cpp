#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "base/error.h"
#include "probe/outcome.h"
#include "probe/pictures.h"
#include "probe/shapes.h"

namespace cutaway::probe::probe_test {
namespace {

constexpr double kPixels = double{kWindow} * kWindow;

double area(const Point& a, const Point& b, const Point& c) {
  return std::abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2.0;
}

double triangles_area(const Shape& shape) {
  double sum = 0;
  for (size_t i = 0; i < shape.vertices.size(); i += 3)
    sum += area(shape.vertices[i], shape.vertices[i + 1], shape.vertices[i + 2]);
  return sum;
}

TEST(Shapes, SquaresOfEverySizeTileTheWindow) {
  for (const uint32_t size : {512, 64, 32, 16, 8, 4, 1}) {
    const Shape shape = quads(size);
    EXPECT_EQ(shape.vertices.size(), 6 * kPixels / (size * size));
    EXPECT_EQ(triangles_area(shape), kPixels);
    EXPECT_EQ(strips(size).indices.size(), 5 * kPixels / (size * size));
    EXPECT_EQ(quads_shifted(size).vertices[0].x, shape.vertices[0].x + 1);
  }
}

TEST(Shapes, SquaresComeInRows) {
  const Shape rows = quads(8);
  EXPECT_EQ(rows.vertices[6].x, 8);
  EXPECT_EQ(rows.vertices[12].x, 16);
  EXPECT_EQ(rows.vertices[12].y, 0);
}

TEST(Shapes, SquaresMayGoThroughATileBeforeTheNext) {
  const Shape shape = quads_in_tiles(8);
  EXPECT_EQ(shape.vertices[6].x, 8);  // the second square is beside the first
  EXPECT_EQ(shape.vertices[12].y, 8);
  EXPECT_EQ(shape.vertices[24].x, 16);
}

TEST(Shapes, LinesCoverEveryRowOnce) {
  for (const Shape& shape : {lines(512), lines(2), line_quads(64), line_quads(1)}) {
    std::set<std::pair<float, float>> starts;
    double length = 0;
    for (size_t i = 0; i < shape.vertices.size(); i += 2) {
      starts.insert({shape.vertices[i].x, shape.vertices[i].y});
      length += shape.vertices[i + 1].x - shape.vertices[i].x;
    }
    EXPECT_EQ(length, kPixels);
    EXPECT_EQ(starts.size(), shape.vertices.size() / 2);
  }
}

TEST(Shapes, PointsCoverEveryPixelOnceOrTheirOwn) {
  for (const uint32_t size : {1, 2, 16, 128}) {
    std::set<std::pair<float, float>> at;
    for (const Point& point : point_quads(size).vertices) at.insert({point.x, point.y});
    EXPECT_EQ(at.size(), kPixels);
  }
  EXPECT_EQ(points_spaced(16).vertices.size(), 32u * 32);
  EXPECT_EQ(points_spaced(3).vertices.size(), 170u * 170);
  EXPECT_EQ(points_on_one_pixel(0).vertices.size(), kPixels);
}

TEST(Shapes, StarsAreOneInEachSubTileOrSideBySide) {
  std::set<std::pair<uint32_t, uint32_t>> sub_tiles;
  for (const Point& star : star_points(0).vertices)
    sub_tiles.insert({static_cast<uint32_t>(star.x) / 8, static_cast<uint32_t>(star.y) / 4});
  EXPECT_EQ(sub_tiles.size(), kPixels / 32);
  EXPECT_EQ(star_points(0).vertices.size(), kPixels / 32);
  EXPECT_EQ(line_points(0).vertices.size(), 25u * kSilhouettes.pixels);
  const Shape in_turn = line_points_in_turn(0), by_line = line_points(0);
  EXPECT_EQ(in_turn.vertices.size(), by_line.vertices.size());
  EXPECT_EQ(in_turn.vertices[25].y, by_line.vertices[1].y);
  EXPECT_EQ(triangles_area(star_block(0)), kPixels / 32);
  const Shape kinds = star_points_by_kind(0);
  ASSERT_EQ(kinds.vertices.size(), 2 * kPixels / 32);
  for (size_t i = 0; i < kinds.vertices.size(); i++)
    EXPECT_EQ(static_cast<uint32_t>(kinds.vertices[i].x) % 8, kStars[i / (kinds.vertices.size() / 2)].first);
}

TEST(Cases, AreComparedWithCasesThatThereAre) {
  std::set<std::string> names;
  for (const Case& each : cases()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    for (const std::string& other : {each.published.reference, each.published.beside})
      EXPECT_TRUE(other.empty() || find_case(other)) << each.name << ": " << other;
    EXPECT_LE(each.slowness.at.size(), 4u);
  }
  EXPECT_EQ(find_case("E5"), nullptr);
}

std::set<std::string> selected(const std::vector<std::string>& names) {
  std::set<std::string> found;
  for (const Case* each : select(names)) found.insert(each->name);
  return found;
}

TEST(Selection, TakesBeginningsAndWhatTheyAreComparedWith) {
  EXPECT_EQ(selected({}).size(), cases().size());
  EXPECT_EQ(selected({"E4.4"}), (std::set<std::string>{"E4.1", "E4.4"}));
  EXPECT_EQ(selected({"E1.5"}), (std::set<std::string>{"E1.0", "E1.2", "E1.5"}));
  EXPECT_THROW(select({"E2.1-quads-6"}), UserError);  // 64 does not match 6
  EXPECT_THROW(select({"E2", "E9"}), UserError);
}

TEST(Outcome, RatioSubtractsTheBesideCase) {
  const Times times = {{"E1.0", 100}, {"E1.2", 1100}, {"E1.3-column", 2050}, {"E1.5", 2100}};
  const std::vector<Row> found = rows(select({"E1.3-column", "E1.5"}), times);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_FALSE(found[0].ratio);
  EXPECT_DOUBLE_EQ(*found[2].ratio, 1.95);
  EXPECT_TRUE(found[2].near);  // the published value is 2
  EXPECT_DOUBLE_EQ(*found[3].ratio, 2);
  EXPECT_FALSE(found[3].near);
  EXPECT_NE(table(found, {"g80", "cycles"}).find("1 of 2 within 10 %"), std::string::npos);
}

TEST(Outcome, SpacedPointsAreComparedByPoint) {
  const Times times = {{"E4.1", 262144}, {"E4.3-spaced-2", 65536 * 1.2}};
  const std::vector<Row> found = rows(select({"E4.3-spaced-2"}), times);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_DOUBLE_EQ(*found[1].ratio, 1.2);
}

TEST(Outcome, WithoutAReferenceThereIsNoRatio) {
  const std::vector<Row> found = rows(select({"E4.4"}), {{"E4.4", 5}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].ratio);
}

TEST(Outcome, TooFastSlowPixelsTellNothing) {
  const std::vector<Row> found = rows(select({"E1.5"}), {{"E1.0", 100}, {"E1.2", 190}, {"E1.5", 200}});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_FALSE(found[2].ratio);
  EXPECT_NE(table(found, {"g80", "cycles"}).find("1 cannot be told"), std::string::npos);
}

TEST(Outcome, ACpuIsNotJudged) {
  const std::vector<Row> found = rows(select({"E1.5"}), {{"E1.0", 100}, {"E1.2", 1100}, {"E1.5", 1100}});
  const Device cpu{"a CPU", "nanoseconds", true};
  EXPECT_EQ(table(found, cpu).find("within"), std::string::npos);
  EXPECT_NE(table(found, cpu).find("without a verdict"), std::string::npos);
  EXPECT_EQ(json(found, cpu).find("within"), std::string::npos);
  EXPECT_NE(json(found, {"g80", "cycles"}).find("within"), std::string::npos);
}

// Times of the cases of E1.6: those with at most `pixels` between them run concurrently, except for one.
std::optional<Window> window_up_to(uint32_t pixels, uint32_t in_turn = 0) {
  Times times = {{"E1.0", 100}, {"E1.2", 1100}};
  for (const Case& each : cases())
    if (each.apart) times[each.name] = each.apart <= pixels && each.apart != in_turn ? 1100 : 2100;
  return window_of(rows(select({"E1.6"}), times));
}

TEST(AWindow, IsBetweenThoseSideBySideAndTheNext) {
  const std::optional<Window> window = window_up_to(4608);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->beside, 4608u);
  EXPECT_EQ(window->after, 5120u);
  EXPECT_EQ(window->pixels(), 4864);
  EXPECT_TRUE(window->near());
  EXPECT_FALSE(window_up_to(5888)->near());
}

TEST(AWindow, IsNotEndedByTwoPixelsOfOneCluster) { EXPECT_EQ(window_up_to(4608, 1024)->beside, 4608u); }

// Windows of squares stand beside that of a large triangle, each from its own cases.
TEST(AWindow, OfEachSizeOfSquares) {
  Times times = {{"E1.0", 100}, {"E1.2", 1100}};
  for (const char* size : {"32", "16", "8"}) {
    times[std::string("E2.2-squares-") + size + "-none"] = 100;
    times[std::string("E2.2-squares-") + size + "-one"] = 1100;
  }
  for (const Case& each : cases())
    if (each.apart) times[each.name] = each.apart <= (each.size ? 80 * each.size : 4608) ? 1100 : 2100;
  const std::vector<Row> found = rows(select({"E1.6", "E2.2"}), times);
  std::vector<std::pair<uint32_t, double>> windows;
  for (const Window& window : windows_of(found)) windows.emplace_back(window.squares, *window.pixels());
  EXPECT_EQ(windows, (std::vector<std::pair<uint32_t, double>>{{0, 4864}, {32, 3072}, {16, 1536}, {8, 768}}));
  EXPECT_NE(table(found, {"g80", "cycles"}).find("window of squares of 16: two slow pixels"),
            std::string::npos);
  EXPECT_NE(json(found, {"g80", "cycles"}).find("windows_of_squares"), std::string::npos);
}

TEST(AWindow, MayBeOutsideTheTriedRange) {
  EXPECT_EQ(window_up_to(0)->beside, 0u);
  EXPECT_FALSE(window_up_to(0)->pixels());
  EXPECT_FALSE(window_up_to(100000)->after);
  EXPECT_FALSE(window_up_to(100000)->near());
  EXPECT_FALSE(window_of(rows(select({"E1.5"}), {{"E1.0", 100}, {"E1.2", 1100}, {"E1.5", 1100}})));
}

// A quad of four fragments at (x, y) that two units shade: passes a rasteriser's wire, then a shader's.
class Watched {
 public:
  Watched() {
    timeline.core_period = 10;
    for (const char* path : {"gpu.rasteriser", "gpu.shader0", "gpu.shader1", "gpu.reorder_buffer", "gpu.z"})
      timeline.units.push_back({.path = path});
    const auto wire = [&](const char* message, uint32_t sender, uint32_t receiver) {
      timeline.wires.push_back({.message = message, .sender = sender, .receiver = receiver});
    };
    wire("QuadMessage", 0, 1), wire("QuadMessage", 0, 2);
    wire("ShadedQuad", 1, 3), wire("ShadedQuad", 2, 3), wire("ShadedQuad", 3, 4);
  }
  uint32_t draws(int32_t x, int32_t y, uint32_t draw = 1) {
    timeline.things.push_back(
        {.kind = run_record::Timeline::Thing::Kind::kQuad, .draw = draw, .x = x, .y = y, .mask = 15});
    passes(0, static_cast<uint32_t>(timeline.things.size() - 1), 0);
    return static_cast<uint32_t>(timeline.things.size() - 1);
  }
  void passes(uint32_t wire, uint32_t thing, uint64_t time) {
    const auto first = static_cast<uint32_t>(timeline.carried.size());
    timeline.messages.push_back({.sent = time, .wire = wire, .first_thing = first, .things = 1});
    timeline.carried.push_back(thing);
  }
  run_record::Timeline timeline;
};

const Order::Pixel& at(const Order& order, uint32_t x, uint32_t y) { return order.pixels[y * kWindow + x]; }

// The quad at (0, 0) is drawn before two others and ends between them.
Order watched_order() {
  Watched watched;
  const uint32_t other = watched.draws(100, 100, 0);
  const uint32_t slow = watched.draws(0, 0), quick = watched.draws(2, 0), late = watched.draws(0, 2);
  watched.passes(2, other, 50);
  watched.passes(3, quick, 70);
  watched.passes(2, slow, 500);
  watched.passes(4, slow, 510);  // quads that leave the reorder buffer have been counted already
  watched.passes(3, late, 520);
  return order_of(watched.timeline);
}

TEST(AnOrder, IsThatInWhichQuadsLeaveShaders) {
  const Order order = watched_order();
  EXPECT_EQ(order.units, (std::vector<std::string>{"gpu.shader0", "gpu.shader1"}));
  EXPECT_EQ(order.fragments, 12u);
  EXPECT_EQ(at(order, 2, 0).rank, 1u);
  EXPECT_EQ(at(order, 3, 1).rank, 4u);
  EXPECT_EQ(at(order, 0, 0).rank, 5u);
  EXPECT_EQ(at(order, 0, 0).time, 50u);
  EXPECT_EQ(at(order, 0, 0).unit, 0u);
  EXPECT_EQ(at(order, 2, 0).unit, 1u);
  EXPECT_EQ(at(order, 100, 100).rank, 0u);  // from an earlier draw
}

TEST(AnOrder, TellsWhatEndedPastASlowFragment) {
  EXPECT_EQ(ended_past(watched_order(), {0, 0}), 4u);
  EXPECT_EQ(ended_past(watched_order(), {0, 2}), 0u);
}

TEST(AnOrder, ComesFromADriverAsRanks) {
  std::vector<uint32_t> ranks(size_t{kWindow} * kWindow);
  ranks[5] = 2, ranks[7] = 1;
  const Order order = order_of(ranks);
  EXPECT_EQ(order.fragments, 2u);
  EXPECT_EQ(order.pixels[5].rank, 2u);
  EXPECT_TRUE(order.units.empty());
}

TEST(Pictures, StepsGoFromTheFirstFragmentToTheLast) {
  const std::vector<uint8_t> steps = steps_of(watched_order());
  EXPECT_EQ(steps[2], 1);
  EXPECT_EQ(steps[2 * kWindow], 1 + 8 * kSteps / 12);
  EXPECT_EQ(steps[100 * kWindow + 100], 0);
  EXPECT_EQ(color_of_step(0), Color{});
  EXPECT_GT(color_of_step(1)[2], color_of_step(1)[0]);            // blue
  EXPECT_GT(color_of_step(kSteps)[0], color_of_step(kSteps)[2]);  // red
}

TEST(Pictures, AStandstillShowsWhatWasThereBeforeIt) {
  const Standstill still = standstill_of(watched_order());
  EXPECT_EQ(still.fragments, 4u);
  EXPECT_EQ(still.cycles, 43u);
  EXPECT_NE(still.steps[2], 0);
  EXPECT_EQ(still.steps[0], 0);
  EXPECT_EQ(still.steps[2 * kWindow], 0);
}

TEST(Pictures, AnAnimationStandsStillWhileNothingEnds) {
  const std::vector<uint32_t> durations = step_durations(watched_order());
  ASSERT_EQ(durations.size(), kSteps + 1);
  EXPECT_GT(durations[40], durations[39]);  // after the fourth of twelve fragments
}

TEST(Pictures, UnitsOfAClusterHaveShadesOfOneColor) {
  const std::vector<uint8_t> picture = units_picture(watched_order(), 2);
  EXPECT_EQ(picture[0], 255);      // the first unit: red
  EXPECT_LT(picture[4 * 2], 255);  // the second: darker
  EXPECT_EQ(picture[4 * 2 + 1], 0);
  EXPECT_EQ(picture[4 * (100 * kWindow + 100)], 0);
}

TEST(Pictures, ThePageNamesThemAll) {
  const std::string page = picture_page("a <chip>", {{"E1.2", "one & all", "still", {"order", "units"}}});
  for (const char* text : {"a &lt;chip&gt;", "E1.2-order.png", "E1.2-units.png", "one &amp; all; still"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
}

}  // namespace
}  // namespace cutaway::probe::probe_test
