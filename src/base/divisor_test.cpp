#include "base/divisor.h"

#include <gtest/gtest.h>

namespace cutaway {
namespace {

TEST(Divisor, DividesAsDivisionDoes) {
  for (const uint64_t by : {1u, 2u, 3u, 5u, 64u, 192u, 256u, 1000u})
    for (const uint64_t number :
         {uint64_t{0}, uint64_t{1}, by - 1, by, by + 1, 7 * by + by / 2, ~uint64_t{0}}) {
      const Divisor divisor(by);
      EXPECT_EQ(divisor.quotient(number), number / by) << number << " / " << by;
      EXPECT_EQ(divisor.remainder(number), number % by) << number << " % " << by;
      EXPECT_EQ(divisor.floor(number), number / by * by) << number << ", " << by;
      EXPECT_EQ(quotient_of(number, by), number / by) << number << " / " << by;
      EXPECT_EQ(remainder_of(number, by), number % by) << number << " % " << by;
    }
}

}  // namespace
}  // namespace cutaway
