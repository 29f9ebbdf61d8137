#include "boxes/memory_controller/same_direction.h"

#include <gtest/gtest.h>
#include <vector>

namespace cutaway::boxes {
namespace {

using Front = ChannelScheduler::Front;

// Serves as many as asked for; every client has more of what it had.
std::vector<unsigned> order(ChannelScheduler& scheduler, const std::vector<Front>& fronts, unsigned count) {
  for (unsigned client = 0; client < fronts.size(); client++)
    if (fronts[client].kind != Front::Kind::kNothing) scheduler.arrived(client, fronts[client]);
  std::vector<unsigned> served;
  for (unsigned i = 0; i < count; i++) {
    const unsigned client = scheduler.pick(0);
    scheduler.served(client, fronts[client].kind == Front::Kind::kWrite, fronts[client]);
    served.push_back(client);
  }
  return served;
}

constexpr Front R{Front::Kind::kRead}, W{Front::Kind::kWrite}, N;

TEST(SameDirection, ReadersTakeTurns) {
  SameDirection scheduler(4, 100);
  EXPECT_EQ(order(scheduler, {R, N, R, R}, 7), (std::vector<unsigned>{0, 2, 3, 0, 2, 3, 0}));
}

TEST(SameDirection, TurnsAroundAfterAsManyAsDeclared) {
  SameDirection three(2, 3);
  EXPECT_EQ(order(three, {R, W}, 9), (std::vector<unsigned>{0, 0, 0, 1, 1, 1, 0, 0, 0}));
  SameDirection one(2, 1);
  EXPECT_EQ(order(one, {W, R}, 4), (std::vector<unsigned>{1, 0, 1, 0}));
}

// The bus begins as one that has read; a run goes on while nobody wants the other direction.
TEST(SameDirection, StaysAsLongAsNobodyElseWaits) {
  SameDirection scheduler(3, 2);
  EXPECT_EQ(order(scheduler, {R, N, N}, 5), (std::vector<unsigned>{0, 0, 0, 0, 0}));
  scheduler.arrived(2, W);
  EXPECT_EQ(scheduler.pick(0), 2u);  // it has waited for longer than two already
  scheduler.served(2, true, N);
  EXPECT_EQ(scheduler.pick(0), 0u);
}

TEST(SameDirection, ServesWhoeverIsLeft) {
  SameDirection scheduler(3, 8);
  scheduler.arrived(1, R), scheduler.arrived(2, W);
  EXPECT_EQ(scheduler.pick(0), 1u);
  scheduler.served(1, false, W);  // a write stood behind its read
  EXPECT_EQ(scheduler.pick(0), 2u);
  scheduler.served(2, true, N);
  EXPECT_EQ(scheduler.pick(0), 1u);
}

// As many clients as there are, in more words than one.
TEST(SameDirection, TurnsGoRoundAmongAnyNumberOfClients) {
  SameDirection scheduler(150, 1000);
  const auto served = order(scheduler, std::vector<Front>(150, R), 450);
  for (unsigned i = 0; i < 450; i++) EXPECT_EQ(served[i], i % 150);
}

}  // namespace
}  // namespace cutaway::boxes
