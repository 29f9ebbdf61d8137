#include "base/in_round.h"

#include <gtest/gtest.h>

namespace cutaway {
namespace {

TEST(InRound, IsTheRemainderOfTheSum) {
  for (unsigned count = 1; count < 9; count++)
    for (unsigned from = 0; from < count; from++)
      for (unsigned n = 0; n < count; n++) EXPECT_EQ(in_round(from, n, count), (from + n) % count);
}

}  // namespace
}  // namespace cutaway
