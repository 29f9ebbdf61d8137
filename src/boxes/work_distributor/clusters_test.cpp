// Clusters of shader units that get groups by their tiles and by their load.
#include <gtest/gtest.h>
#include <vector>

#include "boxes/work_distributor/bench_for_test.h"

namespace cutaway::boxes::clusters_test {
namespace {

using namespace work_distributor_bench;

InterpolatedQuad quad_at(int32_t x, int32_t y) {
  InterpolatedQuad q = quad(static_cast<uint32_t>(x));
  q.quad.x = x, q.quad.y = y;
  return q;
}

std::vector<uint32_t> primitives(const FragmentGroup& group) {
  std::vector<uint32_t> all;
  for (uint32_t q = 0; q < group.quads->count; q++) all.push_back(group.quads->quad[q].quad.origin.primitive);
  return all;
}

// Quads that alternate between the tiles of two clusters fill a group for each.
TEST(WorkDistributor, ByTileMapEachClusterHasAGroupOfItsOwn) {
  WorkDistributorSpec spec;
  spec.fragments = "tile-map";
  spec.tile = 16;
  Bench bench(2, 8, {quad_at(0, 0), quad_at(16, 0), quad_at(2, 0), quad_at(18, 0), quad_at(4, 0), end()}, 0,
              spec);
  bench.sim.run(bench.clock, 50);
  ASSERT_EQ(bench.fragments[0]->received.size(), 2u);
  ASSERT_EQ(bench.fragments[1]->received.size(), 1u);
  EXPECT_EQ(primitives(bench.fragments[0]->received[0].second), (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(primitives(bench.fragments[1]->received[0].second), (std::vector<uint32_t>{16, 18}));
  EXPECT_EQ(primitives(bench.fragments[0]->received[1].second), (std::vector<uint32_t>{4}));
  // The order is that of the quads, whoever shades them.
  EXPECT_EQ(bench.fragments[1]->received[0].second.quads->order[1], 3u);
  EXPECT_EQ(bench.distributor.counters.fragment_groups, 3u);
}

// A group of a cluster whose tiles are left goes while quads of others come.
TEST(WorkDistributor, AGroupGoesWhileQuadsOfOtherTilesCome) {
  WorkDistributorSpec spec;
  spec.fragments = "tile-map";
  spec.tile = 16;
  spec.gather_cycles = 5;
  std::vector<InterpolatedQuad> quads = {quad_at(16, 0)};
  for (int32_t i = 0; i < 40; i++) quads.push_back(quad_at(i % 16, 0));
  Bench bench(2, 16, quads, 0, spec);
  bench.interpolator.per_cycle = 1;
  bench.sim.run(bench.clock, 30);
  // Sent in 1, joins in 2; five cycles later it is closed, and goes in the next: one for the wire.
  ASSERT_EQ(bench.fragments[1]->received.size(), 1u);
  EXPECT_EQ(bench.fragments[1]->received[0].first, 2u + 5 + 1 + 1);
  // A cluster that is full holds up the quads behind its own.
  Bench full(2, 4, quads, 0, spec);
  full.fragments[0]->refuse = true;
  full.sim.run(full.clock, 60);
  EXPECT_GT(messages::testing::account_of(full.sim, full.distributor).blocked_by("fragments0"), 30u);
}

TEST(WorkDistributor, TheLeastLoadedClusterGetsTheNextGroup) {
  WorkDistributorSpec spec;
  spec.fragments = "least-loaded";
  std::vector<InterpolatedQuad> quads;
  for (uint32_t i = 0; i < 40; i++) quads.push_back(quad(i));
  Bench bench(2, 4, quads, 0, spec);
  bench.fragments[0]->interval = 8;
  bench.interpolator.per_cycle = 1, bench.interpolator.interval = 2;
  bench.sim.run(bench.clock, 200);
  // It takes one in four of its neighbour's pace, and has no more than one waiting: less room than the other.
  EXPECT_LE(bench.fragments[0]->received.size(), 12u);
  EXPECT_EQ(bench.fragments[0]->received.size() + bench.fragments[1]->received.size(), 40u);
}

}  // namespace
}  // namespace cutaway::boxes::clusters_test
