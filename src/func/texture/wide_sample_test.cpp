#include "func/texture/wide_sample.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

#include "func/float_mode.h"
#include "func/texture/image_for_test.h"

// Whole groups against the phases of sample.h, quad by quad.
namespace cutaway::func {
namespace {

struct Group {
  alignas(64) uint32_t u[kWideLanes], v[kWideLanes], q[kWideLanes];
};

struct Case {
  arch::Format format = arch::Format::R8G8B8A8_UNORM;
  arch::Tiling tiling = arch::Tiling::kTiled;
  uint32_t width = 64, height = 32, levels = 6;
  arch::Filter mag = arch::Filter::kLinear, min = arch::Filter::kLinear;
  arch::MipMode mip = arch::MipMode::kLinear;
  arch::Wrap wrap_u = arch::Wrap::kRepeat, wrap_v = arch::Wrap::kRepeat;
  isa::Opcode op = isa::Opcode::kTex;
  uint32_t anisotropy = 1;
  bool texel_units = false;
};

class WideSampleTest : public testing::TestWithParam<AluPath> {
 protected:
  void SetUp() override {
    if (GetParam() == AluPath::kAvx2 && !has_avx2()) GTEST_SKIP() << "no AVX2";
  }
  float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }

  // Quads of all scales, anywhere about the texture.
  Group random_group() {
    Group group;
    for (uint32_t quad = 0; quad < kWideLanes / 4; quad++) {
      const float scale = std::exp2(uniform(-9, 2)), x = uniform(-3, 3), y = uniform(-3, 3);
      for (uint32_t lane = 4 * quad; lane < 4 * quad + 4; lane++) {
        const float q = uniform(0.5f, 2);
        group.u[lane] = float_bits(x + uniform(0, scale));
        group.v[lane] = float_bits(y + uniform(0, scale));
        group.q[lane] = float_bits(q);
      }
    }
    return group;
  }
  Group odd_group() {  // halfway, huge, infinite, NaN, denormal
    static constexpr float kOdd[] = {0,          -0.0f,  0.5f,  1,    -1,     1.0f / 512,
                                     3.0f / 512, 1e-40f, 70000, 1e9f, -1e30f, INFINITY,
                                     -INFINITY,  NAN,    0.25f, 0.75f};
    Group group;
    for (uint32_t lane = 0; lane < kWideLanes; lane++) {
      group.u[lane] = float_bits(kOdd[random_() % std::size(kOdd)]);
      group.v[lane] = float_bits(kOdd[random_() % std::size(kOdd)]);
      group.q[lane] = float_bits(1);
    }
    return group;
  }

  TestImage make_image(const Case& c) {
    TestImage image(c.format, c.tiling, c.width, c.height, c.levels);
    if (arch::format_info(c.format).compressed) {  // any bytes are blocks
      for (uint64_t i = 0; i < arch::surface_bytes(image.surface); i += 4)
        image.memory.write_as(image.surface.address + i, static_cast<uint32_t>(random_()));
      return image;
    }
    image.fill([&](uint32_t, uint32_t, uint32_t, uint32_t) {
      return TestImage::Texel{uniform(0, 1), uniform(0, 1), uniform(0, 1), uniform(0, 1)};
    });
    return image;
  }

  template <WideTexel kind>
  static void fetch(const TestImage& image, const TextureView& view, const WideTexture& texture,
                    const WidePlan& plan, const WideFootprint& footprint, WideTexels& texels) {
    for (uint32_t i = 0; i < plan.texels; i++)
      for (uint32_t lane = 0; lane < kWideLanes; lane++) {
        if (!(footprint.quads >> (lane & ~3u) & 1)) continue;
        if (!(plan.planned >> lane & 1)) continue;
        EXPECT_LE(footprint.offset[i][lane] + uint64_t{texture.element_bytes}, texture.bytes);
        std::byte bytes[kMaxTexelBytes];
        image.memory.read(texture.address + footprint.offset[i][lane], bytes, texture.element_bytes);
        fetch_wide<kind>(view, bytes, footprint.in_block[i][lane], i, lane, texels);
      }
  }

