#include "boxes/work_distributor/work_distributor.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::work_distributor_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::FragmentGroup;
using messages::InterpolatedQuad;
using messages::ReorderEntry;
using messages::VertexGroup;

const messages::DrawState kState, kOther;

InterpolatedQuad quad(uint32_t primitive, const messages::DrawState& state = kState) {
  InterpolatedQuad q;
  q.quad.state = &state;
  q.quad.origin = {.draw = 1, .primitive = primitive};
  q.quad.mask = 15;
  return q;
}
InterpolatedQuad end() {
  InterpolatedQuad q;
  q.quad = messages::testing::draw_end<messages::QuadMessage>(kState);
  return q;
}

struct Bench {
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  WorkDistributor& distributor;
  Source<VertexGroup>& streamer;
  Source<InterpolatedQuad>& interpolator;
  Sink<ReorderEntry>& buffer;
  std::vector<Sink<VertexGroup>*> vertices;
  std::vector<Sink<FragmentGroup>*> fragments;

  Bench(unsigned shaders, unsigned lanes, std::vector<InterpolatedQuad> quads, unsigned vertex_groups = 0,
        const WorkDistributorSpec& spec = {.fragments = "turns"})
      : distributor(
            sim.add<WorkDistributor>(clock, "distributor", spec, 1, shaders, shaders, lanes, 1, pools)),
        streamer(sim.add<Source<VertexGroup>>(clock, "streamer")),
        interpolator(sim.add<Source<InterpolatedQuad>>(clock, "interpolator", std::move(quads))),
        buffer(sim.add<Sink<ReorderEntry>>(clock, "buffer")) {
    streamer.messages.resize(vertex_groups);
    for (VertexGroup& group : streamer.messages) group.state = &kState;
    interpolator.per_cycle = 2;
    streamer.per_cycle = spec.vertex_groups_per_cycle;
    buffer.per_cycle = 3;
    sim.connect(streamer.out, distributor.vertices_in[0],
                {1, spec.vertex_groups_per_cycle, 4 * spec.vertex_groups_per_cycle});
    sim.connect(interpolator.out, distributor.quads_in, {1, 2, 8});
    sim.connect(distributor.entries_out[0], buffer.in, {1, 3, 6});
    for (unsigned i = 0; i < shaders; i++) {
      vertices.push_back(&sim.add<Sink<VertexGroup>>(clock, "vertices" + std::to_string(i)));
      fragments.push_back(&sim.add<Sink<FragmentGroup>>(clock, "fragments" + std::to_string(i)));
      sim.connect(distributor.vertices_out[i], vertices[i]->in, {1, 1, 4});
      sim.connect(distributor.fragments_out[i], fragments[i]->in, {1, 1, 4});
    }
    sim.elaborate();
  }
};

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

// The buffer may be full of this group's entries: it must go.
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

InterpolatedQuad quad_at(int32_t x, int32_t y) {
  InterpolatedQuad q = quad(static_cast<uint32_t>(x));
  q.quad.x = x, q.quad.y = y;
  return q;
}
InterpolatedQuad quad_of(uint8_t rop) {
  InterpolatedQuad q = quad(0);
  q.quad.rop = rop;
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

// Two ROPs with reorder buffers of their own.
struct TwoRops {
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  WorkDistributor& distributor =
      sim.add<WorkDistributor>(clock, "distributor", WorkDistributorSpec{}, 1u, 1u, 1u, 16u, 2u, pools);
  Source<VertexGroup>& streamer = sim.add<Source<VertexGroup>>(clock, "streamer");
  Source<InterpolatedQuad>& interpolator;
  Sink<VertexGroup>& vertices = sim.add<Sink<VertexGroup>>(clock, "vertices");
  Sink<FragmentGroup>& fragments = sim.add<Sink<FragmentGroup>>(clock, "fragments");
  Sink<ReorderEntry>* buffer[2];

  explicit TwoRops(std::vector<InterpolatedQuad> quads)
      : interpolator(sim.add<Source<InterpolatedQuad>>(clock, "interpolator", std::move(quads))) {
    sim.connect(streamer.out, distributor.vertices_in[0], {1, 1, 4});
    sim.connect(interpolator.out, distributor.quads_in, {1, 2, 8});
    sim.connect(distributor.vertices_out[0], vertices.in, {1, 1, 4});
    sim.connect(distributor.fragments_out[0], fragments.in, {1, 1, 4});
    for (unsigned i = 0; i < 2; i++) {
      buffer[i] = &sim.add<Sink<ReorderEntry>>(clock, "buffer" + std::to_string(i));
      buffer[i]->per_cycle = 3;
      sim.connect(distributor.entries_out[i], buffer[i]->in, {1, 3, 6});
    }
    sim.elaborate();
  }
};

// Quads are numbered by ROP, and every ROP learns where a draw ends.
TEST(WorkDistributor, EachRopHasAnOrderOfItsOwn) {
  TwoRops bench({quad_of(0), quad_of(1), quad_of(0), quad_of(0), end()});
  bench.sim.run(bench.clock, 50);
  std::vector<uint32_t> orders;
  for (const auto& [cycle, group] : bench.fragments.received)
    for (uint32_t q = 0; q < group.quads->count; q++) orders.push_back(group.quads->order[q]);
  EXPECT_EQ(orders, (std::vector<uint32_t>{0, 0, 1, 2}));
  for (const unsigned rop : {0u, 1u}) {
    const auto& entries = bench.buffer[rop]->received;
    ASSERT_EQ(entries.size(), rop ? 2u : 4u);
    for (uint32_t i = 0; i < entries.size(); i++) {
      EXPECT_EQ(entries[i].second.order, i);
      EXPECT_EQ(entries[i].second.draw_end, i + 1 == entries.size());
    }
  }
}

// A reorder buffer that is full holds up the quads behind its own, and draw ends wait for all.
TEST(WorkDistributor, BlamesTheReorderBufferThatIsFull) {
  std::vector<InterpolatedQuad> quads;
  for (int32_t i = 0; i < 20; i++) quads.push_back(quad_of(i < 10 ? 0 : 1));
  quads.push_back(end());
  TwoRops bench(quads);
  bench.buffer[1]->refuse = true;
  bench.sim.run(bench.clock, 100);
  EXPECT_EQ(bench.buffer[0]->received.size(), 10u);
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.distributor).blocked_by("buffer1"), 70u);
  EXPECT_EQ(messages::testing::account_of(bench.sim, bench.distributor).blocked_by("buffer0"), 0u);
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
