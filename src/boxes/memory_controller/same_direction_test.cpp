#include "boxes/memory_controller/same_direction.h"

#include <gtest/gtest.h>
#include <vector>

namespace cutaway::boxes::same_direction_test {
namespace {

using Pick = ChannelScheduler::Pick;
enum class Has { kNothing, kReads, kWrites };
constexpr Has N = Has::kNothing, R = Has::kReads, W = Has::kWrites;

SameDirection scheduler_of(unsigned clients, unsigned most) {
  return {clients, {.queue = 4, .same_direction = most}};
}

void arrive(ChannelScheduler& scheduler, unsigned client, Has what) {
  if (what != N) scheduler.arrived(client, {.write = what == W});
}

// Serves the requested number; every client has an endless supply of its kind.
std::vector<unsigned> order(ChannelScheduler& scheduler, const std::vector<Has>& clients, unsigned count) {
  for (unsigned client = 0; client < clients.size(); client++) {
    arrive(scheduler, client, clients[client]);
    arrive(scheduler, client, clients[client]);
  }
  std::vector<unsigned> served;
  for (unsigned i = 0; i < count; i++) {
    const Pick pick = scheduler.pick(0);
    EXPECT_EQ(pick.position, 0u);
    scheduler.served(pick);
    arrive(scheduler, pick.client, clients[pick.client]);
    served.push_back(pick.client);
  }
  return served;
}

TEST(SameDirection, ReadersTakeTurns) {
  SameDirection scheduler = scheduler_of(4, 100);
  EXPECT_EQ(order(scheduler, {R, N, R, R}, 7), (std::vector<unsigned>{0, 2, 3, 0, 2, 3, 0}));
}

TEST(SameDirection, TurnsAroundAfterTheDeclaredNumber) {
  SameDirection three = scheduler_of(2, 3);
  EXPECT_EQ(order(three, {R, W}, 9), (std::vector<unsigned>{0, 0, 0, 1, 1, 1, 0, 0, 0}));
  SameDirection one = scheduler_of(2, 1);
  EXPECT_EQ(order(one, {W, R}, 4), (std::vector<unsigned>{1, 0, 1, 0}));
}

// The bus starts in the read direction; a run continues while nobody needs the other direction.
TEST(SameDirection, KeepsTheDirectionWhileUnopposed) {
  SameDirection scheduler = scheduler_of(3, 2);
  EXPECT_EQ(order(scheduler, {R, N, N}, 5), (std::vector<unsigned>{0, 0, 0, 0, 0}));
  arrive(scheduler, 2, W);
  EXPECT_EQ(scheduler.pick(0), Pick{2});  // it has waited longer than client 2 already
  scheduler.served({2});
  EXPECT_EQ(scheduler.pick(0), Pick{0});
}

TEST(SameDirection, ServesTheRemainingClients) {
  SameDirection scheduler = scheduler_of(3, 8);
  arrive(scheduler, 1, R), arrive(scheduler, 1, W), arrive(scheduler, 2, W);
  EXPECT_EQ(scheduler.pick(0), Pick{1});
  scheduler.served({1});  // a write is behind its read
  EXPECT_EQ(scheduler.pick(0), Pick{2});
  scheduler.served({2});
  EXPECT_EQ(scheduler.pick(0), Pick{1});
}

// More clients than bits in a word.
TEST(SameDirection, TurnsGoRoundAmongAnyNumberOfClients) {
  SameDirection scheduler = scheduler_of(150, 1000);
  const auto served = order(scheduler, std::vector<Has>(150, R), 450);
  for (unsigned i = 0; i < 450; i++) EXPECT_EQ(served[i], i % 150);
}

}  // namespace
}  // namespace cutaway::boxes::same_direction_test
