#include "boxes/triangle_setup/triangle_setup.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "parts/testing/draws.h"

namespace cutaway::boxes {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using parts::PrimitiveMessage;
using parts::SetupMessage;

struct Bench {
  parts::Pools pools;
  std::unique_ptr<parts::DrawState> state = parts::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  TriangleSetup& box = sim.add<TriangleSetup>(clock, "setup", pools);
  Source<PrimitiveMessage>& clipper = sim.add<Source<PrimitiveMessage>>(clock, "clipper");
  Sink<SetupMessage>& fragments = sim.add<Sink<SetupMessage>>(clock, "fragments");

  Bench() {
    sim.connect(clipper.out, box.primitives_in, {6, 1, 18});
    sim.connect(box.primitives_out[0], fragments.in, {10, 1, 26});
    sim.elaborate();
  }
  void send(std::initializer_list<std::pair<float, float>> corners, uint32_t id = 0) {
    PrimitiveMessage message;
    for (const auto& [x, y] : corners)
      message.vertex[message.vertices++] = parts::testing::vertex(pools, x, y);
    message.state = state.get();
    message.origin = {.draw = 1, .primitive = id};
    clipper.messages.push_back(message), clipper.wake();
  }
};

TEST(TriangleSetup, CullsByFaceAndByAreaAndPassesTheRest) {
  Bench bench;
  bench.state->registers.raster.cull_mode = 2;  // back
  bench.send({{-1, -1}, {1, -1}, {-1, 1}}, 0);
  bench.send({{-1, -1}, {-1, 1}, {1, -1}}, 1);
  bench.send({{-1, -1}, {0, 0}, {1, 1}}, 2);
  bench.send({{0, 0}, {0, 0.001f}, {0.001f, 0}}, 3);  // between sample positions
  bench.send({{0, 0}, {1, 1}}, 4);
  bench.clipper.messages.push_back(parts::testing::draw_end<PrimitiveMessage>(*bench.state));
  bench.sim.run(bench.clock, 60);
  ASSERT_EQ(bench.fragments.received.size(), 3u);
  const SetupMessage& triangle = bench.fragments.received[0].second;
  // One of the two first faces the front, whatever the convention; the line has no face.
  EXPECT_EQ(bench.box.counters.culled_face, 1u);
  EXPECT_EQ(bench.box.counters.culled_empty, 2u);
  EXPECT_TRUE(triangle.primitive->primitive.front_facing);
  EXPECT_EQ(triangle.primitive->vertices, 3);
  EXPECT_EQ(triangle.primitive->vertex[1]->output[0][1],
            std::bit_cast<uint32_t>(triangle.origin.primitive ? 1.0f : -1.0f));
  EXPECT_EQ(bench.fragments.received[1].second.origin.primitive, 4u);
  EXPECT_TRUE(bench.fragments.received[2].second.draw_end);
}

// 1 triangle per cycle (ATT-3), culled or not; 10 cycles (ATT-4).
TEST(TriangleSetup, SetsUpATrianglePerCycleTenCyclesLater) {
  Bench bench;
  for (uint32_t i = 0; i < 40; i++) {
    bench.send({{-1, -1}, {1, -1}, {-1, 1}}, i);
    bench.send({{0, 0}, {0, 0}, {0, 0}}, 1000 + i);
  }
  bench.sim.run(bench.clock, 110);
  ASSERT_EQ(bench.fragments.received.size(), 40u);
  for (size_t i = 0; i < 40; i++) EXPECT_EQ(bench.fragments.received[i].first, 1 + 6 + 10 + 2 * i);
}

TEST(TriangleSetup, BlamesFragmentGenerationWhenItIsSlow) {
  const auto blame = [](Cycle k) {
    Bench bench;
    for (uint32_t i = 0; i < 60; i++) bench.send({{-1, -1}, {1, -1}, {-1, 1}}, i);
    bench.fragments.interval = k;
    bench.sim.run(bench.clock, 2000);
    return parts::testing::account_of(bench.sim, bench.box).blocked_by("fragments");
  };
  parts::testing::expect_blame_per_item(blame, 60 - 1 - 26);  // one is taken at once, 26 are on the wire
}

// A polygon of edges is three primitives and takes three cycles, or one when all of it is culled.
TEST(TriangleSetup, TakesACycleForEachPartOfAPolygon) {
  Bench bench;
  bench.state->registers.raster.polygon_mode = static_cast<uint32_t>(arch::PolygonMode::kLine);
  bench.state->registers.raster.cull_mode = arch::kCullBack;
  for (uint32_t i = 0; i < 10; i++) {
    bench.send({{-0.5f, -0.5f}, {0.5f, -0.5f}, {-0.5f, 0.5f}}, i);
    bench.send({{-0.5f, -0.5f}, {-0.5f, 0.5f}, {0.5f, -0.5f}}, i);
  }
  bench.sim.run(bench.clock, 100);
  EXPECT_EQ(bench.box.counters.primitives, 20u);
  EXPECT_EQ(bench.box.counters.culled_face, 10u);
  EXPECT_EQ(bench.box.counters.culled_empty, 0u);
  ASSERT_EQ(bench.fragments.received.size(), 30u);
  EXPECT_EQ(bench.fragments.received[29].first - bench.fragments.received[2].first, 9 * 4u);
}

}  // namespace
}  // namespace cutaway::boxes