  // Returns how many lanes were planned.
  uint32_t compare(const Case& c, const TestImage& image, const arch::Sampler& sampler, const Group& group) {
    const TextureView view = make_texture_view(image.surface);
    const isa::Access access;
    const WideTexture texture = make_wide_texture(view, sampler, access, c.op);
    EXPECT_TRUE(texture.possible);
    const WideFunctions& functions = wide_functions(GetParam());
    static WidePlan plan;
    static WideFootprint footprint;
    static WideTexels texels;
    static WideAccumulator accumulator;
    alignas(64) static uint32_t result[4][kWideLanes];
    functions.plan(texture, group.u, group.v, group.q, plan);
    for (uint32_t level = 0; level < plan.levels; level++)
      for (uint32_t probe = 0; probe < plan.most_probes; probe++) {
        functions.footprint(texture, level, probe, plan, footprint);
        switch (texture.texel) {
          case WideTexel::kUnorm8:
            fetch<WideTexel::kUnorm8>(image, view, texture, plan, footprint, texels);
            break;
          case WideTexel::kBytes:
            fetch<WideTexel::kBytes>(image, view, texture, plan, footprint, texels);
            break;
          case WideTexel::kHalves:
            fetch<WideTexel::kHalves>(image, view, texture, plan, footprint, texels);
            break;
          case WideTexel::kBc1:
            fetch<WideTexel::kBc1>(image, view, texture, plan, footprint, texels);
            break;
          case WideTexel::kDecoded:
            fetch<WideTexel::kDecoded>(image, view, texture, plan, footprint, texels);
            break;
        }
        functions.filter(texture, plan, level, probe, footprint, texels, accumulator);
      }
    functions.finish(texture, accumulator, result);
    check_quads(c, image, sampler, group, plan, result);
    for (const int32_t probes : plan.probes) most_probes_ = std::max(most_probes_, probes);
    return static_cast<uint32_t>(std::popcount(plan.planned));
  }

  void check_quads(const Case& c, const TestImage& image, const arch::Sampler& sampler, const Group& group,
                   const WidePlan& plan, const uint32_t result[4][kWideLanes]) {
    for (uint32_t quad = 0; quad < kWideLanes / 4; quad++) {
      TestQuad one;
      for (uint32_t i = 0; i < 4; i++) {
        one.operands.source[0][0][i] = group.u[4 * quad + i];
        one.operands.source[0][1][i] = group.v[4 * quad + i];
        one.operands.source[0][3][i] = group.q[4 * quad + i];
      }
      const TestAccess expected = access_image(image, sampler, c.op, one);
      for (uint32_t i = 0; i < 4; i++) {
        const uint32_t lane = 4 * quad + i;
        if (!(plan.planned >> lane & 1)) continue;
        for (uint32_t k = 0; k < 4; k++)
          ASSERT_EQ(result[k][lane], expected.bits(k, i)) << "lane " << lane << " component " << k;
        EXPECT_EQ(plan.samples_of(lane), expected.plan.lane[i].samples);
      }
    }
  }

  void check(const Case& c, uint32_t least_planned = 1) {
    SCOPED_TRACE(testing::Message() << "format " << static_cast<int>(c.format) << " wrap "
                                    << static_cast<int>(c.wrap_u) << " mip " << static_cast<int>(c.mip));
    const TestImage image = make_image(c);
    arch::Sampler sampler = test_sampler(c.mag, c.mip, c.wrap_u);
    sampler.min_filter = static_cast<uint32_t>(c.min);
    sampler.wrap_v = static_cast<uint32_t>(c.wrap_v);
    sampler.max_anisotropy = c.anisotropy;
    sampler.flags = c.texel_units ? arch::Sampler::kUnnormalized : 0;
    uint32_t planned = 0;
    for (int i = 0; i < 200 && !HasFatalFailure(); i++) {
      sampler.lod_bias = i % 3 ? 0 : uniform(-3, 3);
      sampler.min_lod = i % 5 ? 0 : uniform(0, 2);
      sampler.max_lod = i % 7 ? 1000 : uniform(1, 4);
      planned += compare(c, image, sampler, i % 4 == 3 ? odd_group() : random_group());
    }
    EXPECT_GE(planned, least_planned);
  }

