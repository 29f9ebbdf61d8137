#include "func/texture/sample.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "func/texture/image_for_test.h"
#include "func/texture/wrap.h"

namespace cutaway::func::sample_test {
namespace {

using arch::Filter;
using arch::Format;
using arch::MipMode;
using arch::Tiling;
using arch::Wrap;
using isa::Opcode;
using isa::TextureDim;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TestImage::Texel noise(uint32_t x, uint32_t y, uint32_t level, uint32_t layer) {
  uint32_t state = x * 7919 + y * 104729 + level * 1299709 + layer * 15485863 + 1;
  TestImage::Texel texel;
  for (float& value : texel) {
    state = state * 1664525 + 1013904223;
    value = static_cast<float>(state >> 24) / 255;
  }
  return texel;
}

arch::Sampler bilinear(Wrap wrap) { return test_sampler(Filter::kLinear, MipMode::kBase, wrap); }
arch::Sampler nearest(Wrap wrap) { return test_sampler(Filter::kNearest, MipMode::kBase, wrap); }

TestQuad at(float u, float v) {
  TestQuad quad;
  quad.set_all(0, 0, u);
  quad.set_all(0, 1, v);
  return quad;
}

// Vulkan's filtering equations in double, without quantisation.
double reference(const arch::Sampler& sampler, double u, double v, int width, int height, uint32_t channel) {
  const auto texel = [&](double i, double j) {
    const int64_t x = wrap_texel(sampler.wrap_u, static_cast<int64_t>(i), width);
    const int64_t y = wrap_texel(sampler.wrap_v, static_cast<int64_t>(j), height);
    if (x < 0 || y < 0) return static_cast<double>(bits_float(sampler.border[channel]));
    return static_cast<double>(noise(static_cast<uint32_t>(x), static_cast<uint32_t>(y), 0, 0)[channel]);
  };
  const double x = u * width - 0.5, y = v * height - 0.5;
  const double i = std::floor(x), j = std::floor(y), a = x - i, b = y - j;
  return (1 - a) * (1 - b) * texel(i, j) + a * (1 - b) * texel(i + 1, j) + (1 - a) * b * texel(i, j + 1) +
         a * b * texel(i + 1, j + 1);
}

TEST(Bilinear, AgreesWithTheEquations) {
  std::mt19937 random(11);
  for (Tiling tiling : {Tiling::kLinear, Tiling::kTiled}) {
    for (Format format : {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R32G32B32A32_SFLOAT,
                          Format::R16G16B16A16_UNORM}) {
      TestImage image(format, tiling, 13, 21);
      image.fill(noise);
      for (uint32_t wrap = 0; wrap < 5; wrap++) {
        arch::Sampler sampler = bilinear(static_cast<Wrap>(wrap));
        sampler.border[1] = float_bits(0.75f);
        for (int i = 0; i < 300; i++) {
          const float u = static_cast<float>(random() % 40000) / 10000 - 2,
                      v = static_cast<float>(random() % 40000) / 10000 - 2;
          const TestAccess access = access_image(image, sampler, Opcode::kTex, at(u, v));
          ASSERT_EQ(access.faults, 0u);
          // Each coordinate has an error of at most 1/512 texel; two axes.
          for (uint32_t c = 0; c < 4; c++)
            ASSERT_NEAR(access.value(c, 2), reference(sampler, u, v, 13, 21, c), 2.0 / 512 + 1e-4);
        }
      }
    }
  }
}

TEST(Bilinear, LiteralWeights) {
  TestImage image(Format::R8G8B8A8_UNORM, Tiling::kLinear, 2, 2);
  image.fill([](uint32_t x, uint32_t y, uint32_t, uint32_t) {
    return TestImage::Texel{x ? 1.0f : 0.0f, y ? 1.0f : 0.0f, 0.2f, 1};
  });
  const TestAccess access = access_image(image, bilinear(Wrap::kClampToEdge), Opcode::kTex, at(0.375f, 0.5f));
  EXPECT_EQ(access.value(0, 0), 0.25f);
  EXPECT_EQ(access.value(1, 0), 0.5f);
  EXPECT_EQ(access.value(2, 0), 0.2f);
  EXPECT_EQ(access.value(3, 0), 1.0f);
  EXPECT_EQ(access.plan.samples(), 4u);
}

TEST(Bilinear, EqualTexelsGiveThatTexelExactly) {
  std::mt19937 random(12);
  for (Format format :
       {Format::R8G8B8A8_UNORM, Format::R16_UNORM, Format::R32_SFLOAT, Format::R8G8B8A8_SRGB}) {
    TestImage image(format, Tiling::kTiled, 8, 8, 4);
    for (int code = 0; code < 256; code += 5) {
      image.fill([&](uint32_t, uint32_t, uint32_t, uint32_t) {
        return TestImage::Texel{static_cast<float>(code) / 255, 0, 0, 1};
      });
      const arch::Sampler sampler = test_sampler(Filter::kLinear, MipMode::kLinear, Wrap::kRepeat);
      std::byte element[kMaxTexelBytes];
      image.memory.read(image.surface.address, element, kMaxTexelBytes);
      uint32_t expected[4];
      decode_texel(arch::format_info(format), element, expected);
      TestQuad quad = at(static_cast<float>(random() % 1000) / 777, 0.3f);
      quad.set_all(1, 0, static_cast<float>(random() % 256) / 100);
      ASSERT_EQ(access_image(image, sampler, Opcode::kTxl, quad).bits(0, 1), expected[0]) << code;
    }
  }
}

TEST(Trilinear, MixesTwoLevels) {
  TestImage image(Format::R8G8B8A8_UNORM, Tiling::kTiled, 16, 16, 5);
  image.fill([](uint32_t, uint32_t, uint32_t level, uint32_t) {
    return TestImage::Texel{level == 1 ? 1.0f : 0.0f, 0, 0, 1};
  });
  const arch::Sampler sampler = test_sampler(Filter::kLinear, MipMode::kLinear, Wrap::kRepeat);
  TestQuad quad = at(0.3f, 0.6f);
  quad.set(1, 0, 0, 0.25f, 1, 1.75f);
  const TestAccess access = access_image(image, sampler, Opcode::kTxl, quad);
  EXPECT_EQ(access.value(0, 0), 0);
  EXPECT_EQ(access.value(0, 1), 0.25f);
  EXPECT_EQ(access.value(0, 2), 1);
  EXPECT_EQ(access.value(0, 3), 0.25f);
  EXPECT_EQ(access.plan.samples(), 6u);
}

TEST(Nearest, TakesTheTexelThatHoldsThePoint) {
  TestImage image(Format::R32_SFLOAT, Tiling::kTiled, 10, 3);
  image.fill([](uint32_t x, uint32_t y, uint32_t, uint32_t) {
    return TestImage::Texel{static_cast<float>(x + 10 * y), 0, 0, 0};
  });
  const auto texel = [&](float u, float v) {
    return access_image(image, nearest(Wrap::kRepeat), Opcode::kTex, at(u, v)).value(0, 0);
  };
  for (uint32_t x = 0; x < 10; x++)
    EXPECT_EQ(texel((static_cast<float>(x) + 0.5f) / 10, 0.5f), static_cast<float>(x) + 10);
  EXPECT_EQ(texel(0.7f, 0), 7);
  EXPECT_EQ(texel(-0.05f, -0.1f), 29);
  EXPECT_EQ(texel(1.05f, 1), 0);
}

TEST(Nearest, TiledEqualsLinear) {
  std::mt19937 random(13);
  for (Format format : {Format::R8_UNORM, Format::R5G6B5_UNORM_PACK16, Format::R8G8B8A8_UNORM,
                        Format::R16G16B16A16_SFLOAT, Format::R32G32B32A32_SFLOAT}) {
    TestImage tiled(format, Tiling::kTiled, 37, 19, 6, 3), linear(format, Tiling::kLinear, 37, 19, 6, 3);
    tiled.fill(noise);
    linear.fill(noise);
    isa::Access access;
    access.dim = TextureDim::k2DArray;
    for (Filter filter : {Filter::kNearest, Filter::kLinear}) {
      const arch::Sampler sampler = test_sampler(filter, MipMode::kLinear, Wrap::kMirroredRepeat);
      for (int i = 0; i < 300; i++) {
        TestQuad quad =
            at(static_cast<float>(random() % 3000) / 1000, static_cast<float>(random() % 3000) / 1000);
        quad.set_all(0, 2, static_cast<float>(random() % 3));
        quad.set_all(1, 0, static_cast<float>(random() % 600) / 100);
        const TestAccess a = access_image(tiled, sampler, Opcode::kTxl, quad, access);
        const TestAccess b = access_image(linear, sampler, Opcode::kTxl, quad, access);
        ASSERT_EQ(a.faults + b.faults, 0u);
        for (uint32_t c = 0; c < 4; c++) ASSERT_EQ(a.bits(c, 0), b.bits(c, 0));
      }
    }
  }
}

TEST(Sampling, FootprintsAreElementAddresses) {
  std::mt19937 random(14);
  for (Tiling tiling : {Tiling::kLinear, Tiling::kTiled}) {
    TestImage image(Format::R8G8B8A8_UNORM, tiling, 50, 30, 3, 4);
    image.surface.base_layer = 1;
    image.surface.layer_count = 3;
    const TextureView view = make_texture_view(image.surface);
    for (int i = 0; i < 1000; i++) {
      const auto pick = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
      const uint32_t l = pick(3), layer = pick(3), x = pick(view.level[l].width),
                     y = pick(view.level[l].height);
      EXPECT_EQ(
          view.slice_address(l, layer) + view.column_offset(x) + view.row_offset(l, y),
          arch::element_address(image.surface, arch::level_layout(image.surface, l), x, y, 0, layer + 1));
    }
  }
}

TEST(Sampling, WildCoordinatesStayInside) {
  TestImage image(Format::R8G8B8A8_UNORM, Tiling::kTiled, 5, 7, 3);
  image.fill(noise);
  const float wild[] = {kNan,  -kNan,  kInfinity, -kInfinity, 1e38f, -1e38f,  1e9f,
                        -1e9f, 1e-45f, 0,         1,          -0.0f, 16777216};
  for (uint32_t wrap = 0; wrap < 6; wrap++)
    for (Filter filter : {Filter::kNearest, Filter::kLinear})
      for (uint32_t unnormalized = 0; unnormalized < 2; unnormalized++)
        for (float u : wild)
          for (float v : wild) {
            arch::Sampler sampler = test_sampler(filter, MipMode::kLinear, static_cast<Wrap>(wrap));
            sampler.flags = unnormalized ? arch::Sampler::kUnnormalized : 0;
            TestQuad quad = at(u, v);
            quad.set(0, 1, v, u, v, u);
            quad.set_all(0, 2, u);
            quad.set_all(0, 3, v);
            quad.set_all(1, 0, u);
            for (Opcode op :
                 {Opcode::kTex, Opcode::kTxp, Opcode::kTxl, Opcode::kTxb, Opcode::kTxd, Opcode::kTxqlod}) {
              isa::Access access;
              access.dim = TextureDim::k2DArray;
              const TestAccess result = access_image(image, sampler, op, quad, access);
              ASSERT_EQ(result.faults, 0u);
              for (uint32_t c = 0; c < 4 && op != Opcode::kTxqlod; c++)
                ASSERT_TRUE(result.value(c, 0) >= 0 && result.value(c, 0) <= 1);
            }
          }
}

TEST(Sampling, BorderAndAbsentChannels) {
  arch::Sampler sampler = nearest(Wrap::kClampToBorder);
  for (uint32_t c = 0; c < 4; c++) sampler.border[c] = float_bits(0.25f);
  TestImage rgba(Format::R8G8B8A8_UNORM, Tiling::kTiled, 4, 4), rg(Format::R8G8_UNORM, Tiling::kTiled, 4, 4);
  const TestAccess outside = access_image(rgba, sampler, Opcode::kTex, at(-0.1f, 0.5f));
  EXPECT_EQ(outside.value(3, 0), 0.25f);
  const TestAccess two = access_image(rg, sampler, Opcode::kTex, at(0.5f, 1.1f));
  EXPECT_EQ(two.value(1, 0), 0.25f);
  EXPECT_EQ(two.value(2, 0), 0);
  EXPECT_EQ(two.value(3, 0), 1);
}

TEST(Sampling, BorderTexelsAreWeighted) {
  TestImage image(Format::R8G8B8A8_UNORM, Tiling::kTiled, 4, 4);
  image.fill([](uint32_t, uint32_t, uint32_t, uint32_t) { return TestImage::Texel{1, 1, 1, 1}; });
  const arch::Sampler sampler = bilinear(Wrap::kClampToBorder);  // border 0
  EXPECT_EQ(access_image(image, sampler, Opcode::kTex, at(0, 0.5f)).value(0, 0), 0.5f);
  EXPECT_EQ(access_image(image, sampler, Opcode::kTex, at(0, 1)).value(0, 0), 0.25f);
  EXPECT_EQ(access_image(image, sampler, Opcode::kTex, at(-3, 1)).value(0, 0), 0);
}

TEST(Sampling, Swizzle) {
  TestImage image(Format::R8G8B8A8_UNORM, Tiling::kTiled, 1, 1);
  image.fill([](uint32_t, uint32_t, uint32_t, uint32_t) { return TestImage::Texel{0.2f, 0.4f, 0.6f, 0.8f}; });
  image.surface.swizzle = 0x5403;  // A, R, zero, one
  const TestAccess access = access_image(image, nearest(Wrap::kRepeat), Opcode::kTex, at(0, 0));
  EXPECT_EQ(access.value(0, 0), 0.8f);
  EXPECT_EQ(access.value(1, 0), 0.2f);
  EXPECT_EQ(access.value(2, 0), 0);
  EXPECT_EQ(access.value(3, 0), 1);
}

TEST(Sampling, SwizzlesBorders) {
  TestImage image(Format::R8G8B8A8_UNORM, Tiling::kTiled, 1, 1);
  image.surface.swizzle = 0x5403;
  arch::Sampler sampler = nearest(Wrap::kClampToBorder);
  for (uint32_t i = 0; i < 4; i++) sampler.border[i] = std::bit_cast<uint32_t>(0.25f * static_cast<float>(i));
  const TestAccess access = access_image(image, sampler, Opcode::kTex, at(2, 0));
  EXPECT_EQ(access.value(0, 0), 0.75f);
  EXPECT_EQ(access.value(1, 0), 0);
  EXPECT_EQ(access.value(2, 0), 0);
  EXPECT_EQ(access.value(3, 0), 1);
}

TEST(Sampling, ProjectionDividesCoordinates) {
  TestImage image(Format::R32_SFLOAT, Tiling::kTiled, 8, 8);
  image.fill([](uint32_t x, uint32_t y, uint32_t, uint32_t) {
    return TestImage::Texel{static_cast<float>(x + 8 * y), 0, 0, 0};
  });
  TestQuad quad = at(1, 2);
  quad.set_all(0, 3, 4);
  EXPECT_EQ(access_image(image, nearest(Wrap::kRepeat), Opcode::kTxp, quad).value(0, 0), 2 + 8 * 4);
}

TEST(Sampling, UnnormalizedCoordinatesAndOffsets) {
  TestImage image(Format::R32_SFLOAT, Tiling::kTiled, 8, 8);
  image.fill([](uint32_t x, uint32_t y, uint32_t, uint32_t) {
    return TestImage::Texel{static_cast<float>(x + 8 * y), 0, 0, 0};
  });
  arch::Sampler sampler = nearest(Wrap::kClampToEdge);
  sampler.flags = arch::Sampler::kUnnormalized;
  isa::Access access;
  EXPECT_EQ(access_image(image, sampler, Opcode::kTex, at(3.7f, 2.1f), access).value(0, 0), 3 + 8 * 2);
  access.offset = {-2, 4, 0};
  EXPECT_EQ(access_image(image, sampler, Opcode::kTex, at(3.7f, 2.1f), access).value(0, 0), 1 + 8 * 6);
  access.offset = {-8, 7, 0};
  EXPECT_EQ(access_image(image, sampler, Opcode::kTex, at(3.7f, 2.1f), access).value(0, 0), 0 + 8 * 7);
}

TEST(Sampling, LayersRoundToEvenAndClamp) {
  TestImage image(Format::R32_SFLOAT, Tiling::kTiled, 2, 2, 1, 5);
  image.fill([](uint32_t, uint32_t, uint32_t, uint32_t layer) {
    return TestImage::Texel{static_cast<float>(layer), 0, 0, 0};
  });
  isa::Access access;
  access.dim = TextureDim::k2DArray;
  const auto layer = [&](float a) {
    TestQuad quad = at(0.5f, 0.5f);
    quad.set_all(0, 2, a);
    return access_image(image, nearest(Wrap::kRepeat), Opcode::kTex, quad, access).value(0, 0);
  };
  EXPECT_EQ(layer(1.4f), 1);
  EXPECT_EQ(layer(1.5f), 2);
  EXPECT_EQ(layer(2.5f), 2);
  EXPECT_EQ(layer(-3), 0);
  EXPECT_EQ(layer(99), 4);
  EXPECT_EQ(layer(kNan), 0);
}

TEST(Sampling, OneDimension) {
  TestImage image(Format::R32_SFLOAT, Tiling::kLinear, 4, 1, 1, 2);
  image.surface.type = arch::Surface::make_type(arch::SurfaceType::k1D, Tiling::kLinear);
  image.fill([](uint32_t x, uint32_t, uint32_t, uint32_t layer) {
    return TestImage::Texel{static_cast<float>(x + 10 * layer), 0, 0, 0};
  });
  isa::Access access;
  access.dim = TextureDim::k1D;
  EXPECT_EQ(access_image(image, bilinear(Wrap::kClampToEdge), Opcode::kTex, at(0.5f, 77), access).value(0, 0),
            1.5f);
  access.dim = TextureDim::k1DArray;
  EXPECT_EQ(access_image(image, bilinear(Wrap::kClampToEdge), Opcode::kTex, at(0.5f, 1), access).value(0, 0),
            11.5f);
}

TEST(Sampling, DepthTexturesGiveDepthInRed) {
  TestImage image(Format::D24_UNORM_S8_UINT, Tiling::kTiled, 4, 4);
  image.fill([](uint32_t, uint32_t, uint32_t, uint32_t) { return TestImage::Texel{0.5f, 0, 0, 0}; });
  const TestAccess access = access_image(image, bilinear(Wrap::kRepeat), Opcode::kTex, at(0.3f, 0.3f));
  EXPECT_NEAR(access.value(0, 0), 0.5f, 1e-6);
  EXPECT_EQ(access.value(1, 0), 0);
  EXPECT_EQ(access.value(3, 0), 1);
}

TEST(Sampling, IntegerFormatsAreNeverFiltered) {
  TestImage image(Format::R8G8B8A8_SINT, Tiling::kTiled, 4, 4, 3);
  image.fill([](uint32_t x, uint32_t, uint32_t, uint32_t) {
    return TestImage::Texel{static_cast<float>(x + 100), 0, 0, 7};
  });
  TestQuad quad = at(0.6f, 0.6f);
  quad.set_all(1, 0, 0.25f);
  const TestAccess access =
      access_image(image, test_sampler(Filter::kLinear, MipMode::kLinear, Wrap::kRepeat), Opcode::kTxl, quad);
  EXPECT_EQ(access.bits(0, 0), 102u);
  EXPECT_EQ(access.bits(3, 0), 7u);
}

TEST(Sampling, DescriptorsThatMakeNoSenseReadZeros) {
  const auto reads_zeros = [](const arch::Surface& surface) {
    TestImage image(Format::R8G8B8A8_UNORM, Tiling::kTiled, 4, 4);
    image.surface = surface;
    const TestAccess access = access_image(image, bilinear(Wrap::kRepeat), Opcode::kTex, at(0.5f, 0.5f));
    return access.faults == 0 && access.plan.samples() == 0 && access.bits(3, 0) == 0;
  };
  const arch::Surface good = TestImage(Format::R8G8B8A8_UNORM, Tiling::kTiled, 4, 4).surface;
  EXPECT_FALSE(reads_zeros(good));
  EXPECT_TRUE(reads_zeros(arch::Surface{}));
  const auto with = [&](auto edit) {
    arch::Surface bad = good;
    edit(bad);
    return bad;
  };
  EXPECT_TRUE(reads_zeros(with([](arch::Surface& s) { s.width = 0; })));
  EXPECT_TRUE(reads_zeros(with([](arch::Surface& s) { s.height = 0xffffffff; })));
  EXPECT_TRUE(reads_zeros(with([](arch::Surface& s) { s.format = 5000; })));
  EXPECT_TRUE(reads_zeros(with([](arch::Surface& s) { s.levels = 4000000000; })));
  EXPECT_TRUE(reads_zeros(with([](arch::Surface& s) { s.base_level = 0xffffffff; })));
  EXPECT_TRUE(reads_zeros(with([](arch::Surface& s) { s.base_layer = 1; })));
  EXPECT_TRUE(reads_zeros(with([](arch::Surface& s) { s.type |= 0xff00; })));
  EXPECT_TRUE(reads_zeros(with([](arch::Surface& s) { s.type |= 200u << 16; })));
}

}  // namespace
}  // namespace cutaway::func::sample_test
