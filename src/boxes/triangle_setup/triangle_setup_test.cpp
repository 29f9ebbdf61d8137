#include "boxes/triangle_setup/triangle_setup.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::triangle_setup_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::PrimitiveMessage;
using messages::SetupMessage;

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  TriangleSetup& box;
  Source<PrimitiveMessage>& clipper = sim.add<Source<PrimitiveMessage>>(clock, "clipper");
  std::vector<Sink<SetupMessage>*> rasters;
  Sink<SetupMessage>& fragments;

  explicit Bench(const structures::TileMap& map = structures::TileMap(), const TriangleSetupSpec& spec = {})
      : box(sim.add<TriangleSetup>(clock, "setup", spec, pools, map)),
        fragments(sim.add<Sink<SetupMessage>>(clock, "fragments")) {
    sim.connect(clipper.out, box.primitives_in, {6, 2, 18});
    rasters.push_back(&fragments);
    for (unsigned i = 1; i < map.units(); i++)
      rasters.push_back(&sim.add<Sink<SetupMessage>>(clock, "fragments" + std::to_string(i)));
    for (unsigned i = 0; i < map.units(); i++)
      sim.connect(box.primitives_out[i], rasters[i]->in, {10, 2, 26});
    sim.connect(box.storage, fragments.in);
    sim.elaborate();
  }
  // Sends a triangle in an 8×8 tile of the 64×64 pixels.
  void send_tile(int32_t column, int32_t row, uint32_t id) {
    const float x = static_cast<float>(column) / 4 - 1, y = static_cast<float>(row) / 4 - 1;
    send({{x + 0.01f, y + 0.01f}, {x + 0.24f, y + 0.01f}, {x + 0.01f, y + 0.24f}}, id);
  }
  std::vector<uint32_t> received(unsigned unit) const {
    std::vector<uint32_t> ids;
    for (const auto& [cycle, message] : rasters[unit]->received)
      ids.push_back(message.draw_end ? 1000 : message.origin.primitive);
    return ids;
  }
  void send(std::initializer_list<std::pair<float, float>> corners, uint32_t id = 0) {
    PrimitiveMessage message;
    for (const auto& [x, y] : corners)
      message.vertex[message.vertices++] = messages::testing::vertex(pools, x, y);
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
  bench.clipper.messages.push_back(messages::testing::draw_end<PrimitiveMessage>(*bench.state));
  bench.sim.run(bench.clock, 60);
  ASSERT_EQ(bench.fragments.received.size(), 3u);
  const SetupMessage& triangle = bench.fragments.received[0].second;
  // Exactly one of the first two is front-facing, whatever the convention; the line has no face.
  EXPECT_EQ(bench.box.counters.culled_face, 1u);
  EXPECT_EQ(bench.box.counters.culled_empty, 2u);
  EXPECT_TRUE(triangle.primitive->primitive.front_facing);
  EXPECT_EQ(triangle.primitive->vertices, 3);
  EXPECT_EQ(triangle.primitive->vertex[1]->output[0][1],
            std::bit_cast<uint32_t>(triangle.origin.primitive ? 1.0f : -1.0f));
  EXPECT_EQ(bench.fragments.received[1].second.origin.primitive, 4u);
  EXPECT_TRUE(bench.fragments.received[2].second.draw_end);
}

// 1 triangle per cycle (ATT-3), culled or not; 10 cycles latency (ATT-4).
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

// Up to GT200 one triangle per cycle is culled, and half as many are drawn (OUT-G80-7).
TEST(TriangleSetup, DrawnTrianglesTakeMoreCyclesThanCulledOnes) {
  Bench bench(structures::TileMap(), {.triangle_cycles = 2});
  for (uint32_t i = 0; i < 20; i++) {
    bench.send({{-1, -1}, {1, -1}, {-1, 1}}, i);
    if (i % 2) bench.send({{0, 0}, {0, 0}, {0, 0}}, 1000 + i);
  }
  bench.sim.run(bench.clock, 110);
  ASSERT_EQ(bench.fragments.received.size(), 20u);
  for (size_t i = 0; i < 20; i++)
    EXPECT_EQ(bench.fragments.received[i].first, 1 + 6 + 10 + 2 * i + i / 2) << i;
  // Busy while it sets up, and idle before and after.
  EXPECT_EQ(messages::testing::account_of(bench.sim, bench.box).busy, 20u * 2 + 10);
}

TEST(TriangleSetup, LinesAndEdgesTakeOneCycle) {
  Bench bench(structures::TileMap(), {.triangle_cycles = 5});
  for (uint32_t i = 0; i < 10; i++) bench.send({{-0.5f, -0.5f}, {0.5f, 0.5f}}, i);
  bench.state->registers.raster.polygon_mode = static_cast<uint32_t>(arch::PolygonMode::kLine);
  for (uint32_t i = 0; i < 10; i++) bench.send({{-0.5f, -0.5f}, {0.5f, -0.5f}, {-0.5f, 0.5f}}, i);
  bench.sim.run(bench.clock, 110);
  ASSERT_EQ(bench.fragments.received.size(), 40u);
  for (size_t i = 0; i < 40; i++) EXPECT_EQ(bench.fragments.received[i].first, 1 + 6 + 10 + i) << i;
}

