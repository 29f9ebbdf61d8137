#include <gtest/gtest.h>

#include "func/texture/image_for_test.h"

namespace cutaway::func {
namespace {

using arch::Filter;
using arch::Format;
using arch::MipMode;
using arch::Tiling;
using arch::Wrap;
using isa::Opcode;

arch::Sampler anisotropic(uint32_t most) {
  arch::Sampler sampler = test_sampler(Filter::kLinear, MipMode::kLinear, Wrap::kRepeat);
  sampler.max_anisotropy = most;
  return sampler;
}

// A pixel with a footprint of x by y texels.
TestQuad pixel(float x, float y, float size) {
  TestQuad quad;
  quad.set_all(0, 0, 0.5f), quad.set_all(0, 1, 0.5f);
  quad.set_all(1, 0, x / size), quad.set_all(1, 1, 0);
  quad.set_all(2, 0, 0), quad.set_all(2, 1, y / size);
  return quad;
}

TestAccess sample(const TestImage& image, uint32_t most, float x, float y) {
  return access_image(image, anisotropic(most), Opcode::kTxd,
                      pixel(x, y, static_cast<float>(image.surface.width)));
}

TestImage stripes() {  // columns of 0 and 1 in level 0; all texels of level l are l
  TestImage image(Format::R32_SFLOAT, Tiling::kTiled, 64, 64, 7);
  image.fill([](uint32_t x, uint32_t, uint32_t level, uint32_t) {
    return TestImage::Texel{level ? static_cast<float>(level) : static_cast<float>(x % 2), 0, 0, 0};
  });
  return image;
}

// Vulkan "Texel Anisotropic Filtering": N = ceil(η), λ = log2(ρmax / η).
TEST(Anisotropy, TheRatioGivesProbesAndTheShorterAxisTheLevel) {
  const TestImage image = stripes();
  EXPECT_EQ(sample(image, 16, 8, 1).plan.lane[0].probes, 8);
  EXPECT_EQ(sample(image, 16, 8, 1).plan.lane[0].level, 0);
  EXPECT_EQ(sample(image, 16, 1, 7.5f).plan.lane[0].probes, 8);
  EXPECT_EQ(sample(image, 16, 8, 2).value(0, 0), 1);  // level 1
  EXPECT_EQ(sample(image, 16, 8, 2).plan.lane[0].probes, 4);
}

TEST(Anisotropy, TheSamplerLimitsIt) {
  const TestImage image = stripes();
  const TestAccess access = sample(image, 2, 16, 1);  // 16 / 2 texels: level 3
  EXPECT_EQ(access.plan.lane[0].probes, 2);
  EXPECT_EQ(access.value(0, 0), 3);
  EXPECT_EQ(sample(image, 1000, 64, 0).plan.lane[0].probes, 16);
  EXPECT_EQ(sample(image, 1, 16, 1).plan.lane[0].probes, 1);
  EXPECT_EQ(sample(image, 0, 16, 1).value(0, 0), 4);
}

TEST(Anisotropy, MagnificationAndSquarePixelsTakeOneProbe) {
  const TestImage image = stripes();
  EXPECT_EQ(sample(image, 16, 0.9f, 0.1f).plan.lane[0].probes, 1);
  EXPECT_EQ(sample(image, 16, 4, 4).plan.lane[0].probes, 1);
  EXPECT_EQ(sample(image, 16, 4, 4).plan.samples(), 4u);
}

TEST(Anisotropy, ProbesLieAlongTheLongerAxisAndCountAsSamples) {
  TestImage image(Format::R32_SFLOAT, Tiling::kTiled, 64, 64);
  image.fill([](uint32_t x, uint32_t y, uint32_t, uint32_t) {
    return TestImage::Texel{static_cast<float>(x), static_cast<float>(y), 0, 0};
  });
  const TestAccess access = sample(image, 16, 3, 1);
  EXPECT_EQ(access.plan.samples(), 12u);
  // Three probes at -3/4, 0 and 3/4 texels from the middle, 32 - 1/2.
  const TextureView view = make_texture_view(image.surface);
  const Footprint first = texture_footprint(view, anisotropic(16), access.plan, 0, 0);
  const Footprint last = texture_footprint(view, anisotropic(16), access.plan, 0, 2);
  EXPECT_EQ(first.fraction_u, 192);
  EXPECT_EQ(last.fraction_u, 64);
  EXPECT_EQ(first.fraction_v, 128);
  EXPECT_FLOAT_EQ(access.value(0, 0), 31.5f);
}

TEST(Anisotropy, EqualTexelsGiveExactlyThatTexel) {
  TestImage image(Format::R32_SFLOAT, Tiling::kTiled, 16, 16, 5);
  image.fill([](uint32_t, uint32_t, uint32_t, uint32_t) { return TestImage::Texel{0.1f, 0, 0, 0}; });
  for (float ratio = 1; ratio < 20; ratio += 0.7f)
    EXPECT_EQ(sample(image, 16, 1.3f * ratio, 1.3f).value(0, 0), 0.1f);
}

}  // namespace
}  // namespace cutaway::func
