#include <gtest/gtest.h>
#include <set>

#include "engine/testing/network.h"

namespace cutaway::engine {
namespace {

using testing::Network;
using testing::NetworkOptions;

constexpr unsigned kSeeds = 20;
constexpr Cycle kCycles = 5000;

// The hashes of 20 orders of boxes, with and without skipping of idle boxes.
std::set<uint64_t> hashes(const NetworkOptions& options,
                          std::initializer_list<bool> skipping = {true, false}) {
  std::set<uint64_t> hashes;
  for (unsigned seed = 0; seed < kSeeds; seed++)
    for (const bool skip : skipping) {
      Network network(options, {.seed = seed, .skip_idle = skip});
      network.run(kCycles);
      hashes.insert(network.sim.counter_hash());
    }
  return hashes;
}

TEST(Scheduler, NeitherOrderNorSkippingChangesACounter) {
  for (const uint64_t topology : {1u, 2u}) EXPECT_EQ(hashes({.topology = topology}).size(), 1u);
}

TEST(Scheduler, NorWithOneClockAndFullLoad) {
  NetworkOptions options;
  options.periods = {1};
  options.layers = 20;  // 180 boxes in the domain
  options.pause = 1;
  EXPECT_EQ(hashes(options).size(), 1u);
}

TEST(Scheduler, TheComparisonFindsABoxThatPeeksAtItsNeighbour) {
  const NetworkOptions options{.periods = {1}, .flaw = NetworkOptions::Flaw::kPeeksAtNeighbour};
  EXPECT_GT(hashes(options, {true}).size(), 1u);
  EXPECT_GT(hashes(options, {false}).size(), 1u);
}

TEST(Scheduler, TheComparisonFindsABoxThatHidesItsProgress) {
  EXPECT_GT(hashes({.flaw = NetworkOptions::Flaw::kHidesProgress}).size(), 1u);
}

TEST(Scheduler, TheComparisonFindsABoxThatCountsIdleTicks) {
  EXPECT_GT(hashes({.flaw = NetworkOptions::Flaw::kCountsIdleTicks}).size(), 1u);
}

TEST(Scheduler, SkipsTicksThatWouldDoNothing) {
  Network network({}, {});
  network.run(kCycles);
  EXPECT_GT(network.tokens(), 1000u);
  EXPECT_GT(network.sim.skipped_share(), 0.5);
  Network all({}, {.skip_idle = false});
  all.run(kCycles);
  EXPECT_EQ(all.sim.skipped_share(), 0);
}

TEST(Scheduler, AccountsSumToTheCyclesOfTheDomain) {
  Network network({}, {.seed = 3});
  for (const Cycle cycles : {1u, 1u, 7u, 1000u, 3000u}) {
    network.run(cycles);
    for (const auto& box : network.sim.boxes()) {
      const Account account = box->account();
      EXPECT_EQ(account.cycles, box->domain().now());
      EXPECT_EQ(account.cycles, account.busy + account.starved + account.blocked + account.idle);
      Cycle starved = 0, blocked = 0;
      for (const auto& wait : account.waits) (wait.starved ? starved : blocked) += wait.cycles;
      EXPECT_EQ(starved, account.starved);
      EXPECT_EQ(blocked, account.blocked);
    }
    // Reading them must not change them.
    if (cycles == 7) network.sim.settle();
  }
}

TEST(Scheduler, ClocksAdvanceInTheRatioOfTheirPeriods) {
  Network network({}, {});
  network.run(10000);
  const auto& domains = network.sim.domains();
  for (const auto& domain : domains)
    EXPECT_EQ(domain->now(), 10000 * domains[0]->period() / domain->period());
}

}  // namespace
}  // namespace cutaway::engine