TEST(TriangleSetup, BlamesFragmentGenerationWhenItIsSlow) {
  const auto blame = [](Cycle k) {
    Bench bench;
    for (uint32_t i = 0; i < 60; i++) bench.send({{-1, -1}, {1, -1}, {-1, 1}}, i);
    bench.fragments.interval = k;
    bench.sim.run(bench.clock, 2000);
    return messages::testing::account_of(bench.sim, bench.box).blocked_by("fragments");
  };
  messages::testing::expect_blame_per_item(blame, 60 - 1 - 26);  // one is taken at once, 26 are on the wire
}

// A polygon drawn as edges is three primitives and takes three cycles, or one if all of it is culled.
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

TEST(TriangleSetup, SendsToTheRasterisersThatOwnTilesOfTheBounds) {
  Bench bench(structures::TileMap(3, 8, {0, 1}));
  bench.send_tile(0, 0, 0);
  bench.send_tile(0, 1, 1);
  bench.send_tile(2, 0, 2);
  bench.send({{-1, -1}, {1, -1}, {-1, 1}}, 3);
  bench.send({{-1, -1}, {-0.9f, -1}, {-1, 1}}, 4);  // one column: units 0 and 1 in turn
  bench.clipper.messages.push_back(messages::testing::draw_end<PrimitiveMessage>(*bench.state));
  bench.sim.run(bench.clock, 60);
  EXPECT_EQ(bench.received(0), (std::vector<uint32_t>{0, 3, 4, 1000}));
  EXPECT_EQ(bench.received(1), (std::vector<uint32_t>{1, 3, 4, 1000}));
  EXPECT_EQ(bench.received(2), (std::vector<uint32_t>{2, 3, 1000}));
  // One primitive per cycle, to all rasterisers in the same cycle.
  EXPECT_EQ(bench.rasters[0]->received[3].first - bench.rasters[0]->received[0].first, 5u);
  EXPECT_EQ(bench.rasters[1]->received[1].first, bench.rasters[2]->received[1].first);
  EXPECT_EQ(bench.rasters[1]->received.back().first, bench.rasters[0]->received.back().first);
}

// A full rasteriser blocks its own primitives and all later ones, but no earlier ones.
TEST(TriangleSetup, WaitsForAllThatAPrimitiveIsFor) {
  Bench bench(structures::TileMap(2));
  bench.rasters[1]->refuse = true;
  for (uint32_t i = 0; i < 26; i++) bench.send_tile(1, 0, i);
  for (uint32_t i = 26; i < 30; i++) bench.send_tile(0, 0, i);
  bench.send({{-1, -1}, {1, -1}, {-1, 1}}, 30);
  bench.send_tile(0, 0, 31);
  bench.sim.run(bench.clock, 200);
  EXPECT_EQ(bench.received(0), (std::vector<uint32_t>{26, 27, 28, 29}));
  EXPECT_EQ(bench.box.counters.primitives, 31u);
  EXPECT_NE(bench.box.why_busy(), "");
  const engine::Account waiting = messages::testing::account_of(bench.sim, bench.box);
  EXPECT_GE(waiting.blocked_by("fragments1"), 150u);
  EXPECT_EQ(waiting.blocked_by("fragments"), 0u);
  bench.rasters[1]->refuse = false, bench.rasters[1]->wake();
  bench.sim.run(bench.clock, 60);
  EXPECT_EQ(bench.received(0), (std::vector<uint32_t>{26, 27, 28, 29, 30, 31}));
  EXPECT_EQ(bench.received(1).size(), 27u);
  EXPECT_EQ(bench.rasters[0]->received[4].first + 1, bench.rasters[0]->received[5].first);
  EXPECT_EQ(bench.box.why_busy(), "");
}

// A primitive is held as long as its messages: the place returns with the last one.
TEST(TriangleSetup, WaitsWhileItsStorageIsFull) {
  for (const unsigned places : {1u, 2u, 5u, 20u}) {
    Bench bench(structures::TileMap(2), {.primitives = places});
    for (uint32_t i = 0; i < places; i++)
      bench.send({{-1, -1}, {1, -1}, {-1, 1}}, i);  // for both rasterisers
    bench.clipper.messages.push_back(messages::testing::draw_end<PrimitiveMessage>(*bench.state));
    bench.send_tile(0, 0, places), bench.send_tile(0, 0, places + 1);
    bench.sim.run(bench.clock, 200);
    // The end of the draw needs no place.
    EXPECT_EQ(bench.box.counters.primitives, places);
    ASSERT_EQ(bench.rasters[0]->received.size(), places + 1);
    ASSERT_EQ(bench.rasters[1]->received.size(), places + 1);
    EXPECT_EQ(bench.box.why_busy(), "a primitive waits for a place");
    const engine::Account full = messages::testing::account_of(bench.sim, bench.box);
    // Blocked since the first arrived in cycle 7, but not by a rasteriser.
    for (const auto& wait : full.waits)
      EXPECT_EQ(wait.cycles, wait.port == "storage" ? 200 - (7 + places) : 0) << wait.port;
    // One of two holders of a primitive releases it: it is still held.
    bench.rasters[0]->received.erase(bench.rasters[0]->received.begin());
    bench.sim.run(bench.clock, 50);
    EXPECT_EQ(bench.box.counters.primitives, places);
    // The other releases it in cycle 250. Setup takes the next in 251, and it arrives 10 cycles later.
    bench.rasters[1]->received.erase(bench.rasters[1]->received.begin());
    bench.sim.run(bench.clock, 10);
    EXPECT_EQ(bench.rasters[0]->received.size(), places);
    bench.sim.run(bench.clock, 1);
    ASSERT_EQ(bench.rasters[0]->received.size(), places + 1);
    EXPECT_EQ(bench.rasters[0]->received.back().first, 261u);
    EXPECT_EQ(bench.rasters[0]->received.back().second.origin.primitive, places);
    bench.sim.run(bench.clock, 50);
    EXPECT_EQ(bench.box.counters.primitives, places + 1) << "one place, one primitive";
  }
}

