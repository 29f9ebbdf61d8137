#include "func/rop/wide_blend.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

#include "func/float_mode.h"
#include "func/format/numeric.h"
#include "func/testing/alu_paths.h"

namespace cutaway::func::wide_blend_test {
namespace {

class WideBlendTest : public ::testing::TestWithParam<AluPath> {
 protected:
  void SetUp() override {
    if (!has_path(GetParam())) GTEST_SKIP() << "not on this processor";
  }

  static constexpr uint32_t kLanes = 32;
  bool odd_ = true;  // include NaN, infinite and denormal values
  float value() {
    static constexpr float kOdd[] = {0,        -0.0f,     1,   0.5f,   -1,          2,
                                     INFINITY, -INFINITY, NAN, 1e-40f, 127.5f / 255};
    if (odd_ && random_() % 8 == 0) return kOdd[random_() % std::size(kOdd)];
    return std::uniform_real_distribution<float>(-0.25f, 1.25f)(random_);
  }

  void compare(const TargetState& target) {
    ASSERT_TRUE(can_blend_wide(target));
    const uint32_t words = target.bytes / 4;
    uint32_t source[4][kLanes], element[2 * kLanes], expected[2 * kLanes];
    for (auto& component : source)
      for (uint32_t& bits : component) bits = float_bits(value());
    uint32_t nan_lanes = 0;
    for (uint32_t lane = 0; lane < kLanes; lane++) {
      for (uint32_t i = words * lane; i < words * (lane + 1); i++)
        element[i] = expected[i] = words == 1 ? static_cast<uint32_t>(random_()) : halves();
      uint32_t one[4], second[4] = {}, written[4];
      for (uint32_t c = 0; c < 4; c++) one[c] = source[c][lane];
      auto* const to = reinterpret_cast<std::byte*>(&expected[words * lane]);
      write_pixel(target, one, second, to);
      decode_texel(*target.format, to, written);
      for (const uint32_t bits : written) nan_lanes |= uint32_t{is_nan_bits(bits)} << lane;
    }
    const uint32_t* const from[4] = {source[0], source[1], source[2], source[3]};
    uint32_t before[2 * kLanes];
    std::memcpy(before, element, sizeof before);
    const uint32_t nan_results = words == 1 || !target.blend ? 0 : nan_lanes;
    const uint32_t made = wide_blend(GetParam()).wide(target, from, kLanes, element);
    ASSERT_EQ(made, ~nan_results);
    for (uint32_t i = 0; i < words * kLanes; i++)
      ASSERT_TRUE(!(made >> i / words & 1) || element[i] == expected[i]) << i / words;
    compare_sectors(target, from, before, expected, nan_results);
  }
  // The elements of two sectors that lie row by row, one of which begins within a vector of the source.
  void compare_sectors(const TargetState& target, const uint32_t* const source[4], const uint32_t* before,
                       const uint32_t* expected, uint32_t nan_lanes) {
    const uint32_t words = target.bytes / 4;
    const auto in_rows = [words](uint32_t lane) {
      return words * ((lane >> 3) * 8 + (lane >> 1 & 1) * 4 + (lane >> 2 & 1) * 2 + (lane & 1));
    };
    for (const uint32_t first : {0u, 4u}) {
      uint32_t element[2][32];
      SectorPlace place[2] = {{element[0], first, 0xffff},
                              {element[1], 16, static_cast<uint32_t>(random_() & 0xffff)}};
      for (uint32_t i = 0; i < 2; i++)
        for (uint32_t l = 0; l < 16; l++)
          std::memcpy(&element[i][in_rows(l)], &before[words * (place[i].lane + l)], target.bytes);
      const uint32_t written = wide_blend(GetParam()).sectors(target, source, place, 2);
      for (uint32_t i = 0; i < 2; i++) {
        const bool done = written >> i & 1;
        ASSERT_EQ(done, (nan_lanes >> place[i].lane & place[i].alive) == 0);
        for (uint32_t l = 0; l < 16; l++) {
          const uint32_t* const wanted = done && (place[i].alive >> l & 1) ? expected : before;
          for (uint32_t w = 0; w < words; w++)
            ASSERT_EQ(element[i][in_rows(l) + w], wanted[words * (place[i].lane + l) + w]) << l;
        }
      }
    }
  }
  uint32_t halves() {  // two
    return bits_to_half(float_bits(value())) | bits_to_half(float_bits(value() * 1e-6f)) << 16;
  }

