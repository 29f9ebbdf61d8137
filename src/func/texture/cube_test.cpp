#include "func/texture/cube.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "func/texture/image_for_test.h"

// Tests cube maps and 3D textures.
namespace cutaway::func::cube_test {
namespace {

using arch::Filter;
using arch::Format;
using arch::MipMode;
using arch::Tiling;
using arch::Wrap;
using isa::Opcode;
using isa::TextureDim;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

isa::Access access_of(TextureDim dim) {
  isa::Access access;
  access.dim = dim;
  return access;
}

TestQuad at(float x, float y, float z, float w = 0) {
  TestQuad quad;
  const float value[4] = {x, y, z, w};
  for (uint32_t i = 0; i < 4; i++) quad.set_all(0, i, value[i]);
  return quad;
}

TEST(Cube, FacesByTheLargestAxis) {  // the table of Vulkan "Cube Map Face Selection"
  const float direction[6][3] = {{4, 1, 2}, {-4, 1, 2}, {1, 4, 2}, {1, -4, 2}, {1, 2, 4}, {1, 2, -4}};
  const float sc[6] = {-2, 2, 1, 1, 1, -1}, tc[6] = {-1, -1, 2, -2, -2, -2};
  for (uint32_t i = 0; i < 6; i++) {
    const CubePoint point = cube_point(direction[i]);
    EXPECT_EQ(point.face, i);
    EXPECT_EQ(point.sc, sc[i]);
    EXPECT_EQ(point.tc, tc[i]);
    EXPECT_EQ(point.rc, 4);
  }
  const float xyz[3] = {1, 1, 1}, xy[3] = {-1, -1, 0};
  EXPECT_EQ(cube_face(xyz), 4u);  // z before y before x
  EXPECT_EQ(cube_face(xy), 3u);
}

// A texel over an edge is adjacent to the one before the edge on the cube.
TEST(Cube, TexelsOverAnEdgeAreNeighbors) {
  const auto center = [](uint32_t face, int64_t x, int64_t y, int64_t size, int64_t out[3]) {
    const CubeFace& f = kCubeFace[face];
    out[f.s_axis] = f.s_sign * (2 * x + 1 - size);
    out[f.t_axis] = f.t_sign * (2 * y + 1 - size);
    out[face / 2] = face % 2 ? -size : size;
  };
  for (int64_t size : {1, 2, 5, 8})
    for (uint32_t face = 0; face < 6; face++)
      for (int64_t n = 0; n < size; n++) {
        const int64_t over[4][4] = {
            {-1, n, 0, n}, {size, n, size - 1, n}, {n, -1, n, 0}, {n, size, n, size - 1}};
        for (const auto& [i, j, x, y] : over) {
          const CubeTexel texel = cube_texel(face, i, j, size);
          EXPECT_FALSE(texel.missing);
          EXPECT_NE(texel.face / 2, face / 2);
          int64_t a[3], b[3], distance = 0;
          center(face, x, y, size, a);
          center(texel.face, texel.x, texel.y, size, b);
          for (int c = 0; c < 3; c++) distance += (a[c] - b[c]) * (a[c] - b[c]);
          EXPECT_EQ(distance, 2);  // one half texel towards the edge on each face
        }
        EXPECT_TRUE(cube_texel(face, -1, size, size).missing);
      }
}

TEST(Cube, GradientsAreThoseOfThePoint) {
  std::mt19937 random(41);
  const auto number = [&] { return static_cast<float>(random() % 2001) / 1000 - 1; };
  for (int n = 0; n < 1000; n++) {
    float r[3] = {number(), number(), number()};
    const float d[3] = {number(), number(), number()};
    const CubePoint point = cube_point(r);
    if (point.rc < 0.25f) continue;
    double gradient[2];
    cube_gradient(point, d, gradient);
    const CubeFace& f = kCubeFace[point.face];
    const auto coordinate = [&](uint32_t axis, int sign, long double h) {
      const long double major = std::abs(r[point.face / 2] + h * d[point.face / 2]);
      return 0.5L * sign * (r[axis] + h * d[axis]) / major;
    };
    const long double h = 1e-6L;
    EXPECT_NEAR(gradient[0],
                static_cast<double>((coordinate(f.s_axis, f.s_sign, h) - coordinate(f.s_axis, f.s_sign, -h)) /
                                    (2 * h)),
                1e-6);
    EXPECT_NEAR(gradient[1],
                static_cast<double>((coordinate(f.t_axis, f.t_sign, h) - coordinate(f.t_axis, f.t_sign, -h)) /
                                    (2 * h)),
                1e-6);
  }
}

TestImage face_numbers(uint32_t cubes = 1) {
  TestImage image(Format::R32_SFLOAT, Tiling::kTiled, 4, 4, 3, 6 * cubes);
  image.fill([](uint32_t, uint32_t, uint32_t, uint32_t layer) {
    return TestImage::Texel{static_cast<float>(layer), 0, 0, 0};
  });
  return image;
}

TEST(Cube, LinearFiltersAcrossEdgesAndCorners) {
  const TestImage image = face_numbers();
  const arch::Sampler sampler = test_sampler(Filter::kLinear, MipMode::kBase, Wrap::kRepeat);
  const auto value = [&](float x, float y, float z) {
    const TestAccess access =
        access_image(image, sampler, Opcode::kTex, at(x, y, z), access_of(TextureDim::kCube));
    EXPECT_EQ(access.faults, 0u);
    return access.value(0, 0);
  };
  EXPECT_EQ(value(1, 0, 0), 0);
  EXPECT_EQ(value(0, 0, -3), 5);
  EXPECT_EQ(value(2, 0, 2), 2);          // the mean of faces 0 and 4
  EXPECT_EQ(value(0, -1, -1), 4);        // of faces 3 and 5
  EXPECT_NEAR(value(1, 1, 1), 2, 1e-6);  // a third each of 0, 2, 4
  EXPECT_NEAR(value(-1, -1, -1), 3, 1e-6);
}

TEST(Cube, SeparateFacesWrapAsTheSamplerSays) {
  const TestImage image = face_numbers();
  const auto value = [&](Wrap wrap) {
    arch::Sampler sampler = test_sampler(Filter::kLinear, MipMode::kBase, wrap);
    sampler.flags = arch::Sampler::kSeparateFaces;
    for (uint32_t& bits : sampler.border) bits = std::bit_cast<uint32_t>(8.0f);
    return access_image(image, sampler, Opcode::kTex, at(2, 0, 2), access_of(TextureDim::kCube)).value(0, 0);
  };
  EXPECT_EQ(value(Wrap::kClampToEdge), 4);  // only face 4
  EXPECT_EQ(value(Wrap::kRepeat), 4);
  EXPECT_EQ(value(Wrap::kClampToBorder), 6);  // half of the border
}

TEST(Cube, ArraysLayersAndSizes) {
  const TestImage image = face_numbers(3);
  const arch::Sampler sampler = test_sampler(Filter::kNearest, MipMode::kBase, Wrap::kRepeat);
  const isa::Access access = access_of(TextureDim::kCubeArray);
  EXPECT_EQ(access_image(image, sampler, Opcode::kTex, at(0, -1, 0, 1.2f), access).value(0, 0), 9);
  EXPECT_EQ(access_image(image, sampler, Opcode::kTex, at(1, 0, 0, 99), access).value(0, 0), 12);
  const TestAccess size = access_image(image, {}, Opcode::kTxq, TestQuad{}, access);
  EXPECT_EQ(size.bits(0, 0), 4u);
  EXPECT_EQ(size.bits(1, 0), 4u);
  EXPECT_EQ(size.bits(2, 0), 3u);
}

TEST(Cube, WildDirectionsStayInside) {
  const TestImage image = face_numbers(2);
  const float wild[] = {kNan, kInfinity, -kInfinity, 1e38f, -1e-45f, 0, 1, -1};
  for (Filter filter : {Filter::kNearest, Filter::kLinear})
    for (float x : wild)
      for (float y : wild)
        for (float z : wild) {
          TestQuad quad = at(x, y, z, x);
          quad.set(0, 1, y, x, z, y);
          const TestAccess access =
              access_image(image, test_sampler(filter, MipMode::kLinear, Wrap::kClampToBorder), Opcode::kTex,
                           quad, access_of(TextureDim::kCubeArray));
          ASSERT_EQ(access.faults, 0u);
          ASSERT_TRUE(access.value(0, 0) >= 0 && access.value(0, 0) <= 11);
        }
}

TEST(Cube, ViewsThatAreNoCubeReadZeros) {
  TestImage image = face_numbers();
  image.surface.layer_count = 5;
  EXPECT_EQ(access_image(image, {}, Opcode::kTex, at(0, 0, 1), access_of(TextureDim::kCube)).value(0, 0), 0);
  EXPECT_EQ(access_image(image, {}, Opcode::kTex, at(0, 0, 1), access_of(TextureDim::kCube)).plan.samples(),
            0u);
}

TEST(Volume, LinearMixesSlicesAndLevels) {
  TestImage image(Format::R32_SFLOAT, Tiling::kTiled, 4, 4, 3, 1, 4);
  image.fill([](uint32_t x, uint32_t y, uint32_t level, uint32_t) {  // x + 10 z of level 0, 100 of level 1
    return TestImage::Texel{level ? 100.0f : static_cast<float>(x + 10 * (y / 4)), 0, 0, 0};
  });
  const arch::Sampler base = test_sampler(Filter::kLinear, MipMode::kBase, Wrap::kClampToEdge);
  const isa::Access access = access_of(TextureDim::k3D);
  const TestAccess middle = access_image(image, base, Opcode::kTex, at(0.5f, 0.5f, 0.5f), access);
  EXPECT_EQ(middle.value(0, 0), 16.5f);
  EXPECT_EQ(middle.plan.samples(), 8u);
  EXPECT_EQ(access_image(image, base, Opcode::kTex, at(0.125f, 0, 0.1875f), access).value(0, 0), 2.5f);
  TestQuad quad = at(0.5f, 0.5f, 0.5f);
  quad.set_all(1, 0, 0.5f);
  const TestAccess between = access_image(
      image, test_sampler(Filter::kLinear, MipMode::kLinear, Wrap::kRepeat), Opcode::kTxl, quad, access);
  EXPECT_EQ(between.value(0, 0), 58.25f);
  EXPECT_EQ(between.plan.samples(), 16u);
}

TEST(Volume, WrapBorderFetchAndSize) {
  TestImage image(Format::R32_SFLOAT, Tiling::kLinear, 2, 2, 1, 1, 5);
  image.fill([](uint32_t, uint32_t y, uint32_t, uint32_t) {
    return TestImage::Texel{static_cast<float>(y / 2 + 1), 0, 0, 0};
  });
  const isa::Access access = access_of(TextureDim::k3D);
  const auto nearest = [&](Wrap wrap, float w) {
    arch::Sampler sampler = test_sampler(Filter::kNearest, MipMode::kBase, Wrap::kRepeat);
    sampler.wrap_w = static_cast<uint32_t>(wrap);
    return access_image(image, sampler, Opcode::kTex, at(0, 0, w), access).value(0, 0);
  };
  EXPECT_EQ(nearest(Wrap::kRepeat, 1.3f), 2);
  EXPECT_EQ(nearest(Wrap::kMirroredRepeat, 1.1f), 5);
  EXPECT_EQ(nearest(Wrap::kClampToEdge, kInfinity), 5);
  EXPECT_EQ(nearest(Wrap::kClampToBorder, -0.1f), 0);
  const arch::Sampler border = test_sampler(Filter::kLinear, MipMode::kBase, Wrap::kClampToBorder);
  EXPECT_EQ(access_image(image, border, Opcode::kTex, at(0.5f, 0.5f, 1), access).value(0, 0), 2.5f);
  TestQuad quad;
  quad.set_bits(0, 2, 4);
  EXPECT_EQ(access_image(image, {}, Opcode::kTxf, quad, access).value(0, 0), 5);
  quad.set_bits(0, 2, 5);
  EXPECT_EQ(access_image(image, {}, Opcode::kTxf, quad, access).value(0, 0), 0);
  EXPECT_EQ(access_image(image, {}, Opcode::kTxq, TestQuad{}, access).bits(2, 0), 5u);
}

}  // namespace
}  // namespace cutaway::func::cube_test
