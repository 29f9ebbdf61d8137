// Tests colors that are read while their quads are shaded.
#include <gtest/gtest.h>

#include "boxes/color_write/color_write.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

namespace cutaway::boxes::color_prefetch_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::testing::kColorAddress;

constexpr Cycle kMemory = 40;

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  ColorWrite& unit;
  Source<messages::ShadedQuad>& quads = sim.add<Source<messages::ShadedQuad>>(clock, "quads");
  Source<messages::QuadAhead>* ahead = nullptr;  // with prefetches
  Source<messages::Control>& orders = sim.add<Source<messages::Control>>(clock, "orders");
  Sink<messages::ControlDone>& done = sim.add<Sink<messages::ControlDone>>(clock, "done");
  Sink<messages::DrawDone>& draws = sim.add<Sink<messages::DrawDone>>(clock, "draws");
  messages::testing::MemoryModel& memory;

  explicit Bench(unsigned prefetches)
      : unit(sim.add<ColorWrite>(clock, "color", ColorWriteSpec{.prefetches = prefetches})),
        memory(sim.add<messages::testing::MemoryModel>(clock, "memory", kMemory)) {
    sim.connect(quads.out, unit.quads_in, {2, 1, 6});
    if (prefetches) {
      ahead = &sim.add<Source<messages::QuadAhead>>(clock, "ahead");
      sim.connect(ahead->out, unit.ahead_in, {1, 1, 2});
    }
    sim.connect(unit.draw_done, draws.in, {1, 1, 2});
    sim.connect(orders.out, unit.control_in, {1, 1, 2});
    sim.connect(unit.control_out, done.in, {1, 1, 2});
    sim.connect(unit.memory_out, memory.requests, {1, 1, 4});
    sim.connect(memory.replies, unit.memory_in, {1, 1, 4});
    memory.memory.map(0, 1 << 22);
    blend(true);
    sim.elaborate();
  }
  void blend(bool on) {
    auto& target = state->registers.color.target[0];
    target.blend = on;
    target.color_source = target.color_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
    state->prepare();
  }
  messages::QuadMessage quad(int32_t x) {
    messages::QuadMessage q;
    q.primitive = pools.primitives.allocate();
    q.state = state.get();
    q.origin.draw = 1;
    q.x = x, q.mask = 15;
    return q;
  }
  void tell(int32_t x) { ahead->messages.push_back({quad(x)}), ahead->wake(); }
  void send(int32_t x) {
    messages::ShadedQuad q{.quad = quad(x), .outputs = pools.fragment_outputs.allocate()};
    std::memset(q.outputs->output, 0, sizeof q.outputs->output);
    quads.messages.push_back(q), quads.wake();
  }
  // Returns the cycles from the call to the end of the draw.
  Cycle end() {
    const Cycle from = clock.now();
    messages::ShadedQuad q;
    q.quad = messages::testing::draw_end<messages::QuadMessage>(*state, 1);
    quads.messages.push_back(q), quads.wake();
    sim.run(clock, 500);
    EXPECT_EQ(draws.received.size(), 1u);
    return draws.received.empty() ? 0 : draws.received[0].first - from;
  }
};

// A quad that blends waits for memory and its wires, unless its color is in the cache when it comes.
TEST(ColorPrefetch, AQuadFindsTheColorsThatWereReadAhead) {
  Cycle times[2];
  for (const unsigned prefetches : {0u, 8u}) {
    Bench bench(prefetches);
    if (prefetches) bench.tell(0);
    bench.sim.run(bench.clock, 200);
    EXPECT_EQ(bench.memory.reads, prefetches ? 1u : 0u);
    bench.send(0);
    times[prefetches ? 1 : 0] = bench.end();
    EXPECT_EQ(bench.memory.reads, 1u);
    EXPECT_EQ(bench.unit.counters.prefetches, prefetches ? 1u : 0u);
    EXPECT_EQ(bench.unit.counters.cache_hits, prefetches ? 1u : 0u);
    EXPECT_EQ(bench.unit.counters.blended, 4u);
  }
  EXPECT_GE(times[0] - times[1], kMemory);
  EXPECT_LE(times[0] - times[1], kMemory + 2);
}

// The request leaves in the cycle in which the quad is told of.
TEST(ColorPrefetch, AsksInTheCycleOfItsMessage) {
  Bench bench(8);
  bench.tell(0);
  bench.sim.run(bench.clock, 3);  // told in 1, known in 2, at memory in 3
  ASSERT_EQ(bench.memory.seen.size(), 1u);
  EXPECT_EQ(bench.memory.seen[0].first, 3u);
}

TEST(ColorPrefetch, OpaqueColorsAreNotRead) {
  Bench bench(8);
  bench.blend(false);
  bench.tell(0);
  bench.sim.run(bench.clock, 100);
  EXPECT_EQ(bench.memory.reads, 0u);
  EXPECT_EQ(bench.unit.counters.prefetches + bench.unit.counters.prefetches_dropped, 0u);
}

// Tiles of 8 pixels are lines of their own.
TEST(ColorPrefetch, NoMoreAccessesAreUnderWayThanDeclared) {
  Bench bench(2);
  for (int32_t x = 0; x < 5; x++) bench.tell(8 * x);
  bench.sim.run(bench.clock, 30);
  EXPECT_EQ(bench.memory.reads, 2u);
  EXPECT_EQ(bench.unit.counters.prefetches, 2u);
  EXPECT_EQ(bench.unit.counters.prefetches_dropped, 3u);
  bench.sim.run(bench.clock, 100);
  for (int32_t x = 0; x < 5; x++) bench.send(8 * x);
  bench.end();
  EXPECT_EQ(bench.memory.reads, 5u) << "those are read when their quads come";
}

}  // namespace
}  // namespace cutaway::boxes::color_prefetch_test
