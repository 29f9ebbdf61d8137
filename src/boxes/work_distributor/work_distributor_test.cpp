#include "boxes/work_distributor/work_distributor.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "boxes/work_distributor/bench_for_test.h"

namespace cutaway::boxes::work_distributor_test {
namespace {

using namespace work_distributor_bench;

TEST(WorkDistributor, GathersFullGroupsAndOpensAnEntryForEachQuad) {
  std::vector<InterpolatedQuad> quads;
  for (uint32_t i = 0; i < 8; i++) quads.push_back(quad(i));
  quads.push_back(end());
  Bench bench(2, 16, quads);
  bench.sim.run(bench.clock, 50);
  ASSERT_EQ(bench.fragments[0]->received.size(), 1u);
  ASSERT_EQ(bench.fragments[1]->received.size(), 1u);
  for (uint32_t s = 0; s < 2; s++) {
    const FragmentGroup& group = bench.fragments[s]->received[0].second;
    EXPECT_EQ(group.quads->count, 4u);
    for (uint32_t q = 0; q < 4; q++) {
      EXPECT_EQ(group.quads->order[q], 4 * s + q);
      EXPECT_EQ(group.quads->quad[q].quad.origin.primitive, 4 * s + q);
    }
  }
  ASSERT_EQ(bench.buffer.received.size(), 9u);
  for (uint32_t i = 0; i < 9; i++) {
    EXPECT_EQ(bench.buffer.received[i].second.order, i);
    EXPECT_EQ(bench.buffer.received[i].second.draw_end, i == 8);
  }
}

TEST(WorkDistributor, VerticesGoFirstAndUnitsTakeTurns) {
  std::vector<InterpolatedQuad> quads;
  for (uint32_t i = 0; i < 12; i++) quads.push_back(quad(i));
  Bench bench(3, 4, quads, 6);
  bench.sim.run(bench.clock, 60);
  for (unsigned s = 0; s < 3; s++) {
    EXPECT_EQ(bench.vertices[s]->received.size(), 2u);
    EXPECT_EQ(bench.fragments[s]->received.size(), 4u);
  }
}

TEST(WorkDistributor, PassesOverAUnitThatIsFull) {
  std::vector<InterpolatedQuad> quads;
  for (uint32_t i = 0; i < 40; i++) quads.push_back(quad(i));
  Bench bench(2, 4, quads);
  bench.fragments[0]->refuse = true;
  bench.sim.run(bench.clock, 100);
  EXPECT_EQ(bench.fragments[1]->received.size(), 36u);
}

TEST(WorkDistributor, BlamesTheUnitsThatAreSlow) {
  const auto blame = [](Cycle interval) {
    std::vector<InterpolatedQuad> quads;
    for (uint32_t i = 0; i < 60; i++) quads.push_back(quad(i));
    Bench bench(1, 4, quads);
    bench.fragments[0]->interval = interval;
    bench.sim.run(bench.clock, 2000);
    const engine::Account account = messages::testing::account_of(bench.sim, bench.distributor);
    return account.blocked_by("fragments0");
  };
  // One of 60 groups is taken at once, and four wait on the wire.
  messages::testing::expect_blame_per_item(blame, 55);
}

// Of two quads in a cycle one group goes at once and the other waits for its wire: with the rule, until a
// cycle in which no vertex group goes.
TEST(WorkDistributor, VerticesGoFirstIfTheRuleSaysSo) {
  for (const bool rule : {true, false}) {
    std::vector<InterpolatedQuad> quads;
    for (uint32_t i = 0; i < 20; i++) quads.push_back(quad(i));
    Bench bench(1, 4, quads, 40, {.vertices_first = rule});
    bench.sim.run(bench.clock, 100);
    ASSERT_EQ(bench.vertices[0]->received.size(), 40u);
    const Cycle last_vertex = bench.vertices[0]->received.back().first;
    size_t before = 0;
    for (const auto& [cycle, group] : bench.fragments[0]->received) before += cycle < last_vertex;
    EXPECT_EQ(before, rule ? 1u : 20u);
    EXPECT_EQ(bench.distributor.counters.vertex_groups, 40u);
    EXPECT_EQ(bench.distributor.counters.fragment_groups, 20u);
    EXPECT_EQ(bench.distributor.counters.fragment_quads, 20u);
  }
}

TEST(WorkDistributor, TakesAsManyQuadsPerCycleAsDeclared) {
  for (unsigned rate : {1u, 2u}) {
    std::vector<InterpolatedQuad> quads;
    for (uint32_t i = 0; i < 64; i++) quads.push_back(quad(i));
    Bench bench(4, 32, quads, 0, {.quads_per_cycle = rate});
    bench.sim.run(bench.clock, 200);
    ASSERT_EQ(bench.buffer.received.size(), 64u);
    EXPECT_EQ(bench.buffer.received[63].first - bench.buffer.received[0].first, 64 / rate - 1);
  }
}

TEST(WorkDistributor, GivesOutAsManyGroupsOfVerticesPerCycleAsDeclared) {
  for (const unsigned rate : {1u, 2u, 3u}) {
    Bench bench(6, 4, {}, 60, {.vertex_groups_per_cycle = rate});
    bench.sim.run(bench.clock, 200);
    Cycle first = 200, last = 0;
    for (const auto* unit : bench.vertices) {
      ASSERT_EQ(unit->received.size(), 10u);
      first = std::min(first, unit->received.front().first),
      last = std::max(last, unit->received.back().first);
    }
    EXPECT_EQ(last - first, 60 / rate - 1) << rate;
  }
}

// In turn from unit to unit, each by itself.
TEST(WorkDistributor, UnitsTakeTurns) {
  std::vector<InterpolatedQuad> quads;
  for (uint32_t i = 0; i < 9; i++) quads.push_back(quad(i));
  Bench bench(3, 4, quads, 6);
  bench.sim.run(bench.clock, 60);
  for (unsigned s = 0; s < 3; s++) {
    EXPECT_EQ(bench.vertices[s]->received.size(), 2u);
    ASSERT_EQ(bench.fragments[s]->received.size(), 3u);
    for (uint32_t i = 0; i < 3; i++)
      EXPECT_EQ(bench.fragments[s]->received[i].second.quads->order[0], 3 * i + s);
  }
}

TEST(WorkDistributor, BlamesTheUnitWhoseVerticesWait) {
  Bench bench(1, 4, {}, 40);
  bench.vertices[0]->refuse = true;
  bench.sim.run(bench.clock, 100);
  EXPECT_EQ(bench.distributor.counters.vertex_groups, 4u);
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.distributor).blocked_by("vertices0"), 90u);
}

