#pragma once

#include <cstring>
#include <gtest/gtest.h>
#include <random>

#include "func/float_mode.h"
#include "func/testing/alu_paths.h"
#include "func/texture/image_for_test.h"
#include "func/texture/quad_footprint.h"
#include "func/texture/texel_copy.h"
#include "func/texture/wide_sample.h"

// Compares whole groups with the phases of sample.h, quad by quad.
namespace cutaway::func {

struct Group {
  alignas(64) uint32_t source[3][4][kWideLanes] = {};  // the operands

  void set(uint32_t source_number, uint32_t component, uint32_t lane, float value) {
    source[source_number][component][lane] = float_bits(value);
  }
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
  isa::TextureDim dim = isa::TextureDim::k2D;
  uint32_t layers = 1, depth = 1;
  std::array<int8_t, 3> offset{};
  arch::Compare compare = arch::Compare::kLess;
  bool shadow = false, separate_faces = false;

  bool cube() const { return dim == isa::TextureDim::kCube || dim == isa::TextureDim::kCubeArray; }
  bool array() const {
    using enum isa::TextureDim;
    return dim == k1DArray || dim == k2DArray || dim == kCubeArray;
  }
  uint32_t coordinates() const {
    using enum isa::TextureDim;
    return dim == k1D || dim == k1DArray ? 1 : dim == k3D || cube() ? 3 : 2;
  }
  isa::Access access() const { return {.dim = dim, .shadow = shadow, .offset = offset}; }
};

class WideSampleTest : public ::testing::TestWithParam<AluPath> {
 protected:
  void SetUp() override {
    if (!has_path(GetParam())) GTEST_SKIP() << "not on this processor";
  }
  float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }

  // Quads of all scales, anywhere around the texture.
  Group random_group(const Case& c) {
    Group group;
    for (uint32_t quad = 0; quad < kWideLanes / 4; quad++) {
      const float scale = std::exp2(uniform(-9, 2));
      const float place[3] = {uniform(-3, 3), uniform(-3, 3), uniform(-3, 3)};
      for (uint32_t lane = 4 * quad; lane < 4 * quad + 4; lane++)
        for (uint32_t i = 0; i < c.coordinates(); i++) group.set(0, i, lane, place[i] + uniform(0, scale));
    }
    add_others(c, group);
    return group;
  }
  // The pixels of half a tile across a plane, at scales from a sixteenth texel to four texels; or each on a
  // column or row of texels, or both.
  Group neighbours_group(const Case& c) {
    Group group;
    const uint32_t size[3] = {c.width, c.height, c.depth};
    const auto on_texels = static_cast<uint32_t>(random_() % 8);  // by coordinate, if some
    const float scale = on_texels ? 1 : std::exp2(uniform(-4, 2)), turn = on_texels ? 0 : uniform(-4, 4);
    const float right[3] = {std::cos(turn), std::sin(turn), uniform(-1, 1)};
    const float down[3] = {on_texels ? 0 : uniform(-1, 1), on_texels ? 1 : uniform(-1, 1), std::cos(turn)};
    const float far = random_() % 8 ? 2 : std::exp2(uniform(4, 16));
    for (uint32_t i = 0; i < c.coordinates(); i++) {
      const auto texels = static_cast<float>(size[i]);
      float place = uniform(-far, far);
      if (on_texels >> i & 1) place = (std::floor(place * texels) + 0.5f) / texels;
      const float step = c.texel_units ? scale : scale / texels;
      for (uint32_t lane = 0; lane < kWideLanes; lane++) {
        const uint32_t quad = lane / 4;
        const auto x = static_cast<float>((quad & 1) * 2 + (quad & 4) + (lane & 1));
        const auto y = static_cast<float>((quad & 2) + (lane >> 1 & 1));
        group.set(0, i, lane, place + (x * right[i] + y * down[i]) * step);
      }
    }
    add_others(c, group);
    return group;
  }
  // Coinciding, halfway, huge, infinite, NaN and denormal coordinates.
  Group odd_group(const Case& c) {
    static constexpr float kOdd[] = {0,          -0.0f,  0.5f,  1,    -1,     1.0f / 512,
                                     3.0f / 512, 1e-40f, 70000, 1e9f, -1e30f, INFINITY,
                                     -INFINITY,  NAN,    0.25f, 0.75f};
    Group group;
    for (uint32_t lane = 0; lane < kWideLanes; lane++)
      for (uint32_t i = 0; i < c.coordinates(); i++) group.set(0, i, lane, kOdd[random_() % std::size(kOdd)]);
    add_others(c, group);
    return group;
  }
  // Adds layer, reference, level or bias, and gradients; for some quads equal in all lanes.
  void add_others(const Case& c, Group& group) {
    const bool by_quad = random_() % 3 == 0, by_one = random_() % 3 == 0;
    for (uint32_t lane = 0; lane < kWideLanes; lane++) {
      const uint32_t n = c.coordinates();
      if (c.op == isa::Opcode::kTxp) group.set(0, 3, lane, by_one ? 1 : uniform(0.5f, 2));
      if (c.array()) group.set(0, n, lane, uniform(-1, static_cast<float>(c.layers) + 1));
      const float level = uniform(-2, static_cast<float>(c.levels) + 1), reference = uniform(-0.2f, 1.2f);
      const bool gradients = c.op == isa::Opcode::kTxd;
      if (gradients)
        for (uint32_t i = 0; i < c.coordinates(); i++) {
          const float size = std::exp2(uniform(-9, 1));
          group.set(1, i, lane, uniform(-size, size)), group.set(2, i, lane, uniform(-size, size));
        }
      else group.set(1, 0, lane, level);
      if (c.shadow && c.dim == isa::TextureDim::kCubeArray) group.set(1, gradients ? 3 : 1, lane, reference);
      else if (c.shadow) group.set(0, c.op == isa::Opcode::kTxp ? 2 : 3, lane, reference);
      if (by_quad && lane % 4) group.source[1][0][lane] = group.source[1][0][lane & ~3u];
    }
  }
  // Integer coordinates in and around the levels.
  Group fetched_group(const Case& c) {
    Group group;
    const uint32_t size[3] = {c.width, c.height, c.depth};
    const bool same_level = random_() % 2;
    for (uint32_t lane = 0; lane < kWideLanes; lane++) {
      const uint32_t level = lane && same_level ? group.source[1][0][0] : random_() % (c.levels + 1);
      group.source[1][0][lane] = level;
      for (uint32_t i = 0; i < c.coordinates(); i++)
        group.source[0][i][lane] = random_() % (std::max(1u, size[i] >> level) + 1) - (random_() % 9 == 0);
      if (c.array()) group.source[0][c.coordinates()][lane] = random_() % (c.layers + (random_() % 8 == 0));
    }
    return group;
  }

