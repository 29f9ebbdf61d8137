// A policy that counts the groups under way gives the next one to who has fewest, from here to their ends.
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "boxes/work_distributor/bench_for_test.h"

namespace cutaway::boxes::fewest_groups_test {
namespace {

using namespace work_distributor_bench;

TEST(FewestGroups, CountsWhatIsUnderWay) {
  const std::vector<uint32_t> left = {9, 7, 9};
  for (const char* policy : {"fewest-groups", "least-loaded"}) {
    const auto distribution = VertexDistributions::make(policy, 3, 1, structures::TileMap());
    EXPECT_EQ(distribution->counts_under_way(), std::string(policy) == "fewest-groups");
    EXPECT_EQ(distribution->choose({}, left), 0);
    distribution->given({}, 0);
    EXPECT_EQ(distribution->choose({}, left), 2);
  }
}

template <class Message>
std::vector<size_t> counts(const std::vector<Sink<Message>*>& takers) {
  std::vector<size_t> all;
  for (const auto* taker : takers) all.push_back(taker->received.size());
  return all;
}

// Three units that take what they get at once, so that their wires have the same room. Unit 1 ends its
// groups, the others do not.
TEST(FewestGroups, VerticesGoToTheUnitThatEndsIts) {
  for (const auto& [policy, more] : {std::pair{"fewest-groups", std::vector<size_t>{3, 2, 3}},
                                     {"least-loaded", std::vector<size_t>{4, 1, 3}}}) {
    Bench bench(3, 4, {}, 0, {.fragments = "turns", .vertices = policy});
    ASSERT_EQ(bench.distributor.vertices_under_way.size(), std::string(policy) == "fewest-groups" ? 3u : 0u);
    const auto add = [&](unsigned groups) {
      for (unsigned i = 0; i < groups; i++) {
        VertexGroup group{.state = &kState};
        group.vertices = bench.pools.group_vertices.allocate();
        bench.streamer.messages.push_back(group);
      }
      bench.streamer.wake();
      bench.sim.run(bench.clock, 30);
      // A message that was sent is a copy; its source gives up its part.
      for (VertexGroup& sent : bench.streamer.messages) sent.vertices = {};
    };
    add(6);
    EXPECT_EQ(counts(bench.vertices), (std::vector<size_t>{2, 2, 2}));
    bench.vertices[1]->received.clear();
    add(4);
    EXPECT_EQ(counts(bench.vertices), more) << policy;
  }
}

// Unit 1 takes nothing: when its wire has four groups, the others get all.
TEST(FewestGroups, AFullWireIsPassedOver) {
  Bench bench(3, 4, {}, 15, {.fragments = "turns", .vertices = "fewest-groups"});
  for (VertexGroup& group : bench.streamer.messages) group.vertices = bench.pools.group_vertices.allocate();
  bench.vertices[1]->refuse = true;
  bench.sim.run(bench.clock, 60);
  EXPECT_EQ(counts(bench.vertices), (std::vector<size_t>{6, 0, 5}));
}

TEST(FewestGroups, FragmentsGoToTheClusterThatEndsIts) {
  std::vector<InterpolatedQuad> quads;
  for (uint32_t i = 0; i < 6; i++) quads.push_back(quad(i));
  Bench bench(3, 4, quads, 0, {.fragments = "fewest-groups"});
  ASSERT_EQ(bench.distributor.fragments_under_way.size(), 3u);
  EXPECT_TRUE(bench.distributor.vertices_under_way.empty());
  bench.sim.run(bench.clock, 30);
  EXPECT_EQ(counts(bench.fragments), (std::vector<size_t>{2, 2, 2}));
  bench.fragments[2]->received.clear();
  bench.interpolator.per_cycle = 1;  // a cluster gets one group in a cycle
  for (uint32_t i = 6; i < 8; i++) bench.interpolator.messages.push_back(quad(i));
  bench.interpolator.wake();
  bench.sim.run(bench.clock, 30);
  EXPECT_EQ(counts(bench.fragments), (std::vector<size_t>{2, 2, 2}));
}

}  // namespace
}  // namespace cutaway::boxes::fewest_groups_test
