#include "boxes/clipper/clipper.h"

#include <gtest/gtest.h>
#include <limits>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

namespace cutaway::boxes::clipper_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::PrimitiveMessage;

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  Clipper& box = sim.add<Clipper>(clock, "clipper");
  Source<PrimitiveMessage>& assembly = sim.add<Source<PrimitiveMessage>>(clock, "assembly");
  Sink<PrimitiveMessage>& setup = sim.add<Sink<PrimitiveMessage>>(clock, "setup");

  Bench() {
    sim.connect(assembly.out, box.primitives_in, {1, 2, 5});
    sim.connect(box.primitives_out, setup.in, {6, 2, 18});
    sim.elaborate();
  }
  // Sends a triangle around x, with depth z.
  void send(float x, float z = 0, uint32_t id = 0) {
    PrimitiveMessage message;
    message.vertex = {messages::testing::vertex(pools, x - 0.1f, -0.1f, z),
                      messages::testing::vertex(pools, x + 0.1f, -0.1f, z),
                      messages::testing::vertex(pools, x, 0.1f, z)};
    message.state = state.get();
    message.vertices = 3;
    message.origin = {.draw = 1, .primitive = id};
    assembly.messages.push_back(message), assembly.wake();
  }
};

TEST(Clipper, RejectsPrimitivesOutsideAPlane) {
  Bench bench;
  const float kCases[][2] = {{0, 0}, {5, 0}, {1, 0.5f}, {-5, 0}, {0, 2}, {0, -1}, {0, 1}};
  for (uint32_t i = 0; i < std::size(kCases); i++) bench.send(kCases[i][0], kCases[i][1], i);
  bench.send(0, std::numeric_limits<float>::quiet_NaN(), 7);
  bench.assembly.messages.push_back(messages::testing::draw_end<PrimitiveMessage>(*bench.state));
  bench.sim.run(bench.clock, 50);
  std::vector<uint32_t> passed;
  for (const auto& [cycle, message] : bench.setup.received)
    passed.push_back(message.draw_end ? 99 : message.origin.primitive);
  EXPECT_EQ(passed, (std::vector<uint32_t>{0, 2, 6, 99}));
  EXPECT_EQ(bench.box.counters.primitives, 8u);
  EXPECT_EQ(bench.box.counters.rejected, 5u);
}

TEST(Clipper, DiscardsEverythingWhenTheRasteriserIsOff) {
  Bench bench;
  bench.state->registers.raster.rasterizer_discard = 1;
  bench.send(0);
  bench.assembly.messages.push_back(messages::testing::draw_end<PrimitiveMessage>(*bench.state));
  bench.sim.run(bench.clock, 50);
  ASSERT_EQ(bench.setup.received.size(), 1u);
  EXPECT_TRUE(bench.setup.received[0].second.draw_end);
}

// 1 triangle per cycle (ATT-3), 6 cycles latency (ATT-4).
TEST(Clipper, PassesATrianglePerCycleSixCyclesLater) {
  Bench bench;
  for (uint32_t i = 0; i < 40; i++) bench.send(0, 0, i);
  bench.sim.run(bench.clock, 60);
  ASSERT_EQ(bench.setup.received.size(), 40u);
  for (size_t i = 0; i < 40; i++) EXPECT_EQ(bench.setup.received[i].first, 2 + 6 + i);
}

TEST(Clipper, TheEndOfABatchTakesNoCycle) {
  Bench bench;
  bench.send(0);
  bench.assembly.messages = messages::testing::two_batches(bench.assembly.messages[0]);
  bench.assembly.per_cycle = bench.setup.per_cycle = 2;
  bench.sim.run(bench.clock, 50);
  messages::testing::expect_ends_pass_along(bench.setup.received);
}

// The primitive is rejected; the end of its batch still passes.
TEST(Clipper, PassesTheEndOfABatchThatIsRejected) {
  Bench bench;
  bench.send(5);
  bench.assembly.messages = messages::testing::two_batches(bench.assembly.messages[0]);
  bench.sim.run(bench.clock, 50);
  ASSERT_EQ(bench.setup.received.size(), 3u);
  EXPECT_TRUE(bench.setup.received[1].second.batch_end);
  EXPECT_TRUE(bench.setup.received[2].second.draw_end);
}

TEST(Clipper, BlamesASlowSetup) {
  const auto blame = [](Cycle k) {
    Bench bench;
    for (uint32_t i = 0; i < 60; i++) bench.send(0, 0, i);
    bench.setup.interval = k;
    bench.sim.run(bench.clock, 2000);
    return messages::testing::account_of(bench.sim, bench.box).blocked_by("setup");
  };
  messages::testing::expect_blame_per_item(blame, 60 - 1 - 18);  // one is taken at once, 18 are on the wire
}

TEST(Clipper, HoldsNothingItself) {
  Bench bench;
  bench.setup.refuse = true;
  for (uint32_t i = 0; i < 60; i++) bench.send(0, 0, i);
  bench.sim.run(bench.clock, 200);
  EXPECT_EQ(bench.assembly.sent.size(), 18u + 5);
  EXPECT_EQ(bench.box.counters.primitives, 18u);
}

}  // namespace
}  // namespace cutaway::boxes::clipper_test
