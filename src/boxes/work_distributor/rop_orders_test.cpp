// ROPs with reorder buffers of their own.
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "boxes/work_distributor/bench_for_test.h"

namespace cutaway::boxes::rop_orders_test {
namespace {

using namespace work_distributor_bench;

InterpolatedQuad quad_of(uint8_t rop) {
  InterpolatedQuad q = quad(0);
  q.quad.rop = rop;
  return q;
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

}  // namespace
}  // namespace cutaway::boxes::rop_orders_test
