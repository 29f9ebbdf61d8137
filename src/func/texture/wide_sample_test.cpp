#include "func/texture/wide_for_test.h"

namespace cutaway::func::wide_sample_test {
namespace {

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

TEST_P(WideSampleTest, WindowsAgree) {
  using enum arch::Wrap;
  constexpr uint32_t kSizes[][2] = {{64, 32}, {256, 8}, {8, 256}, {4, 4}, {1, 64}, {2, 1}, {37, 21}};
  for (const auto& [width, height] : kSizes)
    for (const auto wrap_u : {kRepeat, kClampToEdge})
      for (const auto wrap_v : {kRepeat, kClampToEdge})
        for (const auto mip : {arch::MipMode::kNearest, arch::MipMode::kLinear, arch::MipMode::kBase})
          for (const auto format : {arch::Format::B8G8R8A8_UNORM, arch::Format::R8G8_UNORM})
            check({.format = format,
                   .width = width,
                   .height = height,
                   .levels = 1u + static_cast<uint32_t>(std::bit_width(std::max(width, height)) - 1),
                   .mip = mip,
                   .wrap_u = wrap_u,
                   .wrap_v = wrap_v,
                   .op = width == 64 ? isa::Opcode::kTxp : isa::Opcode::kTex,
                   .offset = {static_cast<int8_t>(width == 256), static_cast<int8_t>(-(width == 8))}});
  EXPECT_EQ(from_windows_ > 3000, GetParam() != AluPath::kPortable) << from_windows_;
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

// The texels of a group lie in pages that are far apart.
TEST_P(WideSampleTest, WideHalvesAgree) {
  for (const auto wrap : {arch::Wrap::kRepeat, arch::Wrap::kClampToEdge})
    for (const uint32_t width : {1024u, 2048u})
      check({.format = arch::Format::R16G16B16A16_SFLOAT,
             .width = width,
             .height = 24,
             .levels = 1,
             .wrap_u = wrap,
             .wrap_v = wrap},
            4000);
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

// Pixels whose level of detail is the middle of two levels, or of two weights, and their neighbours.
TEST_P(WideSampleTest, LevelsOfDetailBetweenTwoAgree) {
  for (const auto mip : {arch::MipMode::kNearest, arch::MipMode::kLinear}) {
    const Case c{.width = 64, .height = 64, .levels = 7, .mip = mip};
    const TestImage image = make_image(c);
    const arch::Sampler sampler = test_sampler(c.mag, c.mip, c.wrap_u);
    for (int round = 0; round < 3000 && !HasFatalFailure(); round++) {
      Group group;
      const bool one_level = random_() % 2;  // of all quads: for windows
      double middle = 0;
      for (uint32_t quad = 0; quad < kWideQuads; quad++) {
        // A square of 2^level texels, turned by 45 degrees for nearest levels.
        if (quad == 0 || !one_level)
          middle = mip == arch::MipMode::kLinear ? (static_cast<double>(random_() % (6 * 256)) + 0.5) / 256
                                                 : static_cast<double>(random_() % 6);
        auto side = static_cast<float>(std::exp2(middle) / 64);
        for (uint32_t steps = random_() % 4; steps > 0; steps--)
          side = std::nextafter(side, random_() % 2 ? 9.0f : 0.0f);
        for (uint32_t lane = 0; lane < 4; lane++) {
          const float x = lane & 1 ? side : 0, y = lane & 2 ? side : 0;
          group.set(0, 0, 4 * quad + lane, mip == arch::MipMode::kLinear ? x : x - y);
          group.set(0, 1, 4 * quad + lane, mip == arch::MipMode::kLinear ? y : x + y);
        }
      }
      compare(c, image, sampler, group);
    }
  }
}

// Texels of a group in one page, in neighbouring ones, and far apart.
TEST_P(WideSampleTest, TexturesOfManyPagesAgree) {
  for (const uint32_t width : {256u, 1024u}) {
    check({.width = width, .height = 256, .levels = 9}, 4000);
    check({.width = width, .height = 256, .levels = 9, .op = isa::Opcode::kTxl}, 4000);
  }
  EXPECT_GT(at_once_, 500u);
  EXPECT_GT(copied_, 500u);
}

// Texels of one word, and of two: the latter take one texel where the others have no weight.
TEST_P(WideSampleTest, TexelsThatAreNotMappedAreReported) {
  for (const uint32_t words : {1u, 2u}) {
    const auto format = words == 1 ? arch::Format::R8G8B8A8_UNORM : arch::Format::R16G16B16A16_SFLOAT;
    const Case c{.format = format, .width = 128, .height = 64, .levels = 1};
    TestImage image = make_image(c);
    const TextureView view = make_texture_view(image.surface);
    const WideTexture texture =
        make_wide_texture(view, test_sampler(c.mag, c.mip, c.wrap_u), c.access(), c.op);
    Group group;
    WideOperands operands;
    for (uint32_t i = 0; i < 4; i++) operands.source[0][i] = group.source[0][i];
    for (uint32_t lane = 0; lane < kWideLanes; lane++) {
      group.set(0, 0, lane, (static_cast<float>(lane) + 0.5f) / 128);
      group.set(0, 1, lane, 4.5f / 64);
    }
    const WideFunctions& functions = wide_functions(GetParam());
    const auto sampled = [&](uint32_t quads) {
      const auto window = image.memory.window(texture.address, texture.bytes);
      const WidePages pages{window->entries(), static_cast<uint32_t>(window->start())};
      WidePlan plan;
      functions.plan(texture, operands, plan);
      alignas(64) uint32_t result[4][kWideLanes];
      EXPECT_TRUE(is_bilinear(texture, plan));
      const bool at_once = functions.bilinear(texture, pages, quads * 15, plan, result);
      WideFootprint footprint;
      static WideTexels texels;
      functions.footprint(texture, 0, 0, plan, footprint);
      EXPECT_EQ(functions.fetch(pages, words, 4, quads, footprint, texels), at_once);
      return at_once;
    };
    constexpr uint32_t kAll = 0x11111111;
    EXPECT_TRUE(sampled(kAll));
    image.memory.unmap(image.surface.address + words * arch::kPageBytes,
                       words * arch::kPageBytes);  // rows 8 to 15
    EXPECT_TRUE(sampled(kAll));
    for (uint32_t lane = 28; lane < 32; lane++) group.set(0, 1, lane, 7.5f / 64);  // of rows 7 and 8
    EXPECT_FALSE(sampled(kAll));
    EXPECT_TRUE(sampled(kAll >> 4));
    for (uint32_t lane = 0; lane < 32; lane++) group.set(0, 1, lane, 12.5f / 64);
    EXPECT_FALSE(sampled(kAll));
  }
}

TEST_P(WideSampleTest, ProjectionAgrees) { check({.op = isa::Opcode::kTxp}, 4000); }

TEST_P(WideSampleTest, OneLevelTakesNoLevelOfDetail) { check({.levels = 1}, 4000); }

TEST_P(WideSampleTest, EveryByteIsTheNearestFloat) {
  for (uint32_t i = 0; i < 256; i++)
    EXPECT_EQ(float_bits(static_cast<float>(i) / 255.0f), float_bits(kUnorm8ToFloat[i])) << i;
}

CUTAWAY_ALL_PATHS(WideSampleTest);

TEST(WideTextureTest, UnsupportedCasesAreLeftToQuads) {
  const TestImage image(arch::Format::R8G8B8A8_UNORM, arch::Tiling::kTiled, 8, 8);
  const TextureView view = make_texture_view(image.surface);
  const arch::Sampler sampler =
      test_sampler(arch::Filter::kLinear, arch::MipMode::kBase, arch::Wrap::kRepeat);
  const auto possible = [&](arch::Sampler s, isa::Access access, isa::Opcode op) {
    return make_wide_texture(view, s, access, op).possible;
  };
  EXPECT_TRUE(possible(sampler, {}, isa::Opcode::kTex));
  EXPECT_FALSE(possible(sampler, {}, isa::Opcode::kTxg));
  EXPECT_FALSE(possible(sampler, {}, isa::Opcode::kTxq));
  EXPECT_FALSE(possible(sampler, {.dim = isa::TextureDim::kBuffer}, isa::Opcode::kTxf));  // an image
  EXPECT_FALSE(possible(sampler, {.dim = isa::TextureDim::k2DMultisample}, isa::Opcode::kTxf));
  // A single layer is no cube.
  EXPECT_FALSE(possible(sampler, {.dim = isa::TextureDim::kCube}, isa::Opcode::kTex));
  const TestImage integers(arch::Format::R8G8B8A8_UINT, arch::Tiling::kTiled, 8, 8);
  const TextureView integer_view = make_texture_view(integers.surface);
  EXPECT_FALSE(make_wide_texture(integer_view, sampler, {}, isa::Opcode::kTex).possible);
  EXPECT_TRUE(make_wide_texture(integer_view, sampler, {}, isa::Opcode::kTxf).possible);
}

}  // namespace
}  // namespace cutaway::func::wide_sample_test
