#include "func/texture/wrap.h"

#include <gtest/gtest.h>
#include <vector>

namespace cutaway::func {
namespace {

using arch::Wrap;

std::vector<int64_t> row(Wrap mode, int64_t size, int64_t from, int64_t to) {
  std::vector<int64_t> out;
  for (int64_t i = from; i <= to; i++) out.push_back(wrap_texel(static_cast<uint32_t>(mode), i, size));
  return out;
}

using Row = std::vector<int64_t>;

TEST(Wrap, EveryModeAroundALevelOfThreeTexels) {  // Vulkan "Wrapping Operation"
  EXPECT_EQ(row(Wrap::kRepeat, 3, -4, 7), (Row{2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1}));
  EXPECT_EQ(row(Wrap::kMirroredRepeat, 3, -4, 7), (Row{2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1}));
  EXPECT_EQ(row(Wrap::kClampToEdge, 3, -2, 4), (Row{0, 0, 0, 1, 2, 2, 2}));
  EXPECT_EQ(row(Wrap::kClampToBorder, 3, -2, 4), (Row{-1, -1, 0, 1, 2, -1, -1}));
  EXPECT_EQ(row(Wrap::kMirrorClampToEdge, 3, -5, 4), (Row{2, 2, 2, 1, 0, 0, 1, 2, 2, 2}));
}

TEST(Wrap, StaysInsideForFarCoordinates) {
  for (uint32_t mode = 0; mode < 7; mode++)
    for (int64_t size : {1, 2, 3, 5, 16384})
      for (int64_t i : {-(int64_t{1} << 40), int64_t{-1}, int64_t{0}, (int64_t{1} << 40) + 7}) {
        const int64_t texel = wrap_texel(mode, i, size);
        EXPECT_LT(texel, size);
        EXPECT_GE(texel, mode == 3 ? -1 : 0);
      }
}

}  // namespace
}  // namespace cutaway::func
