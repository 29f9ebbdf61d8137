#include "func/texture/level_of_detail.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "func/texture/image_for_test.h"

namespace cutaway::func {
namespace {

using arch::Filter;
using arch::MipMode;
using arch::Wrap;
using isa::Opcode;

TEST(LevelOfDetail, LogarithmIsAccurate) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; i++) {
    const double value =
        std::ldexp(1 + static_cast<double>(random() >> 11) * 0x1p-53, static_cast<int>(random() % 400) - 200);
    ASSERT_NEAR(lod_log2(value), std::log2(value), 1e-8) << value;
  }
  for (int e = -100; e <= 100; e++) EXPECT_EQ(lod_log2(std::ldexp(1.0, e)), e);
  EXPECT_EQ(lod_log2(0), kLeastLod);
  EXPECT_EQ(lod_log2(std::numeric_limits<double>::infinity()), kMostLod);
  EXPECT_EQ(lod_log2(std::numeric_limits<double>::quiet_NaN()), kMostLod);
}

TEST(LevelOfDetail, ScaleFactorIsTheLargerLength) {  // Vulkan "Scale Factor Operation"
  EXPECT_NEAR(lod_of_gradients(3, 4, 0, 0), std::log2(5.0), 1e-8);
  EXPECT_DOUBLE_EQ(lod_of_gradients(1, 0, 0, 8), 3);
  EXPECT_DOUBLE_EQ(lod_of_gradients(-2, 0, 1, 0), 1);
}

TEST(LevelOfDetail, NearestLevelRoundsHalfDown) {  // ceil(d + 1/2) - 1
  const arch::Sampler sampler = test_sampler(Filter::kNearest, MipMode::kNearest, Wrap::kRepeat);
  EXPECT_EQ(choose_level(sampler, 0.5, 5).level, 0);
  EXPECT_EQ(choose_level(sampler, 0.51, 5).level, 1);
  EXPECT_EQ(choose_level(sampler, 1.5, 5).level, 1);
  EXPECT_EQ(choose_level(sampler, 100, 5).level, 4);
  EXPECT_EQ(choose_level(sampler, -7, 5).level, 0);
  EXPECT_EQ(choose_level(sampler, 3, 5).fraction, 0);
}

TEST(LevelOfDetail, LinearLevelsHave8BitsOfFraction) {
  const arch::Sampler sampler = test_sampler(Filter::kNearest, MipMode::kLinear, Wrap::kRepeat);
  EXPECT_EQ(choose_level(sampler, 1.25, 5).level, 1);
  EXPECT_EQ(choose_level(sampler, 1.25, 5).fraction, 64);
  EXPECT_EQ(choose_level(sampler, 1.999, 5).level, 2);
  EXPECT_EQ(choose_level(sampler, 9, 5).level, 4);
  EXPECT_EQ(choose_level(sampler, 9, 5).fraction, 0);
  EXPECT_EQ(choose_level(sampler, 3.999, 5).level, 4);
}

TEST(LevelOfDetail, ClampsToTheSampler) {
  arch::Sampler sampler{};
  sampler.min_lod = 1;
  sampler.max_lod = 3;
  EXPECT_EQ(clamp_lod(sampler, 0), 1);
  EXPECT_EQ(clamp_lod(sampler, 2), 2);
  EXPECT_EQ(clamp_lod(sampler, 9), 3);
  EXPECT_EQ(clamp_lod(sampler, std::numeric_limits<double>::quiet_NaN()), 1);
}

// An image whose texels contain their level's number.
struct LevelImage : TestImage {
  LevelImage() : TestImage(arch::Format::R32_SFLOAT, arch::Tiling::kTiled, 64, 32, 7) {
    fill([](uint32_t, uint32_t, uint32_t level, uint32_t) {
      return Texel{static_cast<float>(level), 0, 0, 0};
    });
  }
};

TestQuad quad_with_steps(float dx, float dy) {  // in texels of a 64×32 image
  TestQuad quad;
  quad.set(0, 0, 0.5f, 0.5f + dx / 64, 0.5f, 0.5f + dx / 64);
  quad.set(0, 1, 0.5f, 0.5f, 0.5f + dy / 32, 0.5f + dy / 32);
  return quad;
}

