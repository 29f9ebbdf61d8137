// Tests depth in setup: biased, clamped, exact.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "arch/depth_clamp.h"
#include "func/raster/clip.h"
#include "func/raster/interpolate.h"
#include "func/raster/raster_testing.h"

namespace cutaway::func::setup_depth_test {
namespace {

using namespace testing;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float depth_at(const Primitive& primitive, int32_t x, int32_t y) {
  float z[4];
  depth<4>(primitive, quad_positions(x, y), {}, z);
  return z[0];
}

TEST(SetupDepth, DepthBias) {
  arch::Registers r = registers(64, 64);
  r.raster.depth_bias = 1;
  const std::array<Position, 3> flat = triangle(r, 0, 0, 64, 0, 0, 64);
  Primitive primitive;
  const auto bias = [&](arch::Format format, float constant, float slope, float clamp,
                        const std::array<Position, 3>& vertices) {
    r.depth.surface.format = static_cast<uint32_t>(format);
    r.raster.depth_bias_constant = constant, r.raster.depth_bias_slope = slope;
    r.raster.depth_bias_clamp = clamp;
    r.raster.depth_bias = 0;
    EXPECT_EQ(set_up(r, vertices, primitive), SetupResult::kAccepted);
    const float without = depth_at(primitive, 9, 9);
    r.raster.depth_bias = 1;
    EXPECT_EQ(set_up(r, vertices, primitive), SetupResult::kAccepted);
    return static_cast<double>(depth_at(primitive, 9, 9)) - without;
  };
  using arch::Format;
  EXPECT_EQ(bias(Format::D16_UNORM, 3, 0, 0, flat), 3 * 0x1p-16);
  EXPECT_EQ(bias(Format::X8_D24_UNORM_PACK32, -4, 0, 0, flat), -4 * 0x1p-24);
  EXPECT_EQ(bias(Format::D24_UNORM_S8_UINT, 2, 0, 0, flat), 2 * 0x1p-24);
  EXPECT_EQ(bias(Format::D32_SFLOAT, 5, 0, 0, flat), 5 * 0x1p-24) << "exponent of 0.5 is -1";
  EXPECT_EQ(bias(Format::UNDEFINED, 5, 0, 0, flat), 0);
  // Depth falls by 1/128 per pixel in x and rises by 1/256 in y: the slope is the larger magnitude.
  const std::array<Position, 3> tilted = {at_window(r, 0, 0, 0.5f), at_window(r, 64, 0, 0),
                                          at_window(r, 0, 64, 0.75f)};
  EXPECT_NEAR(bias(Format::D16_UNORM, 0, 2, 0, tilted), 2.0 / 128, 1e-7);
  EXPECT_NEAR(bias(Format::D16_UNORM, 0, 2, 0.01f, tilted), 0.01, 1e-7);
  EXPECT_NEAR(bias(Format::D16_UNORM, 0, -2, -0.01f, tilted), -0.01, 1e-7);
  EXPECT_EQ(bias(Format::D16_UNORM, kNan, kInfinity, kNan, tilted), 0);
}

TEST(SetupDepth, FloatDepthBiasUsesTheLargestDepthsUnit) {
  arch::Registers r = registers(64, 64);
  r.depth.surface.format = static_cast<uint32_t>(arch::Format::D32_SFLOAT);
  r.raster.depth_bias = 1;
  const auto bias_in_units = [&](float a, float b, float c) {
    Primitive plain, biased;
    const std::array<Position, 3> vertices = {at_window(r, 0, 0, a), at_window(r, 64, 0, b),
                                              at_window(r, 0, 64, c)};
    r.raster.depth_bias_constant = 0;
    EXPECT_EQ(set_up(r, vertices, plain), SetupResult::kAccepted);
    r.raster.depth_bias_constant = 0x1p20f;
    EXPECT_EQ(set_up(r, vertices, biased), SetupResult::kAccepted);
    return std::log2((biased.depth.constant - plain.depth.constant) / 0x1p20) + 23;
  };
  for (const float near : {0.0f, 0.01f, 0.3f}) {
    EXPECT_EQ(bias_in_units(near, near, 0.75f), -1);
    EXPECT_EQ(bias_in_units(0.75f, near, near), -1);
    EXPECT_EQ(bias_in_units(near, 0.4f, near), -2);
  }
  EXPECT_EQ(bias_in_units(-0.75f, 0.125f, 0.125f), -1) << "the largest by its size";
  EXPECT_EQ(bias_in_units(0.5f, 5, 0.125f), 0) << "depths end at 1";
}

TEST(SetupDepth, DepthIsClampedToTheViewportsRangeOnDemand) {
  arch::Registers r = registers(64, 64);
  std::array<Position, 3> vertices = triangle(r, 0, 0, 64, 0, 0, 64);
  for (Position& v : vertices) v[2] = 2;
  Primitive primitive;
  ASSERT_EQ(set_up(r, vertices, primitive), SetupResult::kAccepted);
  EXPECT_EQ(depth_at(primitive, 3, 3), 1);
  r.raster.depth_clamp = 1;
  r.raster.depth_range_min[0] = 0.75f, r.raster.depth_range_max[0] = 0.25f;
  ASSERT_EQ(set_up(r, vertices, primitive), SetupResult::kAccepted);
  EXPECT_EQ(depth_at(primitive, 3, 3), 0.75f);
}

TEST(SetupDepth, DepthIsClampedToTheRangeOfItsOwnViewport) {
  arch::Registers r = registers(64, 64);
  r.raster.depth_clamp = 1, r.raster.viewports = 2;
  r.raster.viewport[1] = r.raster.viewport[0], r.raster.scissor[1] = r.raster.scissor[0];
  r.raster.depth_range_min[0] = 0, r.raster.depth_range_max[0] = 1;
  r.raster.depth_range_min[1] = 0.25f, r.raster.depth_range_max[1] = 0.5f;
  for (const uint32_t viewport : {0u, 1u}) {
    const float position[3][4] = {{-1, -1, 0, 1}, {1, -1, 0, 1}, {-1, 1, 0, 1}};
    SetupInput input;
    input.position = position;
    input.vertices = 3;
    input.viewport = viewport;
    Primitive primitive;
    ASSERT_EQ(setup(r, input, primitive), SetupResult::kAccepted);
    EXPECT_EQ(primitive.depth_min, viewport ? 0.25f : 0);
    EXPECT_EQ(primitive.depth_max, viewport ? 0.5f : 1);
  }
}

TEST(SetupDepth, WideRangesAreThoseOfFloatFormats) {
  arch::Registers r = registers(64, 64);
  std::array<Position, 3> vertices = triangle(r, 0, 0, 64, 0, 0, 64);
  for (Position& v : vertices) v[2] = 40;
  r.raster.depth_clamp = static_cast<uint32_t>(arch::DepthClamp::kWideRange);
  const auto depth_within = [&](arch::Format format, float min, float max) {
    r.depth.surface.format = static_cast<uint32_t>(format);
    r.raster.depth_range_min[0] = min, r.raster.depth_range_max[0] = max;
    Primitive primitive;
    EXPECT_EQ(set_up(r, vertices, primitive), SetupResult::kAccepted);
    return depth_at(primitive, 3, 3);
  };
  EXPECT_EQ(depth_within(arch::Format::D32_SFLOAT, -2, 6), 6);
  EXPECT_EQ(depth_within(arch::Format::D32_SFLOAT, -2, 60), 40);
  EXPECT_EQ(depth_within(arch::Format::D32_SFLOAT, 70, 60), 60);
  EXPECT_EQ(depth_within(arch::Format::D32_SFLOAT, -6, kNan), 0) << "bounds that are no numbers are 0";
  EXPECT_EQ(depth_within(arch::Format::D16_UNORM, -2, 6), 1);
}

TEST(SetupDepth, ConstantDepthIsExact) {
  const arch::Registers r = registers(64, 64);
  Primitive primitive;
  for (const float z : {0.1f, 0.3f, 1.0f, 0x1p-20f}) {
    ASSERT_EQ(
        set_up(r, std::array{at_window(r, -7, 3.3, z), at_window(r, 91, -11.7, z), at_window(r, 20, 97, z)},
               primitive),
        SetupResult::kAccepted);
    for (int i = 0; i < 64; ++i) ASSERT_EQ(depth_at(primitive, i, 63 - i), z);
  }
}

}  // namespace
}  // namespace cutaway::func::setup_depth_test