  TestImage make_image(const Case& c) {
    TestImage image(c.format, c.tiling, c.width, c.height, c.levels, c.layers, c.depth);
    if (c.dim == isa::TextureDim::kBuffer)
      image.surface.type = arch::Surface::make_type(arch::SurfaceType::kTexelBuffer, c.tiling);
    if (c.depth > 1) image.surface.type = arch::Surface::make_type(arch::SurfaceType::k3D, c.tiling);
    if (arch::format_info(c.format).compressed) {  // any bytes are valid blocks
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

  // Words that are gathered are those that were fetched one by one.
  void check_gathered(const TestImage& image, const WideTexture& texture, const WidePlan& plan,
                      const WideFootprint& footprint, const WideTexels& texels) {
    const uint32_t words = copied_words(texture.texel);
    if (!words) return;
    uint32_t planned = plan.planned | plan.planned >> 1;
    planned |= planned >> 2;
    const auto window = image.memory.window(texture.address, texture.bytes);
    const WidePages pages{window->entries(), static_cast<uint32_t>(window->start())};
    static WideTexels gathered;
    const uint32_t quads = planned & footprint.quads;
    ASSERT_TRUE(wide_functions(GetParam()).fetch(pages, words, plan.texels, quads, footprint, gathered));
    for (uint32_t w = 0; w < words; w++)
      for (uint32_t i = 0; i < plan.texels; i++)
        for (uint32_t lane = 0; lane < kWideLanes; lane++) {
          const bool compared = (quads >> (lane & ~3u) & 1) && (plan.planned >> lane & 1);
          ASSERT_TRUE(!compared || gathered.word[w][i][lane] == texels.word[w][i][lane]) << "lane " << lane;
        }
  }

  // Samples that are taken at once are those that were taken phase by phase.
  void check_bilinear(const TestImage& image, const WideTexture& texture, const WideOperands& operands,
                      const WidePlan& expected_plan, const uint32_t expected[4][kWideLanes]) {
    const WideFunctions& functions = wide_functions(GetParam());
    static WidePlan plan;
    functions.plan(texture, operands, plan);
    if (!is_bilinear(texture, plan)) return;
    at_once_++;
    const auto window = image.memory.window(texture.address, texture.bytes);
    const WidePages pages{window->entries(), static_cast<uint32_t>(window->start())};
    alignas(64) uint32_t result[4][kWideLanes];
    const uint32_t active = random_() % 2 ? ~0u : (static_cast<uint32_t>(random_()) & 0x11111111) * 15;
    ASSERT_TRUE(functions.bilinear(texture, pages, active, plan, result));
    ASSERT_EQ(plan.planned & active, expected_plan.planned & active);
    for (uint32_t c = 0; c < 4; c++)
      for (uint32_t lane = 0; lane < kWideLanes; lane++) {
        const bool sampled = (active & plan.planned) >> lane & 1;
        ASSERT_TRUE(!sampled || result[c][lane] == expected[c][lane])
            << "component " << c << " lane " << lane;
      }
  }

  // Samples from a copy are those of the texture. More lanes may be planned.
  void check_copied(const Case& c, const TestImage& image, const arch::Sampler& sampler, const Group& group,
                    const WideOperands& operands, const WidePlan& expected_plan) {
    const TextureView view = make_texture_view(image.surface);
    const WideTexture texture = make_wide_texture(view, sampler, c.access(), c.op);
    if (!can_copy(texture)) return;
    copied_++;
    const auto read = [&](arch::Address address, uint32_t bytes, std::byte* to) {
      image.memory.read(address, to, bytes);
    };
    const std::shared_ptr<uint32_t[]> storage(new uint32_t[TexelCopy::words(view)]);
    const TexelCopy copy(view, texture, read, {storage, storage.get()});
    const WideFunctions& functions = wide_functions(GetParam());
    static WidePlan plan;
    functions.plan(texture, operands, plan);
    alignas(64) uint32_t result[4][kWideLanes];
    const uint32_t active = random_() % 2 ? ~0u : (static_cast<uint32_t>(random_()) & 0x11111111) * 15;
    functions.copy(texture, copy.rows(), active, plan, result);
    ASSERT_EQ(expected_plan.planned & active & ~plan.planned, 0u);
    plan.planned &= active;
    check_quads(c, image, sampler, group, plan, result);
    if (texture.window.possible) check_windows(c, image, sampler, group, operands, texture, copy);
  }

  // The same of samples that are taken from windows.
  void check_windows(const Case& c, const TestImage& image, const arch::Sampler& sampler, const Group& group,
                     const WideOperands& operands, const WideTexture& texture, const TexelCopy& copy) {
    static WidePlan plan;
    alignas(64) uint32_t result[4][kWideLanes];
    uint32_t level = static_cast<uint32_t>(random_()) % texture.levels;
    if (!texture.needs_lod) level = 0;
    if (!wide_functions(GetParam()).window(texture, copy.rows(), operands, level, plan, result)) return;
    from_windows_++;
    for (uint32_t lane = 0; lane < kWideLanes; lane++) {
      const bool two = plan.second >> lane & 1;
      plan.probes[lane] = 1, plan.fraction[lane] = two;
    }
    plan.by_lane = true;
    EXPECT_EQ(plan.planned, ~0u);
    check_quads(c, image, sampler, group, plan, result);
  }

  // Returns the number of planned lanes.
  uint32_t compare(const Case& c, const TestImage& image, const arch::Sampler& sampler, const Group& group) {
    const TextureView view = make_texture_view(image.surface);
    const WideTexture texture = make_wide_texture(view, sampler, c.access(), c.op);
    EXPECT_TRUE(texture.possible);
    const WideFunctions& functions = wide_functions(GetParam());
    static WidePlan plan;
    static WideFootprint footprint;
    static WideTexels texels;
    static WideAccumulator accumulator;
    alignas(64) static uint32_t result[4][kWideLanes];
    WideOperands operands;
    for (uint32_t n = 0; n < 3; n++)
      for (uint32_t i = 0; i < 4; i++) operands.source[n][i] = group.source[n][i];
    functions.plan(texture, operands, plan);
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
        check_gathered(image, texture, plan, footprint, texels);
        functions.filter(texture, plan, level, probe, footprint, texels, accumulator);
      }
    functions.finish(texture, accumulator, result);
    check_bilinear(image, texture, operands, plan, result);
    check_copied(c, image, sampler, group, operands, plan);
    check_quads(c, image, sampler, group, plan, result);
    most_probes_ = std::max(most_probes_, static_cast<int32_t>(plan.most_probes));
    return static_cast<uint32_t>(std::popcount(plan.planned));
  }

  void check_quads(const Case& c, const TestImage& image, const arch::Sampler& sampler, const Group& group,
                   const WidePlan& plan, const uint32_t result[4][kWideLanes]) {
    const TextureView view = make_texture_view(image.surface);
    for (uint32_t quad = 0; quad < kWideLanes / 4; quad++) {
      TestQuad one;
      for (uint32_t n = 0; n < 3; n++)
        for (uint32_t k = 0; k < 4; k++)
          for (uint32_t i = 0; i < 4; i++) one.operands[n][k][i] = group.source[n][k][4 * quad + i];
      const TestAccess expected = access_image(image, sampler, c.op, one, c.access());
      check_footprints(view, sampler, expected.plan);
      for (uint32_t i = 0; i < 4; i++) {
        const uint32_t lane = 4 * quad + i;
        if (!(plan.planned >> lane & 1)) continue;
        for (uint32_t k = 0; k < 4; k++)
          ASSERT_EQ(result[k][lane], expected.bits(k, i)) << "lane " << lane << " component " << k;
        EXPECT_EQ(plan.samples_of(lane), expected.plan.lane[i].samples);
      }
    }
  }

  // The texels that are found for a quad at once are those of its lanes.
  void check_footprints(const TextureView& view, const arch::Sampler& sampler, const TexturePlan& plan) {
    for (uint32_t k = 0;; k++) {
      uint32_t lanes = 0;
      for (uint32_t lane = 0; lane < kQuadLanes; lane++) lanes |= (k < plan.lane[lane].samples) << lane;
      if (!lanes) return;
      Footprint found[kQuadLanes];
      QuadFootprint quad;
      found_at_once_ += plan.by_quad && quad_footprints(view, sampler, plan, k, quad);
      texture_footprints(view, sampler, plan, lanes, k, found);
      for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
        if (!(lanes >> lane & 1)) continue;
        const Footprint one = texture_footprint(view, sampler, plan, lane, k);
        ASSERT_EQ(found[lane].texels, one.texels);
        ASSERT_EQ(found[lane].border, one.border);
        ASSERT_EQ(found[lane].missing, one.missing);
        for (uint32_t i = 0; i < one.texels; i++) {
          if (!one.in_memory(i)) continue;
          ASSERT_EQ(found[lane].location[i], one.location[i]) << "lane " << lane << " texel " << i;
          if (!view.block_format) continue;
          ASSERT_EQ(found[lane].in_block[i], one.in_block[i]);
        }
        const auto fractions = [](const Footprint& f) {
          return std::array{f.fraction_u, f.fraction_v, f.fraction_w};
        };
        ASSERT_EQ(fractions(found[lane]), fractions(one));
      }
    }
  }