// Blames the full unit whose turn it is.
TEST(WorkDistributor, BlamesTheUnitWhoseTurnItIs) {
  Bench bench(2, 4, {}, 40);
  bench.vertices[0]->interval = 10000;  // takes one
  bench.vertices[1]->refuse = true;
  bench.sim.run(bench.clock, 100);
  EXPECT_EQ(bench.distributor.counters.vertex_groups, 9u);
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.distributor).blocked_by("vertices1"), 80u);
}

// Three front ends, of which the second has nothing: groups of the others in turn.
TEST(WorkDistributor, FrontEndsTakeTurns) {
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  WorkDistributor& distributor =
      sim.add<WorkDistributor>(clock, "distributor", WorkDistributorSpec{}, 3u, 1u, 1u, 16u, 1u, pools);
  Source<InterpolatedQuad>& interpolator = sim.add<Source<InterpolatedQuad>>(clock, "interpolator");
  Sink<ReorderEntry>& buffer = sim.add<Sink<ReorderEntry>>(clock, "buffer");
  Sink<VertexGroup>& vertices = sim.add<Sink<VertexGroup>>(clock, "vertices");
  Sink<FragmentGroup>& fragments = sim.add<Sink<FragmentGroup>>(clock, "fragments");
  for (uint32_t i = 0; i < 3; i++) {
    auto& streamer = sim.add<Source<VertexGroup>>(clock, "streamer" + std::to_string(i));
    if (i != 1) streamer.messages.resize(4, {.state = &kState, .front_end = i});
    sim.connect(streamer.out, distributor.vertices_in[i], {1, 1, 4});
  }
  sim.connect(interpolator.out, distributor.quads_in, {1, 2, 8});
  sim.connect(distributor.entries_out[0], buffer.in, {1, 3, 6});
  sim.connect(distributor.vertices_out[0], vertices.in, {1, 1, 4});
  sim.connect(distributor.fragments_out[0], fragments.in, {1, 1, 4});
  sim.elaborate();
  sim.run(clock, 30);
  std::vector<uint32_t> order;
  for (const auto& [cycle, group] : vertices.received) order.push_back(group.front_end);
  EXPECT_EQ(order, (std::vector<uint32_t>{0, 2, 0, 2, 0, 2, 0, 2}));
  EXPECT_EQ(vertices.received.back().first, 3u + 7);  // one a cycle
}

}  // namespace
}  // namespace cutaway::boxes::work_distributor_test
