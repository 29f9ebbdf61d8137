#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "base/error.h"
#include "probe/outcome.h"
#include "probe/shapes.h"

namespace cutaway::probe {
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
  EXPECT_THROW(select({"E2.1-quads-6"}), UserError);  // 64 is no end of 6
  EXPECT_THROW(select({"E2", "E9"}), UserError);
}

TEST(Outcome, ARatioLeavesOutWhatStandsBeside) {
  const Times times = {{"E1.0", 100}, {"E1.2", 1100}, {"E1.3-column", 2050}, {"E1.5", 2100}};
  const std::vector<Row> found = rows(select({"E1.3-column", "E1.5"}), times);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_FALSE(found[0].ratio);
  EXPECT_DOUBLE_EQ(*found[2].ratio, 1.95);
  EXPECT_TRUE(found[2].near);  // 2 is published
  EXPECT_DOUBLE_EQ(*found[3].ratio, 2);
  EXPECT_FALSE(found[3].near);
  EXPECT_NE(table(found, "cycles").find("1 of 2 within 10 %"), std::string::npos);
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

}  // namespace
}  // namespace cutaway::probe
