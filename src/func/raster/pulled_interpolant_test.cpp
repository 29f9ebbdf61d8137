#include "func/raster/pulled_interpolant.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "func/float_mode.h"
#include "func/raster/raster_testing.h"

// Tests interpolants that a program evaluates at chosen places.
namespace cutaway::func::pulled_interpolant_test {
namespace {

using namespace testing;
using arch::Interpolation;

constexpr int kSize = 64;

uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }
float value(uint32_t word) { return std::bit_cast<float>(word); }

TEST(PulledInterpolant, ItsPlaceIsTheNearestInThePixel) {
  const auto place = [](float x) { return place_at_offset(x, 0).x; };
  EXPECT_EQ(place(0), 128);
  EXPECT_EQ(place(0.25f), 192);
  EXPECT_EQ(place(-0.5f), 0);
  EXPECT_EQ(place(127.0f / 256), 255);
  EXPECT_EQ(place(0.5f), 255);  // the last place before the edge
  EXPECT_EQ(place(1.4f / 256), 129);
  EXPECT_EQ(place(1.5f / 256), 130);  // between 129 and 130: the even one
  EXPECT_EQ(place(0.5f / 256), 128);
  EXPECT_EQ(place(-3), 0);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(place(infinity), 255);
  EXPECT_EQ(place(-infinity), 0);
  EXPECT_EQ(place(std::numeric_limits<float>::quiet_NaN()), 128);
  EXPECT_EQ(place(1e-40f), 128);
  EXPECT_EQ(place_at_offset(0.25f, -0.25f).x, 192);
  EXPECT_EQ(place_at_offset(0.25f, -0.25f).y, 64);
}

struct Case {
  double x[3], y[3];
  float w[3], a[3];
};

Case random_case(Random& random) {
  Case c;
  for (int k = 0; k < 3; ++k) {
    c.x[k] = random.integer(-32 * 256, 96 * 256) / 256.0;
    c.y[k] = random.integer(-32 * 256, 96 * 256) / 256.0;
    c.w[k] = static_cast<float>(std::exp(random.real(-2, 2)));
    c.a[k] = static_cast<float>(random.real(-100, 100));
  }
  return c;
}

// Weights by Vulkan's formulas, literally: linear in the window, and perspective.
struct Reference {
  long double l[3], p[3], inv_w = 0, outside = 0;

  Reference(const Case& c, long double x, long double y) {
    const auto area = [&](int i, int j, long double px, long double py) {
      return (c.x[j] - c.x[i]) * (py - c.y[i]) - (c.y[j] - c.y[i]) * (px - c.x[i]);
    };
    for (int k = 0; k < 3; ++k) {
      l[k] = area((k + 1) % 3, (k + 2) % 3, x, y) / area(0, 1, c.x[2], c.y[2]);
      inv_w += l[k] / c.w[k];
    }
    for (int k = 0; k < 3; ++k) p[k] = l[k] / c.w[k] / inv_w, outside += std::abs(p[k]) + std::abs(l[k]);
  }
  long double linear(const Case& c) const { return l[0] * c.a[0] + l[1] * c.a[1] + l[2] * c.a[2]; }
  long double perspective(const Case& c) const { return p[0] * c.a[0] + p[1] * c.a[1] + p[2] * c.a[2]; }
};

TEST(PulledInterpolant, EqualsTheFormulasAtThePlaceOfEachLane) {
  const FloatMode mode;
  const arch::Registers r = registers(kSize, kSize);
  Random random(43);
  int values = 0;
  for (int i = 0; i < 2000; ++i) {
    const Case c = random_case(random);
    std::array<Position, 3> vertices;
    for (int k = 0; k < 3; ++k) vertices[k] = at_window(r, c.x[k], c.y[k], 0.5f, c.w[k]);
    Primitive primitive;
    if (set_up(r, vertices, primitive) != SetupResult::kAccepted) continue;
    const int32_t x = 2 * random.integer(0, kSize / 2 - 1), y = 2 * random.integer(0, kSize / 2 - 1);
    uint32_t offset[2][4], linear[4][4], perspective[4][4], flat[4][4];
    for (auto& axis : offset)
      for (uint32_t& lane : axis) lane = bits(static_cast<float>(random.integer(-128, 127)) / 256);
    const auto vertex_value = [&](uint32_t vertex, uint32_t component) {
      return component == 1 ? bits(c.a[vertex]) : 7u;
    };
    const auto pull = [&](Interpolation mode_of, uint32_t(&out)[4][4]) {
      pull_interpolant(primitive, x, y, {mode_of, 3, 2}, offset, vertex_value, out);
    };
    pull(Interpolation::kLinear, linear);
    pull(Interpolation::kPerspective, perspective);
    pull(Interpolation::kFlat, flat);
    for (int lane = 0; lane < 4; ++lane) {
      EXPECT_EQ(flat[1][lane], bits(c.a[0]));
      EXPECT_EQ(linear[0][lane], 0u);  // not requested
      const Reference e(c, x + lane % 2 + 0.5L + value(offset[0][lane]),
                        y + lane / 2 + 0.5L + value(offset[1][lane]));
      if (e.inv_w <= 0 || e.outside > 100) continue;
      values++;
      const double near = 800 * 0x1p-23 * static_cast<double>(e.outside);
      ASSERT_NEAR(value(linear[1][lane]), static_cast<double>(e.linear(c)), near);
      ASSERT_NEAR(value(perspective[1][lane]), static_cast<double>(e.perspective(c)), near);
    }
  }
  EXPECT_GT(values, 2000);
}

// At a sample's place the bits equal those of an interpolant at that sample.
TEST(PulledInterpolant, HasTheBitsOfAnInterpolantAtASample) {
  const FloatMode mode;
  const arch::Registers r = registers(kSize, kSize);
  Random random(44);
  for (int i = 0; i < 500; ++i) {
    const Case c = random_case(random);
    std::array<Position, 3> vertices;
    for (int k = 0; k < 3; ++k) vertices[k] = at_window(r, c.x[k], c.y[k], 0.5f, c.w[k]);
    Primitive primitive;
    if (set_up(r, vertices, primitive) != SetupResult::kAccepted) continue;
    const SampleOffset sample = sample_offset(8, static_cast<uint32_t>(i) % 8);
    uint32_t offset[2][4], pulled[4][4], pushed[4];
    for (uint32_t lane = 0; lane < 4; ++lane) {
      offset[0][lane] = bits((static_cast<float>(sample.x) - 128) / 256);
      offset[1][lane] = bits((static_cast<float>(sample.y) - 128) / 256);
    }
    const auto vertex_value = [&](uint32_t vertex, uint32_t) { return bits(c.a[vertex]); };
    pull_interpolant(primitive, 10, 20, {}, offset, vertex_value, pulled);
    Barycentrics<4> weights;
    barycentrics<4>(primitive, quad_positions(10, 20), sample, weights);
    interpolate<4>(Interpolation::kPerspective, 3, weights, bits(c.a[0]), bits(c.a[1]), bits(c.a[2]), pushed);
    for (const auto& component : pulled)
      for (uint32_t lane = 0; lane < 4; ++lane) ASSERT_EQ(component[lane], pushed[lane]);
  }
}

}  // namespace
}  // namespace cutaway::func::pulled_interpolant_test
