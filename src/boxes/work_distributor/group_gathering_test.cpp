// Quads that are gathered into a group, and what closes it.
#include <gtest/gtest.h>
#include <vector>

#include "boxes/work_distributor/bench_for_test.h"

namespace cutaway::boxes::group_gathering_test {
namespace {

using namespace work_distributor_bench;

TEST(WorkDistributor, AnotherStateOrADrawEndClosesAGroup) {
  Bench bench(1, 32, {quad(0), quad(1), quad(2, kOther), end(), quad(3), quad(4)});
  bench.sim.run(bench.clock, 50);
  std::vector<uint32_t> sizes;
  for (const auto& [cycle, group] : bench.fragments[0]->received) {
    sizes.push_back(group.quads->count);
    for (uint32_t q = 0; q < group.quads->count; q++) EXPECT_EQ(group.quads->quad[q].quad.state, group.state);
  }
  EXPECT_EQ(sizes, (std::vector<uint32_t>{2, 1, 2}));
}

// A group of eight quads that may have those of two primitives. A third one closes it; more quads of the
// second do not.
TEST(WorkDistributor, AGroupHasQuadsOfAFewPrimitives) {
  const auto sizes = [](unsigned most) {
    messages::Pools pools;
    std::vector<InterpolatedQuad> quads;
    for (const uint32_t of_primitive : {1u, 3u, 1u, 2u, 2u, 8u, 8u}) {
      const auto primitive = pools.primitives.allocate();
      for (uint32_t i = 0; i < of_primitive; i++) {
        quads.push_back(quad(0));
        quads.back().quad.primitive = primitive;
      }
    }
    WorkDistributorSpec spec{.gather_cycles = 10, .group_primitives = most};
    Bench bench(1, 32, std::move(quads), 0, spec);
    bench.sim.run(bench.clock, 300);
    std::vector<uint32_t> all;
    for (const auto& [cycle, group] : bench.fragments[0]->received) all.push_back(group.quads->count);
    return all;
  };
  EXPECT_EQ(sizes(0), (std::vector<uint32_t>{8, 8, 8, 1}));
  EXPECT_EQ(sizes(4), (std::vector<uint32_t>{7, 8, 8, 2}));
  EXPECT_EQ(sizes(2), (std::vector<uint32_t>{4, 3, 8, 8, 2}));
  EXPECT_EQ(sizes(1), (std::vector<uint32_t>{1, 3, 1, 2, 2, 8, 8}));
}

// Quads that come `interval` cycles apart share a group if it waits for them: not at interval - 1.
TEST(WorkDistributor, AGroupWaitsForQuadsAsLongAsDeclared) {
  const auto sizes = [](unsigned wait, Cycle interval) {
    std::vector<InterpolatedQuad> quads;
    for (uint32_t i = 0; i < 8; i++) quads.push_back(quad(i));
    WorkDistributorSpec spec;
    spec.gather_cycles = wait;
    Bench bench(1, 16, quads, 0, spec);
    bench.interpolator.per_cycle = 1, bench.interpolator.interval = interval;
    bench.sim.run(bench.clock, 300);
    std::vector<uint32_t> all;
    for (const auto& [cycle, group] : bench.fragments[0]->received) all.push_back(group.quads->count);
    return all;
  };
  const std::vector<uint32_t> full(2, 4), single(8, 1);
  for (const unsigned wait : {1u, 2u, 7u, 20u}) {
    EXPECT_EQ(sizes(wait, wait), full) << wait;
    EXPECT_EQ(sizes(wait, wait + 1), single) << wait;
  }
  EXPECT_EQ(sizes(0, 1), single);
}

// The last group goes that much later; a draw end does not wait.
TEST(WorkDistributor, WaitingCostsWhatIsDeclared) {
  const auto arrival = [](unsigned wait, bool with_end) {
    std::vector<InterpolatedQuad> quads = {quad(0)};
    if (with_end) quads.push_back(end());
    WorkDistributorSpec spec;
    spec.gather_cycles = wait;
    Bench bench(1, 16, quads, 0, spec);
    bench.sim.run(bench.clock, 300);
    return bench.fragments[0]->received.at(0).first;
  };
  for (const unsigned wait : {1u, 5u, 100u}) {
    EXPECT_EQ(arrival(wait, false) - arrival(0, false), wait);
    EXPECT_EQ(arrival(wait, true), arrival(0, true));
  }
}

// The buffer may be full of this group's entries: it must go.
TEST(WorkDistributor, AFullReorderBufferClosesAGroup) {
  std::vector<InterpolatedQuad> quads;
  for (uint32_t i = 0; i < 20; i++) quads.push_back(quad(i));
  Bench bench(1, 32, quads);
  bench.buffer.refuse = true;
  bench.sim.run(bench.clock, 50);
  ASSERT_EQ(bench.fragments[0]->received.size(), 1u);
  EXPECT_EQ(bench.fragments[0]->received[0].second.quads->count, 6u);
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.distributor).blocked_by("buffer"), 35u);
}

}  // namespace
}  // namespace cutaway::boxes::group_gathering_test