  ColorRegisters registers(arch::Format format) {
    ColorRegisters r{};
    r.target[0].surface.format = static_cast<uint32_t>(format);
    r.target[0].write_mask = 15;
    for (float& c : r.blend_constant) c = value();
    return r;
  }

  FloatMode mode_;
  std::mt19937 random_{7};
};

TEST_P(WideBlendTest, ReplacedPixelsAgree) {
  for (const auto format :
       {arch::Format::R8G8B8A8_UNORM, arch::Format::B8G8R8A8_UNORM, arch::Format::R16G16B16A16_SFLOAT})
    for (int i = 0; i < 200; i++) compare(make_target_state(registers(format), 0));
}

TEST_P(WideBlendTest, EveryHalfAndEveryRoundingAgrees) {
  const TargetState replace = make_target_state(registers(arch::Format::R16G16B16A16_SFLOAT), 0);
  uint32_t source[4][kLanes], element[2 * kLanes];
  const uint32_t* const from[4] = {source[0], source[1], source[2], source[3]};
  const auto check = [&] {
    ASSERT_EQ(wide_blend(GetParam()).wide(replace, from, kLanes, element), ~0u);
    for (uint32_t i = 0; i < 4 * kLanes; i++)
      ASSERT_EQ(element[i / 2] >> (i % 2 * 16) & 0xffff, bits_to_half(source[i % 4][i / 4]))
          << std::hex << source[i % 4][i / 4];
  };
  // Around every half: itself, the midpoint to the next one and its neighbours.
  for (uint32_t half = 0; half < 0x10000; half += kLanes)
    for (uint32_t rest : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x1fffu}) {
      for (uint32_t i = 0; i < 4 * kLanes; i++)
        source[i % 4][i / 4] = (half_to_bits(half + i / 4) & ~0x1fffu) + rest;
      ASSERT_NO_FATAL_FAILURE(check());
    }
  for (int round = 0; round < 20000; round++) {
    for (auto& component : source)
      for (uint32_t& bits : component) bits = static_cast<uint32_t>(random_());
    ASSERT_NO_FATAL_FAILURE(check());
  }
}

TEST_P(WideBlendTest, EveryFactorAndOperationAgrees) {
  constexpr auto kFactors = static_cast<uint32_t>(arch::BlendFactor::kSrcAlphaSaturate) + 1;
  for (const auto format :
       {arch::Format::R8G8B8A8_UNORM, arch::Format::B8G8R8A8_UNORM, arch::Format::R16G16B16A16_SFLOAT})
    for (uint32_t source = 0; source < kFactors; source++)
      for (uint32_t destination = 0; destination < kFactors; destination++)
        for (uint32_t op = 0; op < 5; op++) {
          ColorRegisters r = registers(format);
          auto& t = r.target[0];
          t.blend = 1;
          t.color_source = source, t.color_destination = destination, t.color_op = op;
          t.alpha_source = random_() % kFactors, t.alpha_destination = random_() % kFactors;
          t.alpha_op = random_() % 5;
          if (source % 2) t.alpha_source = source, t.alpha_destination = destination, t.alpha_op = op;
          SCOPED_TRACE(::testing::Message() << "factors " << source << ' ' << destination << " op " << op);
          for (const bool odd : {true, false}) {
            odd_ = odd;
            compare(make_target_state(r, 0));
          }
        }
}

TEST_P(WideBlendTest, OtherTargetsAreLeftToPixels) {
  ColorRegisters r = registers(arch::Format::R8G8B8A8_UNORM);
  r.target[0].write_mask = 7;
  EXPECT_FALSE(can_blend_wide(make_target_state(r, 0)));
  r.target[0].write_mask = 15;
  EXPECT_FALSE(can_blend_wide(make_target_state(r, 0, true)));
  r.target[0].surface.format = static_cast<uint32_t>(arch::Format::R8G8B8A8_SRGB);
  EXPECT_FALSE(can_blend_wide(make_target_state(r, 0)));
}

CUTAWAY_ALL_PATHS(WideBlendTest);

}  // namespace
}  // namespace cutaway::func::wide_blend_test
