#include <cmath>
#include <gtest/gtest.h>

#include "func/raster/interpolate.h"
#include "func/raster/raster_testing.h"

namespace cutaway::func {
namespace {

using namespace testing;

constexpr int kSize = 64;

Picture draw_line(const arch::Registers& r, Position a, Position b) {
  Picture picture(kSize, kSize);
  Primitive primitive;
  if (set_up(r, std::array{a, b}, primitive) == SetupResult::kAccepted) picture.draw(primitive);
  return picture;
}

TEST(Line, DrawsOnePixelInEachColumnBetweenItsEnds) {
  const arch::Registers r = registers(kSize, kSize);
  Random random(31);
  for (int i = 0; i < 500; ++i) {
    // In 1/256 pixel, so that the reference is exact.
    int32_t x[2], y[2];
    for (int k = 0; k < 2; ++k) x[k] = random.integer(0, 64 * 256), y[k] = random.integer(512, 62 * 256);
    const bool x_major = std::abs(x[1] - x[0]) >= std::abs(y[1] - y[0]);
    const Picture picture =
        draw_line(r, at_window(r, x[0] / 256.0, y[0] / 256.0), at_window(r, x[1] / 256.0, y[1] / 256.0));
    const int32_t *u = x_major ? x : y, *v = x_major ? y : x;
    for (int p = 0; p < kSize; ++p) {
      const int32_t centre = p * 256 + 128;
      const bool within = centre >= std::min(u[0], u[1]) && centre < std::max(u[0], u[1]);
      const double at =
          within ? v[0] + static_cast<double>(v[1] - v[0]) * (centre - u[0]) / (u[1] - u[0]) : 0;
      int count = 0;
      for (int q = 0; q < kSize; ++q) {
        const int n = x_major ? picture.at(p, q) : picture.at(q, p);
        count += n;
        ASSERT_TRUE(n == 0 || std::abs(q * 256 + 128 - at) < 128.001);
      }
      ASSERT_EQ(count, within) << "line " << i << ", " << p;
    }
  }
}

TEST(Line, DirectionDoesNotMatter) {
  const arch::Registers r = registers(kSize, kSize);
  Random random(32);
  for (int i = 0; i < 200; ++i) {
    const auto p = at_window(r, random.real(0, 64), random.real(0, 64));
    const auto q = at_window(r, random.real(0, 64), random.real(0, 64));
    const Picture there = draw_line(r, p, q), back = draw_line(r, q, p);
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) ASSERT_EQ(there.at(x, y), back.at(x, y));
  }
}

TEST(Line, AStripDrawsEachColumnOnce) {
  const arch::Registers r = registers(kSize, kSize);
  Random random(33);
  for (int i = 0; i < 100; ++i) {
    Picture picture(kSize, kSize);
    double x = 0, y = 32;
    while (x < 64) {
      const double to_x = std::min(64.0, x + random.real(0.3, 9)), d = (to_x - x) * 0.99;
      const double to_y = std::min(std::max(y + random.real(-d, d), 2.0), 62.0);
      Primitive primitive;
      const auto result = set_up(r, std::array{at_window(r, x, y), at_window(r, to_x, to_y)}, primitive);
      if (result == SetupResult::kAccepted) picture.draw(primitive);
      x = to_x, y = to_y;
    }
    for (int column = 0; column < kSize; ++column) {
      int count = 0;
      for (int row = 0; row < kSize; ++row) count += picture.at(column, row);
      ASSERT_EQ(count, 1) << column;
    }
  }
}

TEST(Line, WidthThickensTheMinorAxis) {
  arch::Registers r = registers(kSize, kSize);
  r.raster.line_width = 3;
  const Picture picture = draw_line(r, at_window(r, 10, 20.5), at_window(r, 30, 20.5));
  EXPECT_EQ(picture.total(), 60);
  for (int y : {19, 20, 21}) EXPECT_EQ(picture.at(10, y) + picture.at(29, y), 2);
}

TEST(Line, ClippingChangesNoValue) {
  arch::Registers r = registers(kSize, kSize);
  // From in front of the eye to behind it.
  const Position a{-0.5f, -0.25f, 0.5f, 1}, b{4, 1, 0.5f, -1};
  Primitive primitive;
  ASSERT_EQ(set_up(r, std::array{a, b}, primitive), SetupResult::kAccepted);
  EXPECT_TRUE(primitive.clipped);
  Picture picture(kSize, kSize);
  picture.draw(primitive, [&](int32_t x, int32_t y) {
    Barycentrics<4> weights;
    barycentrics<4>(primitive, quad_positions(x, y), {}, weights);
    // Where the ray through the column meets the line: x + t dx = n (w + t dw).
    const double n = (x + 0.5) / 32 - 1;
    const double t = (n * a[3] - a[0]) / ((b[0] - a[0]) - n * (b[3] - a[3]));
    EXPECT_NEAR(weights.p1[0], t, 1e-4) << x;
    EXPECT_NEAR(weights.inv_w[0], 1 / (a[3] + t * (b[3] - a[3])), 2e-3 * weights.inv_w[0]) << x;
  });
  EXPECT_EQ(picture.total(), 48) << "columns 16 to 63";
  // Half of the line lies before the near plane.
  r.raster.depth_clip = 1;
  EXPECT_EQ(draw_line(r, at_window(r, 8, 9.5, -0.5f), at_window(r, 24, 9.5, 0.5f)).total(), 8);
  EXPECT_EQ(draw_line(r, at_window(r, 8, 9.5, -0.5f), at_window(r, 24, 9.5, -0.1f)).total(), 0);
  r.vertex_out.clip_distances = 1;
  const ClipDistances distances[2] = {{3}, {-1}};
  ASSERT_EQ(set_up(r, std::array{at_window(r, 8, 9.5), at_window(r, 24, 9.5)}, primitive, 1, distances),
            SetupResult::kAccepted);
  Picture cut(kSize, kSize);
  cut.draw(primitive);
  EXPECT_EQ(cut.total(), 12);
}

TEST(Line, InterpolatesAlongItsMajorAxis) {
  const arch::Registers r = registers(kSize, kSize);
  Primitive primitive;
  ASSERT_EQ(
      set_up(r, std::array{at_window(r, 40.5, 8, 0.25f, 1), at_window(r, 8.5, 20, 0.75f, 1)}, primitive),
      SetupResult::kAccepted);
  Barycentrics<4> weights;
  barycentrics<4>(primitive, quad_positions(32, 11), {}, weights);
  EXPECT_EQ(weights.p1[0], 0.25f);
  EXPECT_EQ(weights.l1[0], 0.25f);
  EXPECT_EQ(weights.p2[0], 0);
  float z[4];
  depth<4>(primitive, quad_positions(32, 11), {}, z);
  EXPECT_EQ(z[0], 0.375f);
}

TEST(Line, OfNoLengthIsCulled) {
  const arch::Registers r = registers(kSize, kSize);
  Primitive primitive;
  EXPECT_EQ(set_up(r, std::array{at_window(r, 8, 8), at_window(r, 8, 8)}, primitive), SetupResult::kZeroArea);
}

TEST(Point, OfSizeOneIsTheOnePixelAroundIt) {
  const arch::Registers r = registers(kSize, kSize);
  Random random(34);
  for (int i = 0; i < 300; ++i) {
    const int32_t x = random.integer(256, 63 * 256), y = random.integer(256, 63 * 256);
    Primitive primitive;
    ASSERT_EQ(set_up(r, std::array<Position, 1>{at_window(r, x / 256.0, y / 256.0)}, primitive),
              SetupResult::kAccepted);
    Picture picture(kSize, kSize);
    picture.draw(primitive);
    ASSERT_EQ(picture.total(), 1);
    // The square is half open: a point on a pixel's corner belongs to the pixel above and left of it.
    ASSERT_EQ(picture.at((x - 1) / 256, (y - 1) / 256), 1) << x << ", " << y;
  }
}

TEST(Point, IsASquareWithCoordinates) {
  const arch::Registers r = registers(kSize, kSize);
  Primitive primitive;
  ASSERT_EQ(set_up(r, std::array<Position, 1>{at_window(r, 20, 30, 0.25f, 2)}, primitive, 4),
            SetupResult::kAccepted);
  Picture picture(kSize, kSize);
  picture.draw(primitive);
  EXPECT_EQ(picture.total(), 16);
  EXPECT_EQ(picture.at(18, 28), 1);
  EXPECT_EQ(picture.at(21, 31), 1);
  float s[4], t[4];
  point_coord<4>(primitive, quad_positions(18, 28), {}, s, t);
  EXPECT_EQ(s[0], 0.125f);
  EXPECT_EQ(t[0], 0.125f);
  EXPECT_EQ(s[1], 0.375f);
  EXPECT_EQ(t[2], 0.375f);
  Barycentrics<4> weights;
  barycentrics<4>(primitive, quad_positions(18, 28), {}, weights);
  EXPECT_EQ(weights.inv_w[3], 0.5f);
  EXPECT_EQ(weights.p1[3], 0);
}

TEST(Point, WhoseCentreIsOutsideIsNotDrawn) {
  const arch::Registers r = registers(kSize, kSize);
  Primitive primitive;
  EXPECT_EQ(set_up(r, std::array<Position, 1>{at_window(r, -1, 8)}, primitive, 8),
            SetupResult::kTriviallyRejected);
  ASSERT_EQ(set_up(r, std::array<Position, 1>{at_window(r, 1, 8)}, primitive, 8), SetupResult::kAccepted);
  EXPECT_EQ(primitive.x0, 0);
}

}  // namespace
}  // namespace cutaway::func
