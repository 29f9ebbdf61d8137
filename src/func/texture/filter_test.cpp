#include <algorithm>
#include <gtest/gtest.h>
#include <random>

#include "func/float_mode.h"
#include "func/texture/image_for_test.h"
#include "func/texture/quad_footprint.h"

namespace cutaway::func::filter_test {
namespace {

// The weighted sum of bytes is an integer; only its division by the sum of the weights, times 255, rounds.
TEST(FilterTest, WeighsBytesExactly) {
  const FloatMode mode;
  std::mt19937 random{3};
  for (const auto format : {arch::Format::R8G8B8A8_UNORM, arch::Format::B8G8R8A8_UNORM}) {
    const TestImage image(format, arch::Tiling::kTiled, 8, 8);
    const TextureView view = make_texture_view(image.surface);
    TexturePlan plan;
    plan.kind = TexturePlan::Kind::kFiltered;
    plan.lane[2].linear = true;
    for (int i = 0; i < 20000; i++) {
      std::array<std::array<uint8_t, 4>, 4> texel;
      for (auto& channels : texel)
        for (auto& channel : channels) channel = static_cast<uint8_t>(i % 5 ? random() : random() % 2 * 255);
      Footprint footprint;
      footprint.texels = 4;
      footprint.fraction_u = static_cast<uint8_t>(i % 3 ? random() : 0);
      footprint.fraction_v = static_cast<uint8_t>(i % 7 ? random() : 255);
      FetchedSample sample{.lane = 2, .k = 0, .shape = &footprint, .texel = {}};
      for (uint32_t n = 0; n < 4; n++) sample.texel[n] = reinterpret_cast<const std::byte*>(texel[n].data());
      std::array<TexelAccumulator, kQuadLanes> accumulators;
      filter_samples(view, {}, plan, {&sample, 1}, accumulators);
      for (uint32_t c = 0; c < 4; c++) {
        const uint32_t channel = format == arch::Format::B8G8R8A8_UNORM && c < 3 ? 2 - c : c;
        const uint32_t u = footprint.fraction_u, v = footprint.fraction_v;
        const uint32_t sum = (texel[0][channel] * (256 - u) + texel[1][channel] * u) * (256 - v) +
                             (texel[2][channel] * (256 - u) + texel[3][channel] * u) * v;
        const float expected = static_cast<float>(sum / (255.0 * 65536));
        ASSERT_EQ(accumulators[2].value[c], float_bits(expected)) << "component " << c;
      }
    }
  }
}

// All lanes at once: of formats that have a filter of their own and of others, of two levels, of several
// probes, and with a comparison.
TEST(FilterTest, FiltersAQuadLikeItsLanes) {
  const FloatMode mode;
  std::mt19937 random{7};
  for (const auto format : {arch::Format::R8G8B8A8_UNORM, arch::Format::B8G8R8A8_UNORM,
                            arch::Format::R16G16B16A16_SFLOAT, arch::Format::R8_UNORM})
    for (int i = 0; i < 2000; i++) {
      const TestImage image(format, arch::Tiling::kTiled, 8, 8);
      const TextureView view = make_texture_view(image.surface);
      TexturePlan plan;
      plan.kind = TexturePlan::Kind::kFiltered;
      plan.compare = i % 9 == 0 ? 1 + static_cast<uint8_t>(arch::Compare::kLess) : 0;
      for (LanePlan& lane : plan.lane) {
        lane.linear = true;
        lane.reference = 0.5f;
        lane.probes = i % 7 == 0 ? 2 : 1;
        lane.level_fraction = static_cast<uint8_t>(i % 5 ? 37 * i : 0);
      }
      std::array<TexelAccumulator, kQuadLanes> of_quad, of_lanes;
      for (uint32_t k = 0; k < 2u * plan.lane[0].probes; k++) {
        std::array<std::array<std::byte, 64>, 4> bytes;
        for (auto& of_line : bytes)
          for (std::byte& byte : of_line) byte = static_cast<std::byte>(random() & 0x7b);
        const std::byte* line[4];
        for (uint32_t n = 0; n < 4; n++) line[n] = bytes[n].data();
        uint8_t line_of[16];
        uint16_t offset[16];
        for (uint32_t n = 0; n < 16; n++)
          line_of[n] = static_cast<uint8_t>(random() % 4), offset[n] = static_cast<uint16_t>(random() % 57);
        QuadShape shape;
        for (uint32_t& fraction : shape.fractions) fraction = random() & 0xffff;
        const FetchedQuad quad{k, &shape, line, line_of, offset};
        filter_quad(view, {}, plan, quad, of_quad);
        for (uint32_t lane = 0; lane < kQuadLanes; lane++) {
          const FootprintShape footprint{.fraction_u = static_cast<uint8_t>(shape.fractions[lane]),
                                         .fraction_v = static_cast<uint8_t>(shape.fractions[lane] >> 8),
                                         .texels = 4};
          FetchedSample sample{.lane = lane, .k = k, .shape = &footprint, .texel = {}};
          for (uint32_t t = 0; t < 4; t++) sample.texel[t] = quad.texel(4 * lane + t);
          filter_samples(view, {}, plan, {&sample, 1}, of_lanes);
        }
      }
      for (uint32_t lane = 0; lane < kQuadLanes; lane++)
        for (uint32_t c = 0; c < 4; c++)
          ASSERT_EQ(of_quad[lane].value[c], of_lanes[lane].value[c]) << i << " lane " << lane;
    }
}

}  // namespace
}  // namespace cutaway::func::filter_test
