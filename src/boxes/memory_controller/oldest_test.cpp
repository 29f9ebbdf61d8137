#include "boxes/memory_controller/oldest.h"

#include <gtest/gtest.h>

namespace cutaway::boxes {
namespace {

using Front = ChannelScheduler::Front;
constexpr Front kNothing, kRead{Front::Kind::kRead}, kWrite{Front::Kind::kWrite};

TEST(Oldest, ServesInTheOrderInWhichTransactionsCame) {
  Oldest scheduler(100, 4);
  const unsigned came[] = {5, 99, 5, 0, 99, 5};
  for (const unsigned client : came) scheduler.arrived(client, client == 99 ? kWrite : kRead);
  for (const unsigned client : came) {
    ASSERT_EQ(scheduler.pick(0), client);
    scheduler.served(client, client == 99, kRead);
  }
}

TEST(Oldest, WhoComesAgainStandsBehindTheOthers) {
  Oldest scheduler(2, 2);
  scheduler.arrived(0, kRead), scheduler.arrived(1, kWrite);
  scheduler.served(scheduler.pick(0), false, kNothing);
  scheduler.arrived(0, kRead);
  EXPECT_EQ(scheduler.pick(0), 1u);
  scheduler.served(1, true, kNothing);
  EXPECT_EQ(scheduler.pick(0), 0u);
}

// Room for every client's queue.
TEST(Oldest, HoldsAllThatMayWait) {
  Oldest scheduler(3, 5);
  for (unsigned i = 0; i < 15; i++) scheduler.arrived(i / 5, kRead);
  for (unsigned i = 0; i < 15; i++) {
    EXPECT_EQ(scheduler.pick(0), i / 5);
    scheduler.served(scheduler.pick(0), false, kRead);
  }
}

}  // namespace
}  // namespace cutaway::boxes
