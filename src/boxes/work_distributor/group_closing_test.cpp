// When groups of quads are closed.
#include <gtest/gtest.h>

#include "boxes/work_distributor/work_distributor.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::group_closing_test {
namespace {

using engine::testing::Sink;
using engine::testing::Source;
using messages::FragmentGroup;
using messages::InterpolatedQuad;
using messages::ReorderEntry;
using messages::VertexGroup;

const messages::DrawState kState;

InterpolatedQuad quad_at(int32_t x, int32_t y) {
  InterpolatedQuad q;
  q.quad.state = &kState;
  q.quad.origin = {.draw = 1};
  q.quad.mask = 15;
  q.quad.x = x, q.quad.y = y;
  return q;
}
InterpolatedQuad end() {
  InterpolatedQuad q;
  q.quad = messages::testing::draw_end<messages::QuadMessage>(kState);
  return q;
}

// One cluster.
struct Bench {
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  WorkDistributor& distributor;
  Source<VertexGroup>& streamer = sim.add<Source<VertexGroup>>(clock, "streamer");
  Source<InterpolatedQuad>& interpolator;
  Sink<ReorderEntry>& buffer = sim.add<Sink<ReorderEntry>>(clock, "buffer");
  Sink<VertexGroup>& vertices = sim.add<Sink<VertexGroup>>(clock, "vertices");
  Sink<FragmentGroup>& fragments = sim.add<Sink<FragmentGroup>>(clock, "fragments");

