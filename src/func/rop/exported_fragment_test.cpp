#include "func/rop/exported_fragment.h"

#include <gtest/gtest.h>
#include <limits>

namespace cutaway::func {
namespace {

using arch::Compare;

constexpr uint32_t kNotLess = arch::kShaderDepthNotLess, kNotGreater = arch::kShaderDepthNotGreater;

arch::Registers exporting(uint32_t promise, Compare compare = Compare::kLess, uint32_t samples = 1) {
  arch::Registers registers{};
  registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags = arch::kShaderWritesDepth | promise;
  registers.depth.depth_compare = static_cast<uint32_t>(compare);
  registers.raster.samples = samples;
  return registers;
}

float kept(uint32_t promise, float exported, uint32_t samples = 1) {
  return promised_depth(arch::depth_promise(exporting(promise, Compare::kLess, samples)), 0.5f, exported);
}

TEST(ExportedFragment, DepthsThatBreakThePromiseAreReplaced) {
  for (const float z : {0.25f, 0.5f, 0.75f}) {
    EXPECT_EQ(kept(0, z), z);
    EXPECT_EQ(kept(kNotLess, z), std::max(z, 0.5f));
    EXPECT_EQ(kept(kNotGreater, z), std::min(z, 0.5f));
    EXPECT_EQ(kept(kNotLess | kNotGreater, z), 0.5f);
    EXPECT_EQ(kept(kNotLess | kNotGreater, z, 4), z) << "several samples";
  }
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(kept(kNotLess, kNan), 0.5f);
  const auto of_nan = promised_depth(arch::depth_promise(exporting(kNotLess)), kNan, 0.5f);
  EXPECT_NE(of_nan, of_nan) << "fails late as it fails early";
}

// For each promise and comparison: where the early test of the interpolated depth may reject, no exported
// depth that keeps the promise passes.
TEST(ExportedFragment, TheInterpolatedDepthRejectsOnlyWhatNoPromisedDepthPasses) {
  const auto passes = [](Compare compare, float z, float stored) {
    return (compare == Compare::kLess && z < stored) || (compare == Compare::kLessOrEqual && z <= stored) ||
           (compare == Compare::kEqual && z == stored) || (compare == Compare::kGreater && z > stored) ||
           (compare == Compare::kGreaterOrEqual && z >= stored);
  };
  int rejecting = 0;
  for (const uint32_t promise : {0u, kNotLess, kNotGreater, kNotLess | kNotGreater})
    for (const Compare compare : {Compare::kLess, Compare::kLessOrEqual, Compare::kEqual, Compare::kGreater,
                                  Compare::kGreaterOrEqual}) {
      const arch::Registers registers = exporting(promise, compare);
      bool safe = true;
      for (float stored = 0; stored <= 1; stored += 0.125f)
        for (float z = 0; z <= 1; z += 0.125f)
          for (float exported = 0; exported <= 1; exported += 0.125f) {
            const float tested = promised_depth(arch::depth_promise(registers), z, exported);
            safe &= passes(compare, z, stored) || !passes(compare, tested, stored);
          }
      EXPECT_EQ(arch::interpolated_depth_rejects(registers), safe) << promise << static_cast<int>(compare);
      rejecting += safe;
      EXPECT_FALSE(arch::interpolated_depth_rejects(exporting(promise, compare, 4)));
    }
  EXPECT_EQ(rejecting, 2 + 2 + 5);
  EXPECT_TRUE(arch::interpolated_depth_rejects({})) << "exports none";
}

}  // namespace
}  // namespace cutaway::func
