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
using isa::TextureDim;

TestQuad at(float u, float v) {
  TestQuad quad;
  quad.set_all(0, 0, u);
  quad.set_all(0, 1, v);
  return quad;
}

TestImage numbered() {
  TestImage image(Format::R32G32_UINT, Tiling::kTiled, 8, 8);
  image.fill([](uint32_t x, uint32_t y, uint32_t, uint32_t) {
    return TestImage::Texel{static_cast<float>(x + 10 * y), static_cast<float>(100 + x), 0, 0};
  });
  return image;
}

std::array<uint32_t, 4> texels(const TestAccess& access) {
  return {access.bits(0, 0), access.bits(1, 0), access.bits(2, 0), access.bits(3, 0)};
}

const arch::Sampler kRepeat = test_sampler(Filter::kNearest, MipMode::kBase, Wrap::kRepeat);

TEST(Gather, GivesFourTexelsAgainstTheClock) {
  isa::Access access;
  access.dim = TextureDim::k2D;
  const TestImage image = numbered();
  // Between texels 2 and 3 of a row and rows 4 and 5.
  const TestAccess red = access_image(image, kRepeat, Opcode::kTxg, at(3.0f / 8, 5.0f / 8), access);
  EXPECT_EQ(texels(red), (std::array<uint32_t, 4>{52, 53, 43, 42}));
  EXPECT_EQ(red.plan.samples(), 4u);  // one per lane
  access.gather = 1;
  EXPECT_EQ(texels(access_image(image, kRepeat, Opcode::kTxg, at(3.0f / 8, 5.0f / 8), access)),
            (std::array<uint32_t, 4>{102, 103, 103, 102}));
}

TEST(Gather, TakesTheSwizzledComponent) {
  isa::Access access;
  access.dim = TextureDim::k2D;
  TestImage image = numbered();
  image.surface.swizzle = 0x5001;  // R from G, A one
  EXPECT_EQ(texels(access_image(image, kRepeat, Opcode::kTxg, at(0.5f, 0.5f), access))[0], 103u);
  access.gather = 3;
  EXPECT_EQ(texels(access_image(image, kRepeat, Opcode::kTxg, at(0.5f, 0.5f), access))[0], 1u);
}

TEST(Gather, AddsConstantAndRegisterOffsets) {
  isa::Access access;
  access.dim = TextureDim::k2D;
  access.offset = {1, 0, 0};
  TestQuad quad = at(3.0f / 8, 5.0f / 8);
  quad.set_bits(1, 0, static_cast<uint32_t>(-3));
  quad.set_bits(1, 1, 2);
  EXPECT_EQ(texels(access_image(numbered(), kRepeat, Opcode::kTxg, quad, access)),
            (std::array<uint32_t, 4>{70, 71, 61, 60}));
}

TEST(Gather, ComparesEachTexel) {
  TestImage image(Format::D32_SFLOAT, Tiling::kTiled, 2, 2);
  image.fill([](uint32_t x, uint32_t y, uint32_t, uint32_t) {
    return TestImage::Texel{0.2f * static_cast<float>(1 + x + 2 * y), 0, 0, 0};
  });
  isa::Access access;
  access.dim = TextureDim::k2D;
  access.shadow = true;
  arch::Sampler sampler = kRepeat;
  sampler.compare = static_cast<uint32_t>(arch::Compare::kLess) + 1;
  TestQuad quad = at(0.5f, 0.5f);
  quad.set_all(0, 3, 0.5f);
  const TestAccess result = access_image(image, sampler, Opcode::kTxg, quad, access);
  EXPECT_EQ(result.value(0, 0), 1);
  EXPECT_EQ(result.value(1, 0), 1);
  EXPECT_EQ(result.value(2, 0), 0);
  EXPECT_EQ(result.value(3, 0), 0);
}

TEST(Gather, GoesOnBeyondTheEdgeOfACubesFace) {
  TestImage image(Format::R32_UINT, Tiling::kTiled, 2, 2, 1, 6);
  image.surface.type = arch::Surface::make_type(arch::SurfaceType::kCube, Tiling::kTiled);
  image.fill([](uint32_t, uint32_t, uint32_t, uint32_t layer) {
    return TestImage::Texel{static_cast<float>(layer + 1), 0, 0, 0};
  });
  isa::Access access;
  access.dim = TextureDim::kCube;
  TestQuad quad;  // on +x, near the edge to +z
  quad.set_all(0, 0, 1), quad.set_all(0, 1, 0), quad.set_all(0, 2, 0.95f);
  const auto found = texels(access_image(image, kRepeat, Opcode::kTxg, quad, access));
  EXPECT_EQ(found, (std::array<uint32_t, 4>{5, 1, 1, 5}));
}

}  // namespace
}  // namespace cutaway::func
