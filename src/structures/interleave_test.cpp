#include "structures/interleave.h"

#include <gtest/gtest.h>
#include <vector>

namespace cutaway::structures {
namespace {

TEST(Interleave, SpreadsRunsOfBytesInTurn) {
  const Interleave three{3, 256};
  EXPECT_EQ(three.unit_of(0), 0u);
  EXPECT_EQ(three.unit_of(255), 0u);
  EXPECT_EQ(three.unit_of(256), 1u);
  EXPECT_EQ(three.unit_of(767), 2u);
  EXPECT_EQ(three.unit_of(768), 0u);
  EXPECT_EQ(three.own(767), 255u);
  EXPECT_EQ(three.own(768), 256u);
  EXPECT_EQ(three.whole(255, 2), 767u);
}

// Each unit's own addresses are 0, 64, 128 ..., and map back to the originals.
TEST(Interleave, OwnAddressesAreWithoutGaps) {
  for (const unsigned units : {1u, 2u, 3u, 16u})
    for (const unsigned bytes : {64u, 192u, 4096u}) {
      const Interleave interleave{units, bytes};
      std::vector<arch::Address> next(units);
      for (arch::Address address = 0; address < arch::Address{4} * units * bytes; address += 64) {
        const unsigned unit = interleave.unit_of(address);
        ASSERT_LT(unit, units);
        EXPECT_EQ(interleave.own(address), next[unit]);
        EXPECT_EQ(interleave.whole(next[unit], unit), address);
        next[unit] += 64;
      }
      EXPECT_EQ(next, std::vector<arch::Address>(units, 4 * bytes));
    }
}

TEST(Interleave, AddressesAreOf64Bits) {
  const Interleave interleave{3, 256};
  const arch::Address far = 0x123'4567'89ab'cd40;
  EXPECT_EQ(interleave.whole(interleave.own(far), interleave.unit_of(far)), far);
}

}  // namespace
}  // namespace cutaway::structures
