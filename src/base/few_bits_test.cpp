#include "base/few_bits.h"

#include <bit>
#include <gtest/gtest.h>

namespace cutaway {
namespace {

TEST(FewBitsTest, CountsTheOnesOfEveryMask) {
  for (uint32_t mask = 0; mask < 16; mask++)
    EXPECT_EQ(count_of_four(mask), static_cast<uint32_t>(std::popcount(mask)));
}

}  // namespace
}  // namespace cutaway
