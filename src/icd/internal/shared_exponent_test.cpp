#include "icd/internal/shared_exponent.h"

#include <array>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "func/format/texel.h"
#include "icd/vulkan.h"

namespace cutaway::icd {
namespace {

TEST(SharedExponent, PacksAsTheSpecificationSays) {
  const auto pack = [](float r, float g, float b) { return to_shared_exponent(std::array{r, g, b}.data()); };
  EXPECT_EQ(pack(0, 0, 0), 0u);
  // 1 = 256 x 2^(16 - 15 - 9)
  EXPECT_EQ(pack(1, 0.5f, 0.25f), 256u | 128u << 9 | 64u << 18 | 16u << 27);
  // The mantissa of the largest component rounds up to 2^9: the next exponent.
  EXPECT_EQ(pack(511.75f, 0, 1), 256u | 0u << 9 | 1u << 18 | 25u << 27);
  EXPECT_EQ(pack(65408, 65408, 65408), 511u | 511u << 9 | 511u << 18 | 31u << 27);
  EXPECT_EQ(pack(1e30f, -1, std::numeric_limits<float>::quiet_NaN()), 511u | 31u << 27);
  EXPECT_EQ(pack(std::ldexp(1.0f, -24), 0, 0), 1u);  // the least above 0
  EXPECT_EQ(pack(std::ldexp(1.0f, -26), 0, 0), 0u);
}

// The units decode the packed values, to half a step of the mantissas.
TEST(SharedExponent, SurvivesTheUnitsDecoder) {
  const arch::FormatInfo& format = arch::format_info(VK_FORMAT_E5B9G9R9_UFLOAT_PACK32);
  for (int i = -14; i < 16; i++) {
    const float color[3] = {std::ldexp(1.37f, i), std::ldexp(1.99f, i - 2), std::ldexp(1.01f, i - 1)};
    const uint32_t texel = to_shared_exponent(color);
    uint32_t decoded[4];
    func::decode_texel(format, reinterpret_cast<const std::byte*>(&texel), decoded);
    for (int c = 0; c < 3; c++)
      EXPECT_NEAR(std::bit_cast<float>(decoded[c]), color[c], std::ldexp(1.0f, i - 9)) << i << " " << c;
  }
}

}  // namespace
}  // namespace cutaway::icd
