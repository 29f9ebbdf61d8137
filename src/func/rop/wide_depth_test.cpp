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
  for (const auto format : {D24_UNORM_S8_UINT, X8_D24_UNORM_PACK32, D32_SFLOAT})
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
          stored[i] = quantise_depth(state, there) | (state.depth_float ? 0 : (random_() & 255) << 24);
          element[i] = static_cast<uint32_t>(stored[i]);
        }
        const uint64_t covered = uint64_t{random_()} << 32 | random_();
        const uint64_t passed =
            depth_test_wide_function(GetParam())(state, z, kLanes, covered, element, element);
        for (uint32_t i = 0; i < kLanes; i += 4) {
          const DepthResult expected = depth_stencil(state, true, covered >> i & 15, z + i, stored + i);
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
  registers.stencil_test = 0;
  registers.bounds_test = 1;
  EXPECT_FALSE(can_test_wide(make_depth_state(registers)));
  registers.bounds_test = 0;
  registers.surface.format = static_cast<uint32_t>(arch::Format::D16_UNORM);
  EXPECT_FALSE(can_test_wide(make_depth_state(registers)));
}

CUTAWAY_ALL_PATHS(WideDepthTest);

}  // namespace
}  // namespace cutaway::func::wide_depth_test
