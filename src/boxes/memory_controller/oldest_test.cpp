#include "boxes/memory_controller/oldest.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::oldest_test {
namespace {

using Pick = ChannelScheduler::Pick;
constexpr ChannelScheduler::Waiting kRead, kWrite{.write = true};

TEST(Oldest, ServesInTheOrderInWhichTransactionsCame) {
  Oldest scheduler(100, 4);
  const unsigned came[] = {5, 99, 5, 0, 99, 5};
  for (const unsigned client : came) scheduler.arrived(client, client == 99 ? kWrite : kRead);
  for (const unsigned client : came) {
    ASSERT_EQ(scheduler.pick(0), Pick{client});
    scheduler.served({client});
  }
}

TEST(Oldest, LaterTransactionsQueueBehindOthers) {
  Oldest scheduler(2, 2);
  scheduler.arrived(0, kRead), scheduler.arrived(1, kWrite);
  scheduler.served(scheduler.pick(0));
  scheduler.arrived(0, kRead);
  EXPECT_EQ(scheduler.pick(0), Pick{1});
  scheduler.served({1});
  EXPECT_EQ(scheduler.pick(0), Pick{0});
}

// Capacity for every client's queue.
TEST(Oldest, HoldsAllThatMayWait) {
  Oldest scheduler(3, 5);
  for (unsigned i = 0; i < 15; i++) scheduler.arrived(i / 5, kRead);
  for (unsigned i = 0; i < 15; i++) {
    EXPECT_EQ(scheduler.pick(0), Pick{i / 5});
    scheduler.served(scheduler.pick(0));
  }
}

}  // namespace
}  // namespace cutaway::boxes::oldest_test