  Bench(const WorkDistributorSpec& spec, unsigned lanes, std::vector<InterpolatedQuad> quads,
        unsigned units = 1)
      : distributor(
            sim.add<WorkDistributor>(clock, "distributor", spec, 1u, 1u, 1u, lanes, 1u, pools, units)),
        interpolator(sim.add<Source<InterpolatedQuad>>(clock, "interpolator", std::move(quads))) {
    interpolator.per_cycle = 2;
    buffer.per_cycle = 3;
    sim.connect(streamer.out, distributor.vertices_in[0], {1, 1, 4});
    sim.connect(interpolator.out, distributor.quads_in, {1, 2, 8});
    sim.connect(distributor.vertices_out[0], vertices.in, {1, 1, 4});
    sim.connect(distributor.fragments_out[0], fragments.in, {1, 1, 8});
    sim.connect(distributor.entries_out[0], buffer.in, {1, 3, 6});
    for (engine::Storage& cluster : distributor.fragments_under_way) sim.connect(cluster, fragments.in);
    sim.elaborate();
  }
};

// So many quads in the upper half of a tile, then the eight quads of its lower half and of the next halves.
std::vector<InterpolatedQuad> edge_and_sub_tiles(unsigned edge, unsigned sub_tiles, bool full) {
  std::vector<InterpolatedQuad> quads;
  for (unsigned i = 0; i < edge; i++) quads.push_back(quad_at(8, 0));
  for (unsigned s = 0; s < sub_tiles; s++)
    for (unsigned i = 0; i < 8; i++) {
      quads.push_back(quad_at(8 + static_cast<int32_t>(2 * (i & 1) + (i & 4)),
                              static_cast<int32_t>(4 * (s + 1) + (i & 2))));
      quads.back().quad.full_sub_tile = full;
    }
  quads.push_back(end());
  return quads;
}

using Sizes = std::vector<uint32_t>;

// Numbers of quads of the groups that leave within 100 cycles.
Sizes sizes(bool whole, unsigned lanes, std::vector<InterpolatedQuad> quads) {
  Bench bench({.gather_cycles = 10, .whole_sub_tiles = whole}, lanes, std::move(quads));
  bench.sim.run(bench.clock, 100);
  Sizes all;
  for (const auto& [cycle, group] : bench.fragments.received) all.push_back(group.quads->count);
  return all;
}

TEST(GroupClosing, AFullSubTileIsNotDivided) {
  EXPECT_EQ(sizes(false, 32, edge_and_sub_tiles(3, 3, true)), (Sizes{8, 8, 8, 3}));
  EXPECT_EQ(sizes(true, 32, edge_and_sub_tiles(3, 3, true)), (Sizes{3, 8, 8, 8}));
  EXPECT_EQ(sizes(true, 32, edge_and_sub_tiles(3, 3, false)), (Sizes{8, 8, 8, 3}));
  // Larger groups have room for more, and smaller ones for no sub-tile.
  EXPECT_EQ(sizes(true, 64, edge_and_sub_tiles(3, 3, true)), (Sizes{11, 16}));
  EXPECT_EQ(sizes(true, 16, edge_and_sub_tiles(3, 1, true)), (Sizes{3, 4, 4}));
}

// Early depth tests leave a few quads of sub-tiles that the primitive covers.
TEST(GroupClosing, QuadsThatAreLeftOfFullSubTilesShareAGroup) {
  const auto survivors = [](unsigned of_each, unsigned sub_tiles) {
    std::vector<InterpolatedQuad> quads, all = edge_and_sub_tiles(0, sub_tiles, true);
    for (unsigned i = 0; i < 8 * sub_tiles; i++)
      if (i % 8 < of_each) quads.push_back(all[i]);
    quads.push_back(end());
    return quads;
  };
  EXPECT_EQ(sizes(true, 32, survivors(1, 17)), (Sizes{8, 8, 1}));
  EXPECT_EQ(sizes(true, 32, survivors(2, 5)), (Sizes{8, 2}));
  EXPECT_EQ(sizes(true, 32, survivors(3, 3)), (Sizes{6, 3}));  // two of the third and one more
  EXPECT_EQ(sizes(true, 32, survivors(7, 2)), (Sizes{7, 7}));
}

// The order of the reorder buffer goes with a quad that is left to the next group.
TEST(GroupClosing, QuadsKeepTheirPlacesInTheOrder) {
  Bench bench({.gather_cycles = 10, .whole_sub_tiles = true}, 32, edge_and_sub_tiles(3, 2, true));
  bench.sim.run(bench.clock, 100);
  uint32_t next = 0;
  for (const auto& [cycle, group] : bench.fragments.received)
    for (uint32_t i = 0; i < group.quads->count; i++) EXPECT_EQ(group.quads->order[i], next++);
  EXPECT_EQ(next, 3u + 2 * 8);
}

// A full group waits for the rest of its last sub-tile, which does not come, as long as others for a quad.
TEST(GroupClosing, AFullGroupWaitsForTheRestOfItsLastSubTile) {
  // A group that is under way keeps the cluster's unit busy.
  const auto leaves = [](unsigned lanes, unsigned edge) {
    std::vector<InterpolatedQuad> quads(lanes / 4, quad_at(0, 0)), second = edge_and_sub_tiles(edge, 1, true);
    quads.insert(quads.end(), second.begin(), second.begin() + lanes / 4);
    Bench bench({.gather_cycles = 20, .closing = GroupClosing::kRest, .whole_sub_tiles = true}, lanes, quads);
    bench.sim.run(bench.clock, 100);
    EXPECT_EQ(bench.fragments.received.size(), 2u);
    if (bench.fragments.received.size() < 2) return engine::Cycle{0};
    EXPECT_EQ(bench.fragments.received[1].second.quads->count, lanes / 4);
    return bench.fragments.received[1].first;
  };
  // Two quads a cycle join the two groups from cycle 2 on. A group is on the wire for a cycle.
  EXPECT_EQ(leaves(32, 0), 9u + 1);   // a whole sub-tile
  EXPECT_EQ(leaves(64, 8), 17u + 1);  // behind eight others
  // One that is closed for its age goes in the cycle after that.
  EXPECT_EQ(leaves(32, 4), 9u + 20 + 1 + 1);  // half of one behind four others
}

// A group of two quads goes after five cycles, or when fewer groups are under way than the cluster has units.
TEST(GroupClosing, AGroupWaitsUntilAUnitWouldRest) {
  for (const unsigned units : {1u, 2u, 3u}) {
    std::vector<InterpolatedQuad> quads;
    for (int32_t x = 0; x < 14; x += 2) quads.push_back(quad_at(x, 0));  // three groups of two, and one quad
    Bench bench({.gather_cycles = 5, .closing = GroupClosing::kRest}, 8, std::move(quads), units);
    bench.sim.run(bench.clock, 100);
    auto& received = bench.fragments.received;
    for (unsigned left = 3; left >= units; left--) {
      ASSERT_EQ(received.size(), 3u) << units << " units, " << left << " groups under way";
      received[left - 1].second.quads = {};
      bench.sim.run(bench.clock, 10);
    }
    ASSERT_EQ(received.size(), 4u) << units;
    // Its place is free in the next cycle. Then the group is closed; it goes in the cycle after that, and is
    // on the wire for one.
    EXPECT_EQ(received[3].first, 100u + 10 * (3 - units) + 1 + 1 + 1);
    EXPECT_EQ(received[3].second.quads->count, 1u);
  }
}

}  // namespace
}  // namespace cutaway::boxes::group_closing_test
