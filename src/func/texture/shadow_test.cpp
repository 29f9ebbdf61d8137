#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "func/texture/image_for_test.h"
#include "func/texture/wrap.h"

// Tests depth comparison (Vulkan "Depth Compare Operation").
namespace cutaway::func::shadow_test {
namespace {

using arch::Compare;
using arch::Filter;
using arch::Format;
using arch::MipMode;
using arch::Tiling;
using arch::Wrap;
using isa::Opcode;
using isa::TextureDim;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

arch::Sampler comparing(Compare compare, Filter filter, Wrap wrap = Wrap::kClampToEdge) {
  arch::Sampler sampler = test_sampler(filter, MipMode::kBase, wrap);
  sampler.compare = static_cast<uint32_t>(compare) + 1;
  return sampler;
}

isa::Access shadow(TextureDim dim = TextureDim::k2D) {
  isa::Access access;
  access.dim = dim;
  access.shadow = true;
  return access;
}

TestQuad at(float u, float v, float reference) {
  TestQuad quad;
  quad.set_all(0, 0, u);
  quad.set_all(0, 1, v);
  quad.set_all(0, 3, reference);
  return quad;
}

TestImage flat(Format format, float depth) {
  TestImage image(format, Tiling::kTiled, 4, 4);
  image.fill([&](uint32_t, uint32_t, uint32_t, uint32_t) { return TestImage::Texel{depth, 0, 0, 0}; });
  return image;
}

float compared(const TestImage& image, Compare compare, float reference) {
  return access_image(image, comparing(compare, Filter::kNearest), Opcode::kTex, at(0.5f, 0.5f, reference),
                      shadow())
      .value(0, 0);
}

TEST(Shadow, EveryOperation) {
  const TestImage image = flat(Format::D32_SFLOAT, 0.5f);
  struct Row {
    Compare compare;
    float below, equal, above, nan;
  };
  for (const Row& row : {Row{Compare::kNever, 0, 0, 0, 0}, Row{Compare::kLess, 1, 0, 0, 0},
                         Row{Compare::kEqual, 0, 1, 0, 0}, Row{Compare::kLessOrEqual, 1, 1, 0, 0},
                         Row{Compare::kGreater, 0, 0, 1, 0}, Row{Compare::kNotEqual, 1, 0, 1, 1},
                         Row{Compare::kGreaterOrEqual, 0, 1, 1, 0}, Row{Compare::kAlways, 1, 1, 1, 1}}) {
    EXPECT_EQ(compared(image, row.compare, 0.25f), row.below);
    EXPECT_EQ(compared(image, row.compare, 0.5f), row.equal);
    EXPECT_EQ(compared(image, row.compare, 0.75f), row.above);
    EXPECT_EQ(compared(image, row.compare, kNan), row.nan);
  }
}

TEST(Shadow, ReferencesOfFixedPointDepthsAreClamped) {
  for (Format format : {Format::D16_UNORM, Format::X8_D24_UNORM_PACK32, Format::D24_UNORM_S8_UINT}) {
    EXPECT_EQ(compared(flat(format, 1), Compare::kLessOrEqual, 7), 1);
    EXPECT_EQ(compared(flat(format, 0), Compare::kGreaterOrEqual, -7), 1);
  }
  EXPECT_EQ(compared(flat(Format::D32_SFLOAT, 1), Compare::kLessOrEqual, 7), 0);
  EXPECT_EQ(compared(flat(Format::D32_SFLOAT, 0), Compare::kGreaterOrEqual, -7), 0);
}

TEST(Shadow, ResultIsRedAndOpaque) {
  const TestAccess access =
      access_image(flat(Format::D16_UNORM, 0.5f), comparing(Compare::kGreater, Filter::kLinear), Opcode::kTex,
                   at(0.3f, 0.6f, 0.75f), shadow());
  EXPECT_EQ(access.value(0, 3), 1);
  EXPECT_EQ(access.value(1, 3), 0);
  EXPECT_EQ(access.value(2, 3), 0);
  EXPECT_EQ(access.value(3, 3), 1);
}

float noise(uint32_t x, uint32_t y) {
  const uint32_t state = (x * 7919 + y * 104729 + 1) * 1664525 + 1013904223;
  return static_cast<float>(state >> 20) / 4096;
}

// Weights the outcomes, not the depths.
long double reference_of(const arch::Sampler& sampler, long double u, long double v, int size, float depth) {
  const auto outcome = [&](long double i, long double j) -> long double {
    const int64_t x = wrap_texel(sampler.wrap_u, static_cast<int64_t>(i), size);
    const int64_t y = wrap_texel(sampler.wrap_v, static_cast<int64_t>(j), size);
    const bool border = x < 0 || y < 0;
    const float texel =
        border ? bits_float(sampler.border[0]) : noise(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
    return depth < texel;
  };
  const long double x = u * size - 0.5L, y = v * size - 0.5L;
  const long double i = std::floor(x), j = std::floor(y), a = x - i, b = y - j;
  return (1 - a) * (1 - b) * outcome(i, j) + a * (1 - b) * outcome(i + 1, j) +
         (1 - a) * b * outcome(i, j + 1) + a * b * outcome(i + 1, j + 1);
}

TEST(Shadow, LinearFiltersTheOutcomes) {
  TestImage image(Format::D32_SFLOAT, Tiling::kTiled, 11, 11);
  image.fill([](uint32_t x, uint32_t y, uint32_t, uint32_t) {
    return TestImage::Texel{noise(x, y), 0, 0, 0};
  });
  std::mt19937 random(31);
  for (uint32_t wrap = 0; wrap < 5; wrap++) {
    arch::Sampler sampler = comparing(Compare::kLess, Filter::kLinear, static_cast<Wrap>(wrap));
    sampler.border[0] = float_bits(0.4f);
    for (int i = 0; i < 500; i++) {
      const float u = static_cast<float>(random() % 4000) / 1000 - 2,
                  v = static_cast<float>(random() % 4000) / 1000 - 2,
                  depth = static_cast<float>(random() % 1000) / 1000;
      const TestAccess access = access_image(image, sampler, Opcode::kTex, at(u, v, depth), shadow());
      ASSERT_EQ(access.faults, 0u);
      ASSERT_NEAR(access.value(0, 1), static_cast<double>(reference_of(sampler, u, v, 11, depth)),
                  2.0 / 512 + 1e-4);
    }
  }
}

TEST(Shadow, ProjectionDividesTheReference) {
  TestQuad quad = at(1, 1, 2);  // q = 2
  quad.set_all(0, 2, 0.8f);     // reference 0.4
  const TestImage image = flat(Format::D32_SFLOAT, 0.5f);
  const auto result = [&](Compare compare) {
    return access_image(image, comparing(compare, Filter::kNearest), Opcode::kTxp, quad, shadow())
        .value(0, 0);
  };
  EXPECT_EQ(result(Compare::kLess), 1);
  EXPECT_EQ(result(Compare::kGreater), 0);
}

TEST(Shadow, ArraysAndOneDimension) {
  TestImage image(Format::D16_UNORM, Tiling::kTiled, 4, 4, 1, 3);
  image.fill([](uint32_t, uint32_t, uint32_t, uint32_t layer) {
    return TestImage::Texel{static_cast<float>(layer) / 2, 0, 0, 0};
  });
  const arch::Sampler sampler = comparing(Compare::kLess, Filter::kNearest);
  TestQuad quad = at(0.5f, 0.5f, 0.25f);
  quad.set(0, 2, 0, 1, 2, 0);
  const TestAccess access = access_image(image, sampler, Opcode::kTex, quad, shadow(TextureDim::k2DArray));
  EXPECT_EQ(access.value(0, 0), 0);
  EXPECT_EQ(access.value(0, 1), 1);
  EXPECT_EQ(access.value(0, 2), 1);
  EXPECT_EQ(access.value(0, 3), 0);
  TestImage line(Format::D16_UNORM, Tiling::kTiled, 2, 1);
  line.fill([](uint32_t x, uint32_t, uint32_t, uint32_t) { return TestImage::Texel{x ? 1.0f : 0, 0, 0, 0}; });
  EXPECT_EQ(access_image(line, comparing(Compare::kLess, Filter::kLinear), Opcode::kTex,
                         at(0.375f, kNan, 0.5f), shadow(TextureDim::k1D))
                .value(0, 0),
            0.25f);
}

TEST(Shadow, SamplersThatDoNotCompareGiveTheDepth) {
  EXPECT_EQ(access_image(flat(Format::D32_SFLOAT, 0.375f), test_sampler(Filter::kLinear, MipMode::kBase, {}),
                         Opcode::kTex, at(0.5f, 0.5f, 1), shadow())
                .value(0, 0),
            0.375f);
}

}  // namespace
}  // namespace cutaway::func::shadow_test