// A culled primitive takes no place; each edge of a polygon takes one.
TEST(TriangleSetup, StoresAcceptedPrimitives) {
  Bench bench(structures::TileMap(), {.primitives = 2});
  bench.state->registers.raster.cull_mode = arch::kCullBack;
  for (uint32_t i = 0; i < 10; i++) bench.send({{-1, -1}, {0, 0}, {1, 1}}, i);
  bench.sim.run(bench.clock, 30);
  EXPECT_EQ(bench.box.counters.culled_empty, 10u);
  EXPECT_EQ(bench.box.storage.free(bench.clock.now()), 2u);
  bench.state->registers.raster.polygon_mode = static_cast<uint32_t>(arch::PolygonMode::kLine);
  bench.state->registers.raster.cull_mode = 0;
  bench.send({{-0.5f, -0.5f}, {0.5f, -0.5f}, {-0.5f, 0.5f}});
  bench.sim.run(bench.clock, 60);
  EXPECT_EQ(bench.fragments.received.size(), 2u);
  EXPECT_EQ(bench.box.counters.parts, 2u);
  EXPECT_EQ(bench.box.why_busy(), "a polygon is half set up");
  bench.fragments.received.clear();
  bench.sim.run(bench.clock, 60);
  EXPECT_EQ(bench.fragments.received.size(), 1u);
  EXPECT_EQ(bench.box.counters.parts, 3u);
}

TEST(TriangleSetup, EndsOfBatchesGoToAllRasterisersWithoutAPlace) {
  Bench bench(structures::TileMap(2), {.primitives = 1});
  bench.send_tile(0, 0, 1);
  PrimitiveMessage end = messages::testing::draw_end<PrimitiveMessage>(*bench.state);
  end.draw_end = false, end.batch_end = true;
  bench.clipper.messages.push_back(end), bench.clipper.wake();
  bench.sim.run(bench.clock, 60);
  ASSERT_EQ(bench.rasters[0]->received.size(), 2u);
  ASSERT_EQ(bench.rasters[1]->received.size(), 1u);
  for (const auto* raster : bench.rasters) {
    EXPECT_TRUE(raster->received.back().second.batch_end);
    EXPECT_FALSE(raster->received.back().second.draw_end);
  }
}

TEST(TriangleSetup, TheEndOfABatchTakesNoCycle) {
  Bench bench(structures::TileMap(2));
  bench.send_tile(0, 0, 1);
  bench.clipper.messages = messages::testing::two_batches(bench.clipper.messages[0]);
  bench.clipper.per_cycle = 2;
  for (auto* raster : bench.rasters) raster->per_cycle = 2;
  bench.sim.run(bench.clock, 80);
  messages::testing::expect_ends_pass_along(bench.rasters[0]->received);
  // The other one gets the ends alone: three cycles lie between those of the batches, one before the draw's.
  const auto& other = bench.rasters[1]->received;
  ASSERT_EQ(other.size(), 3u);
  EXPECT_EQ(other[0].first, bench.rasters[0]->received[3].first);
  EXPECT_EQ(other[1].first, other[0].first + 3);
  EXPECT_EQ(other[2].first, other[1].first + 1);
}

TEST(TriangleSetup, BlamesTheSlowRasteriser) {
  const auto blame = [](Cycle k) {
    Bench bench(structures::TileMap(2));
    bench.rasters[1]->interval = k;
    for (uint32_t i = 0; i < 60; i++) bench.send({{-1, -1}, {1, -1}, {-1, 1}}, i);
    bench.sim.run(bench.clock, 3000);
    EXPECT_EQ(bench.received(1).size(), 60u);
    const engine::Account account = messages::testing::account_of(bench.sim, bench.box);
    EXPECT_EQ(account.blocked_by("fragments"), 0u);
    return account.blocked_by("fragments1");
  };
  messages::testing::expect_blame_per_item(blame, 33);  // one is taken at once, 26 wait on the wire
}

}  // namespace
}  // namespace cutaway::boxes::triangle_setup_test
