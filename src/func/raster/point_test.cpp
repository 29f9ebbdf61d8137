#include <cmath>
#include <gtest/gtest.h>

#include "func/raster/interpolate.h"
#include "func/raster/raster_testing.h"

namespace cutaway::func::point_test {
namespace {

using namespace testing;

constexpr int kSize = 64;

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
}  // namespace cutaway::func::point_test