TEST(MipSelection, FollowsTheGradients) {
  const LevelImage image;
  const arch::Sampler nearest = test_sampler(Filter::kNearest, MipMode::kNearest, Wrap::kRepeat);
  const arch::Sampler linear = test_sampler(Filter::kLinear, MipMode::kLinear, Wrap::kRepeat);
  const auto level = [&](const arch::Sampler& sampler, float dx, float dy) {
    return access_image(image, sampler, Opcode::kTex, quad_with_steps(dx, dy)).value(0, 0);
  };
  EXPECT_EQ(level(nearest, 1, 1), 0);
  EXPECT_EQ(level(nearest, 2, 1), 1);
  EXPECT_EQ(level(nearest, 0.01f, 8), 3);
  EXPECT_EQ(level(nearest, 3, 0), 2);  // log2 3 = 1.58
  EXPECT_EQ(level(linear, 4, 1), 2);
  EXPECT_NEAR(level(linear, 3, 1), std::log2(3.0), 1.0 / 256);
  EXPECT_EQ(level(linear, 0, 0), 0);
}

TEST(MipSelection, BiasAndLimits) {
  const LevelImage image;
  arch::Sampler sampler = test_sampler(Filter::kNearest, MipMode::kLinear, Wrap::kRepeat);
  TestQuad quad = quad_with_steps(2, 2);
  const auto sample = [&](Opcode op) { return access_image(image, sampler, op, quad).value(0, 0); };
  quad.set_all(1, 0, 1.5f);
  EXPECT_EQ(sample(Opcode::kTxb), 2.5f);
  EXPECT_EQ(sample(Opcode::kTxl), 1.5f);
  sampler.lod_bias = 1;
  EXPECT_EQ(sample(Opcode::kTex), 2);
  EXPECT_EQ(sample(Opcode::kTxl), 2.5f);
  sampler.max_lod = 2;
  EXPECT_EQ(sample(Opcode::kTxb), 2);
  sampler.min_lod = 1.75f;
  sampler.lod_bias = -9;
  EXPECT_EQ(sample(Opcode::kTex), 1.75f);
  sampler.mip_mode = static_cast<uint32_t>(MipMode::kBase);
  EXPECT_EQ(sample(Opcode::kTex), 0);
}

TEST(MipSelection, ExplicitGradients) {
  const LevelImage image;
  const arch::Sampler sampler = test_sampler(Filter::kNearest, MipMode::kNearest, Wrap::kRepeat);
  TestQuad quad;
  quad.set_all(1, 0, 4.0f / 64);
  quad.set_all(2, 1, 8.0f / 32);
  EXPECT_EQ(access_image(image, sampler, Opcode::kTxd, quad).value(0, 0), 3);
}

TEST(MipSelection, MagnifiesAtZeroAndBelow) {
  TestImage image(arch::Format::R32_SFLOAT, arch::Tiling::kLinear, 4, 4);
  image.fill([](uint32_t x, uint32_t, uint32_t, uint32_t) {
    return TestImage::Texel{static_cast<float>(x), 0, 0, 0};
  });
  arch::Sampler sampler = test_sampler(Filter::kNearest, MipMode::kBase, Wrap::kClampToEdge);
  sampler.min_filter = static_cast<uint32_t>(Filter::kLinear);
  TestQuad quad;
  quad.set_all(0, 0, 0.5f);  // between texels 1 and 2
  const auto at = [&](float lod) {
    quad.set_all(1, 0, lod);
    return access_image(image, sampler, Opcode::kTxl, quad).value(0, 0);
  };
  EXPECT_EQ(at(-1), 2);
  EXPECT_EQ(at(0), 2);
  EXPECT_EQ(at(0.01f), 1.5f);
}

TEST(MipSelection, UsesTheViewsLevels) {
  LevelImage image;
  image.surface.base_level = 2;
  image.surface.level_count = 2;
  const arch::Sampler sampler = test_sampler(Filter::kNearest, MipMode::kNearest, Wrap::kRepeat);
  TestQuad quad;
  quad.set_all(1, 0, 0);
  EXPECT_EQ(access_image(image, sampler, Opcode::kTxl, quad).value(0, 0), 2);
  quad.set_all(1, 0, 9);
  EXPECT_EQ(access_image(image, sampler, Opcode::kTxl, quad).value(0, 0), 3);
}

TEST(MipSelection, InactiveLanesGiveGradients) {
  const LevelImage image;
  const arch::Sampler sampler = test_sampler(Filter::kNearest, MipMode::kNearest, Wrap::kRepeat);
  const TestAccess one = access_image(image, sampler, Opcode::kTex, quad_with_steps(4, 1), {}, 0b1000);
  EXPECT_EQ(one.value(0, 3), 2);
  EXPECT_EQ(one.value(0, 0), 0);
  EXPECT_EQ(one.plan.samples(), 1u);
}

}  // namespace
}  // namespace cutaway::func