  FloatMode mode_;
  std::mt19937 random_{5};
  int32_t most_probes_ = 1;  // seen
};

TEST_P(WideSampleTest, EveryWrapModeAgrees) {
  for (int wrap = 0; wrap < 5; wrap++)
    for (uint32_t width : {64u, 37u})
      check({.width = width,
             .height = width == 64 ? 16u : 21u,
             .levels = 5,
             .wrap_u = static_cast<arch::Wrap>(wrap),
             .wrap_v = static_cast<arch::Wrap>((wrap + 2) % 5)},
            300);
}

TEST_P(WideSampleTest, EveryFilterAgrees) {
  using enum arch::Filter;
  for (const auto mag : {kNearest, kLinear})
    for (const auto min : {kNearest, kLinear})
      for (const auto mip : {arch::MipMode::kNearest, arch::MipMode::kLinear, arch::MipMode::kBase})
        check({.mag = mag, .min = min, .mip = mip}, 4000);
}

TEST_P(WideSampleTest, FormatsAndTilingsAgree) {
  using enum arch::Format;
  for (const auto format : {R8G8B8A8_UNORM, B8G8R8A8_UNORM, R8G8B8A8_SRGB, R8_UNORM, R5G6B5_UNORM_PACK16,
                            R8G8_UNORM, R16G16B16A16_SFLOAT, R32G32B32A32_SFLOAT, D24_UNORM_S8_UINT})
    for (const auto tiling : {arch::Tiling::kTiled, arch::Tiling::kLinear})
      check({.format = format, .tiling = tiling}, 4000);
}

TEST_P(WideSampleTest, BlockFormatsAgree) {
  using enum arch::Format;
  for (const auto format :
       {BC1_RGB_UNORM_BLOCK, BC1_RGBA_UNORM_BLOCK, BC1_RGBA_SRGB_BLOCK, BC2_UNORM_BLOCK, BC3_UNORM_BLOCK,
        BC3_SRGB_BLOCK, BC4_UNORM_BLOCK, BC5_SNORM_BLOCK, BC6H_UFLOAT_BLOCK, BC7_UNORM_BLOCK})
    for (const auto tiling : {arch::Tiling::kTiled, arch::Tiling::kLinear})
      for (const auto mag : {arch::Filter::kNearest, arch::Filter::kLinear})
        check({.format = format, .tiling = tiling, .width = 37, .height = 22, .levels = 5, .mag = mag}, 4000);
}

TEST_P(WideSampleTest, AnisotropyAgrees) {
  using enum arch::Format;
  for (const uint32_t anisotropy : {2u, 8u, 16u, 64u}) {
    most_probes_ = 1;
    for (const auto format :
         {R8G8B8A8_UNORM, B8G8R8A8_UNORM, R8G8_UNORM, R5G6B5_UNORM_PACK16, BC1_RGB_UNORM_BLOCK})
      for (const auto mip : {arch::MipMode::kNearest, arch::MipMode::kLinear, arch::MipMode::kBase})
        for (const auto mag : {arch::Filter::kNearest, arch::Filter::kLinear})
          check({.format = format, .mag = mag, .mip = mip, .anisotropy = anisotropy}, 2000);
    EXPECT_EQ(most_probes_, static_cast<int32_t>(std::min(anisotropy, kMaxAnisotropy)));
  }
}

TEST_P(WideSampleTest, AnisotropyOfProjectedCoordinatesAgrees) {
  check({.wrap_u = arch::Wrap::kClampToBorder, .op = isa::Opcode::kTxp, .anisotropy = 8}, 500);
}

TEST_P(WideSampleTest, ExplicitLevelOfTheOnlyOneAgrees) {
  check({.levels = 1, .op = isa::Opcode::kTxl}, 4000);
  check({.levels = 1, .wrap_u = arch::Wrap::kClampToEdge, .op = isa::Opcode::kTxl, .texel_units = true},
        4000);
  check({.levels = 1, .wrap_u = arch::Wrap::kClampToEdge, .texel_units = true}, 4000);
}

TEST_P(WideSampleTest, ProjectionAgrees) { check({.op = isa::Opcode::kTxp}, 4000); }

TEST_P(WideSampleTest, OneLevelTakesNoLevelOfDetail) { check({.levels = 1}, 4000); }

TEST_P(WideSampleTest, EveryByteIsTheNearestFloat) {
  for (uint32_t i = 0; i < 256; i++)
    EXPECT_EQ(float_bits(static_cast<float>(i) / 255.0f), float_bits(kUnorm8ToFloat[i])) << i;
}

INSTANTIATE_TEST_SUITE_P(Paths, WideSampleTest, testing::Values(AluPath::kPortable, AluPath::kAvx2),
                         [](const auto& path) { return path.param == AluPath::kAvx2 ? "Avx2" : "Portable"; });

TEST(WideTextureTest, WhatItCannotDoIsLeftToQuads) {
  const TestImage image(arch::Format::R8G8B8A8_UNORM, arch::Tiling::kTiled, 8, 8);
  const TextureView view = make_texture_view(image.surface);
  const arch::Sampler sampler =
      test_sampler(arch::Filter::kLinear, arch::MipMode::kBase, arch::Wrap::kRepeat);
  const auto possible = [&](arch::Sampler s, isa::Access access, isa::Opcode op) {
    return make_wide_texture(view, s, access, op).possible;
  };
  EXPECT_TRUE(possible(sampler, {}, isa::Opcode::kTex));
  EXPECT_TRUE(possible(sampler, {}, isa::Opcode::kTxl));
  EXPECT_FALSE(possible(sampler, {}, isa::Opcode::kTxb));
  EXPECT_FALSE(possible(sampler, {.shadow = true}, isa::Opcode::kTex));
  EXPECT_FALSE(possible(sampler, {.offset = {1, 0, 0}}, isa::Opcode::kTex));
  EXPECT_FALSE(possible(sampler, {.dim = isa::TextureDim::kCube}, isa::Opcode::kTex));
  arch::Sampler two_filters = sampler;
  two_filters.min_filter = static_cast<uint32_t>(arch::Filter::kNearest);
  EXPECT_TRUE(possible(two_filters, {}, isa::Opcode::kTex));
  EXPECT_FALSE(possible(two_filters, {}, isa::Opcode::kTxl));
}

}  // namespace
}  // namespace cutaway::func
