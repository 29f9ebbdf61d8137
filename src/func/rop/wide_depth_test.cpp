#include "func/rop/wide_depth.h"

#include <gtest/gtest.h>
#include <random>

#include "func/float_mode.h"
#include "func/format/numeric.h"
#include "func/testing/alu_paths.h"

namespace cutaway::func::wide_depth_test {
namespace {

class WideDepthTest : public ::testing::TestWithParam<AluPath> {
 protected:
  void SetUp() override {
    if (!has_path(GetParam())) GTEST_SKIP() << "not on this processor";
  }
  FloatMode mode_;
  std::mt19937 random_{11};
};

TEST_P(WideDepthTest, EveryComparisonOfEveryFormatAgrees) {
  static constexpr float kOdd[] = {0, -0.0f, 1, -1, 2, INFINITY, -INFINITY, NAN, 1e-40f, 0.5f};
  constexpr uint32_t kLanes = 64;
  using enum arch::Format;
  for (const auto format : {D24_UNORM_S8_UINT, X8_D24_UNORM_PACK32, D32_SFLOAT, D16_UNORM})
    for (uint32_t compare = 0; compare < 8; compare++)
      for (int round = 0; round < 100; round++) {
        SCOPED_TRACE(::testing::Message() << "format " << static_cast<int>(format) << " compare " << compare);
        DepthRegisters registers{};
        registers.surface.format = static_cast<uint32_t>(format);
        registers.depth_test = 1, registers.depth_write = round % 3 != 0, registers.depth_compare = compare;
        const DepthState state = make_depth_state(registers);
        ASSERT_TRUE(can_test_wide(state));
        float z[kLanes];
        uint32_t element[kLanes];
        uint64_t stored[kLanes];
        for (uint32_t i = 0; i < kLanes; i++) {
          z[i] = std::uniform_real_distribution<float>(-0.1f, 1.1f)(random_);
          if (random_() % 8 == 0) z[i] = kOdd[random_() % std::size(kOdd)];
          float there = random_() % 2 ? z[i] : std::uniform_real_distribution<float>(0, 1)(random_);
          stored[i] = quantise_depth(state, there);
          if (state.depth_bits == 24) stored[i] |= (random_() & 255) << 24;
          element[i] = static_cast<uint32_t>(stored[i]);
        }
        const uint64_t covered = uint64_t{random_()} << 32 | random_();
        const uint64_t passed = wide_depth(GetParam()).depth(state, z, kLanes, covered, element, element);
        for (uint32_t i = 0; i < kLanes; i += 4) {
          const DepthResult expected = depth_stencil(state, true, covered >> i & 15, z + i, stored + i);
          ASSERT_EQ(passed >> i & 15, expected.pass);
          for (uint32_t l = 0; l < 4; l++) ASSERT_EQ(element[i + l], expected.element[l]);
        }
      }
}

TEST_P(WideDepthTest, EveryStencilOperationAgrees) {
  constexpr uint32_t kLanes = 64;
  const auto below = [&](uint32_t end) { return static_cast<uint32_t>(random_() % end); };
  for (uint32_t round = 0; round < 6000; round++) {
    DepthRegisters registers{};
    registers.surface.format = static_cast<uint32_t>(arch::Format::D24_UNORM_S8_UINT);
    registers.depth_test = round % 4 != 0, registers.depth_write = below(2);
    registers.depth_compare = below(8);
    registers.stencil_test = 1;
    for (arch::StencilFace* face : {&registers.front, &registers.back}) {
      const auto mask = [&] { return below(3) ? 255u : below(1 << 16); };
      *face = {.fail = below(8),
               .depth_fail = below(8),
               .pass = below(8),
               .compare = below(8),
               .reference = below(3) ? below(4) : below(1 << 16),
               .read_mask = mask(),
               .write_mask = mask()};
    }
    const DepthState state = make_depth_state(registers);
    ASSERT_TRUE(can_test_stencil_wide(state));
    float z[kLanes];
    uint32_t element[kLanes];
    uint64_t stored[kLanes];
    static constexpr uint32_t kEdges[] = {0, 1, 2, 3, 254, 255};
    for (uint32_t i = 0; i < kLanes; i++) {
      z[i] = static_cast<float>(below(5)) / 4;
      const uint32_t stencil = below(4) ? kEdges[below(6)] : below(256);
      stored[i] = quantise_depth(state, static_cast<float>(below(5)) / 4) | stencil << 24;
      element[i] = static_cast<uint32_t>(stored[i]);
    }
    const uint64_t covered = uint64_t{random_()} << 32 | random_();
    const bool front = below(2);
    const uint64_t passed =
        wide_depth(GetParam()).stencil(state, front, z, kLanes, covered, element, element);
    for (uint32_t i = 0; i < kLanes; i += 4) {
      const DepthResult expected = depth_stencil(state, front, covered >> i & 15, z + i, stored + i);
      ASSERT_EQ(passed >> i & 15, expected.pass);
      for (uint32_t l = 0; l < 4; l++) ASSERT_EQ(element[i + l], expected.element[l]);
    }
  }
}

TEST_P(WideDepthTest, OtherStatesAreLeftToQuads) {
  DepthRegisters registers{};
  registers.surface.format = static_cast<uint32_t>(arch::Format::D24_UNORM_S8_UINT);
  registers.depth_test = 1;
  EXPECT_TRUE(can_test_wide(make_depth_state(registers)));
  registers.stencil_test = 1;
  EXPECT_FALSE(can_test_wide(make_depth_state(registers)));
  EXPECT_TRUE(can_test_stencil_wide(make_depth_state(registers)));
  registers.bounds_test = 1;
  EXPECT_FALSE(can_test_stencil_wide(make_depth_state(registers)));
  registers.surface.format = static_cast<uint32_t>(arch::Format::D32_SFLOAT_S8_UINT);
  registers.bounds_test = 0;
  EXPECT_FALSE(can_test_stencil_wide(make_depth_state(registers)));
  registers.surface.format = static_cast<uint32_t>(arch::Format::D24_UNORM_S8_UINT);
  registers.stencil_test = 0;
  EXPECT_FALSE(can_test_stencil_wide(make_depth_state(registers)));
  registers.bounds_test = 1;
  EXPECT_FALSE(can_test_wide(make_depth_state(registers)));
  registers.surface.format = static_cast<uint32_t>(arch::Format::D16_UNORM);
  EXPECT_FALSE(can_test_wide(make_depth_state(registers)));
  registers.bounds_test = 0;
  EXPECT_TRUE(can_test_wide(make_depth_state(registers)));
}

CUTAWAY_ALL_PATHS(WideDepthTest);

}  // namespace
}  // namespace cutaway::func::wide_depth_test
