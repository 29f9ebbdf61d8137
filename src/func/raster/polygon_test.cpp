#include <gtest/gtest.h>

#include "func/raster/interpolate.h"
#include "func/raster/raster_testing.h"

// Tests polygon modes: triangles drawn as their edges and vertices.
namespace cutaway::func::polygon_test {
namespace {

using namespace testing;

constexpr int kSize = 64;

arch::Registers mode_registers(arch::PolygonMode mode) {
  arch::Registers r = registers(kSize, kSize);
  r.raster.polygon_mode = static_cast<uint32_t>(mode);
  r.raster.line_mode = static_cast<uint32_t>(arch::LineMode::kBresenham);
  return r;
}

struct Triangle {
  float position[3][4];
  SetupInput input;

  Triangle(const arch::Registers&, const std::array<Position, 3>& corners, uint32_t part) {
    for (int i = 0; i < 3; ++i) std::copy(corners[i].begin(), corners[i].end(), position[i]);
    input.position = position;
    input.vertices = 3;
    input.part = part;
  }
};

Picture draw_parts(const arch::Registers& r, const std::array<Position, 3>& corners) {
  Picture picture(kSize, kSize);
  for (uint32_t part = 0; part < setup_parts(r, 3); ++part) {
    const Triangle triangle(r, corners, part);
    Primitive primitive;
    if (setup(r, triangle.input, primitive) == SetupResult::kAccepted) picture.draw(primitive);
  }
  return picture;
}

TEST(PolygonMode, LinesAreTheThreeEdges) {
  const arch::Registers r = mode_registers(arch::PolygonMode::kLine);
  Random random(61);
  for (int i = 0; i < 100; ++i) {
    std::array<Position, 3> corners;
    for (Position& corner : corners)
      corner =
          at_window(r, random.real(0, 64), random.real(0, 64), 0.5f, static_cast<float>(random.real(0.5, 2)));
    const Picture picture = draw_parts(r, corners);
    Picture expected(kSize, kSize);
    for (int k = 0; k < 3; ++k) {
      Primitive primitive;
      if (set_up(r, std::array{corners[k], corners[(k + 1) % 3]}, primitive) == SetupResult::kAccepted)
        expected.draw(primitive);
    }
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) ASSERT_EQ(picture.at(x, y), expected.at(x, y)) << i;
  }
}

TEST(PolygonMode, BarycentricsAreThoseOfTheTriangle) {
  const arch::Registers r = mode_registers(arch::PolygonMode::kLine);
  const std::array corners{at_window(r, 5, 5, 0.2f, 1), at_window(r, 60, 9, 0.4f, 3),
                           at_window(r, 20, 58, 0.8f, 0.5f)};
  arch::Registers filled = r;
  filled.raster.polygon_mode = 0;
  Primitive whole;
  ASSERT_EQ(set_up(filled, corners, whole), SetupResult::kAccepted);
  for (uint32_t part = 0; part < 3; ++part) {
    const Triangle triangle(r, corners, part);
    Primitive edge;
    ASSERT_EQ(setup(r, triangle.input, edge), SetupResult::kAccepted);
    EXPECT_EQ(edge.vertices, 3);
    EXPECT_EQ(edge.front_facing, whole.front_facing);
    Picture picture(kSize, kSize);
    picture.draw(edge, [&](int32_t x, int32_t y) {
      Barycentrics<4> at_edge, at_triangle;
      barycentrics<4>(edge, quad_positions(x, y), {}, at_edge);
      barycentrics<4>(whole, quad_positions(x, y), {}, at_triangle);
      // A pixel's centre lies within 0.71 pixels of the edge.
      EXPECT_NEAR(at_edge.p1[0], at_triangle.p1[0], 0.1);
      EXPECT_NEAR(at_edge.p2[0], at_triangle.p2[0], 0.1);
      EXPECT_NEAR(at_edge.l1[0], at_triangle.l1[0], 0.1);
      EXPECT_NEAR(at_edge.l2[0], at_triangle.l2[0], 0.1);
      float z[2][4];
      depth<4>(edge, quad_positions(x, y), {}, z[0]);
      depth<4>(whole, quad_positions(x, y), {}, z[1]);
      EXPECT_NEAR(z[0][0], z[1][0], 0.1);
    });
    EXPECT_GT(picture.total(), 30);
  }
}

TEST(PolygonMode, FacesCullsAndBiasesAsATriangle) {
  arch::Registers r = mode_registers(arch::PolygonMode::kLine);
  const std::array corners{at_window(r, 5, 5, 0.25f), at_window(r, 60, 9, 0.25f), at_window(r, 20, 58, 0.5f)};
  arch::Registers filled = r;
  filled.raster.polygon_mode = 0;
  Primitive whole, edge;
  ASSERT_EQ(set_up(filled, corners, whole), SetupResult::kAccepted);
  const Triangle triangle(r, corners, 1);

  // Depth bias by the slope of the triangle.
  ASSERT_EQ(setup(r, triangle.input, edge), SetupResult::kAccepted);
  float plain[4], biased[4], whole_plain[4], whole_biased[4];
  const auto at = quad_positions(40, 33);
  depth<4>(edge, at, {}, plain);
  depth<4>(whole, at, {}, whole_plain);
  r.raster.depth_bias = filled.raster.depth_bias = 1;
  r.raster.depth_bias_slope = filled.raster.depth_bias_slope = 3;
  ASSERT_EQ(setup(r, triangle.input, edge), SetupResult::kAccepted);
  ASSERT_EQ(set_up(filled, corners, whole), SetupResult::kAccepted);
  depth<4>(edge, at, {}, biased);
  depth<4>(whole, at, {}, whole_biased);
  EXPECT_GT(biased[0] - plain[0], 0.01f);
  EXPECT_NEAR(biased[0] - plain[0], whole_biased[0] - whole_plain[0], 1e-6);

  // Culling, of all parts at once.
  r.raster.cull_mode = whole.front_facing ? arch::kCullFront : arch::kCullBack;
  EXPECT_EQ(setup(r, triangle.input, edge), SetupResult::kCulledFace);
  EXPECT_TRUE(rejects_all_parts(SetupResult::kCulledFace));
  EXPECT_FALSE(rejects_all_parts(SetupResult::kNoPixels));

  // Without area: back-facing, but its edges are drawn.
  const std::array flat{at_window(r, 5, 5), at_window(r, 60, 5), at_window(r, 30, 5)};
  r.raster.cull_mode = arch::kCullFront;
  EXPECT_GT(draw_parts(r, flat).total(), 60);
  r.raster.cull_mode = arch::kCullBack;
  EXPECT_EQ(draw_parts(r, flat).total(), 0);
}

TEST(PolygonMode, PointsAreTheVerticesInsideTheVolume) {
  arch::Registers r = mode_registers(arch::PolygonMode::kPoint);
  EXPECT_EQ(
      draw_parts(r, {at_window(r, 5.5, 5.5), at_window(r, 60.5, 9.5), at_window(r, 20.5, 58.5)}).total(), 3);
  EXPECT_EQ(
      draw_parts(r, {at_window(r, 5.5, 5.5), at_window(r, 70.5, 9.5), at_window(r, 20.5, 58.5)}).total(), 2);
  for (uint32_t part = 0; part < 3; ++part) {
    Triangle triangle(r, {at_window(r, 5.5, 5.5), at_window(r, 60.5, 9.5), at_window(r, 20.5, 58.5)}, part);
    triangle.input.first = 1;
    triangle.input.point_size = 3;
    Primitive point;
    ASSERT_EQ(setup(r, triangle.input, point), SetupResult::kAccepted);
    Picture picture(kSize, kSize);
    picture.draw(point);
    EXPECT_EQ(picture.total(), 9);
    const uint32_t vertex = (1 + part) % 3;
    EXPECT_EQ(point_vertex(triangle.input), vertex);
    Barycentrics<4> weights;
    barycentrics<4>(point, quad_positions(5, 5), {}, weights);
    EXPECT_EQ(weights.p1[0], vertex == 1 ? 1 : 0);
    EXPECT_EQ(weights.p2[0], vertex == 2 ? 1 : 0);
  }
}

// Edges cross the eye plane and reach far outside: drawing is limited to the visible edges.
TEST(PolygonMode, EdgesAreClippedAsLines) {
  arch::Registers r = mode_registers(arch::PolygonMode::kLine);
  r.raster.depth_clip = 1;
  const std::array corners{Position{-0.5f, -0.5f, 0.5f, 1}, Position{0.5f, -0.5f, 0.5f, 1},
                           Position{0, 4, -3, -2}};
  const Picture picture = draw_parts(r, corners);
  EXPECT_EQ(picture.at(32, 16) + picture.at(32, 15), 1);
  EXPECT_EQ(picture.at(32, 30), 0);
  EXPECT_GT(picture.total(), 40);
}

}  // namespace
}  // namespace cutaway::func::polygon_test