  void check(const Case& c, uint32_t least_planned = 1) {
    SCOPED_TRACE(::testing::Message() << "format " << static_cast<int>(c.format) << " wrap "
                                      << static_cast<int>(c.wrap_u) << " mip " << static_cast<int>(c.mip));
    const TestImage image = make_image(c);
    arch::Sampler sampler = test_sampler(c.mag, c.mip, c.wrap_u);
    sampler.min_filter = static_cast<uint32_t>(c.min);
    sampler.wrap_v = static_cast<uint32_t>(c.wrap_v);
    sampler.max_anisotropy = c.anisotropy;
    sampler.wrap_w = static_cast<uint32_t>(c.wrap_v);
    sampler.compare = static_cast<uint32_t>(c.compare) + 1;
    sampler.flags = (c.texel_units ? arch::Sampler::kUnnormalized : 0) |
                    (c.separate_faces ? arch::Sampler::kSeparateFaces : 0);
    uint32_t planned = 0;
    for (int i = 0; i < 200 && !HasFatalFailure(); i++) {
      sampler.lod_bias = i % 3 ? 0 : uniform(-3, 3);
      sampler.min_lod = i % 5 ? 0 : uniform(0, 2);
      sampler.max_lod = i % 3 != 1 ? 1000 : uniform(0, 4);
      planned += compare(c, image, sampler,
                         c.op == isa::Opcode::kTxf ? fetched_group(c)
                         : i % 4 == 3              ? odd_group(c)
                         : i % 4 == 1              ? neighbours_group(c)
                                                   : random_group(c));
    }
    EXPECT_GE(planned, least_planned);
  }

  FloatMode mode_;
  std::mt19937 random_{5};
  int32_t most_probes_ = 1;     // maximum seen
  uint32_t at_once_ = 0;        // groups that were sampled at once
  uint32_t copied_ = 0;         // groups that were sampled from a copy
  uint32_t from_windows_ = 0;   // groups that were sampled from windows
  uint32_t found_at_once_ = 0;  // samples whose texels were found for a whole quad
};

}  // namespace cutaway::func
