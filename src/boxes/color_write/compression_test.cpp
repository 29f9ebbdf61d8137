#include <bit>
#include <gtest/gtest.h>

#include "boxes/color_write/color_write.h"
#include "boxes/memory_controller/memory_controller.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

// Samples are written back once, by a unit before a memory controller with block tags.
namespace cutaway::boxes::compression_test {
namespace {

using engine::testing::Sink;
using engine::testing::Source;
using messages::Control;
using messages::ShadedQuad;
using messages::testing::kColorAddress;
using messages::testing::plain_state;

constexpr uint32_t kSamples = 4;

struct Bench {
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  arch::Memory memory;
  ColorWrite& unit;
  MemoryController& controller;
  Source<ShadedQuad>& quads = sim.add<Source<ShadedQuad>>(clock, "quads");
  Source<Control>& orders = sim.add<Source<Control>>(clock, "orders");
  Sink<messages::DrawDone>& draws = sim.add<Sink<messages::DrawDone>>(clock, "draws");
  Sink<messages::ControlDone>& done = sim.add<Sink<messages::ControlDone>>(clock, "done");
  Source<messages::ClearBlocks>& clears = sim.add<Source<messages::ClearBlocks>>(clock, "clears");
  Sink<messages::BlocksCleared>& cleared = sim.add<Sink<messages::BlocksCleared>>(clock, "cleared");
  std::unique_ptr<messages::DrawState> state = plain_state();

  uint32_t samples;

  explicit Bench(bool compression, bool clear = true, uint32_t samples_in = kSamples)
      : unit(sim.add<ColorWrite>(clock, "color", ColorWriteSpec{.compression = compression})),
        controller(sim.add<MemoryController>(clock, "memory", MemoryControllerSpec{}, 1u, memory)),
        samples(samples_in) {
    sim.connect(quads.out, unit.quads_in, {2, 1, 6});
    sim.connect(orders.out, unit.control_in, {1, 1, 2});
    sim.connect(unit.draw_done, draws.in, {1, 1, 2});
    sim.connect(unit.control_out, done.in, {1, 1, 2});
    sim.connect(unit.memory_out, controller.requests[0], {1, 1, 8});
    sim.connect(controller.replies[0], unit.memory_in, {1, 1, 8});
    sim.connect(clears.out, controller.clears_in, {1, 1, 2});
    sim.connect(controller.cleared_out, cleared.in, {1, 1, 2});
    memory.map(0, 1 << 22);
    state->registers.raster.samples = samples;
    state->registers.raster.sample_mask = ~0u;
    arch::Surface& surface = state->registers.color.target[0].surface;
    surface.type =
        arch::Surface::make_type(surface.surface_type(), arch::Tiling::kTiled, std::countr_zero(samples));
    state->prepare();
    sim.elaborate();
    if (!clear) return;
    func::ClearValue black{.mask = ~0ull};
    const func::ClearRun layer{kColorAddress, 64 * 256 * samples};
    clears.messages.push_back({.layer = layer, .run = layer, .value = black}), clears.wake();
    sim.run(clock, 100);
  }
  // Draws the tile at the origin in one color. alive: samples by lane.
  void tile(float value, uint32_t alive = 0xffff) {
    for (int32_t y = 0; y < 8; y += 2)
      for (int32_t x = 0; x < 8; x += 2) quad(x, y, value, alive);
    sim.run(clock, 200);
  }
  void quad(int32_t x, int32_t y, float value, uint32_t alive) {
    ShadedQuad q;
    q.quad.primitive = pools.primitives.allocate();
    q.quad.state = state.get();
    q.quad.origin.draw = 1;
    q.quad.x = x, q.quad.y = y, q.quad.mask = 15, q.quad.alive = alive;
    q.outputs = pools.fragment_outputs.allocate();
    for (auto& reg : q.outputs->output)
      for (auto& component : reg)
        for (uint32_t& lane : component) lane = std::bit_cast<uint32_t>(value);
    quads.messages.push_back(q), quads.wake();
  }
  void order(Control::Kind kind) {
    orders.messages.push_back({kind, {}}), orders.wake();
    sim.run(clock, 1000);
    ASSERT_EQ(done.received.size(), orders.messages.size());
  }
  uint32_t pixel(uint32_t sample, uint32_t x = 0, uint32_t y = 0) {
    arch::Memory view = memory;
    controller.tags().expand_into(view);
    return view.read_as<uint32_t>(kColorAddress + arch::tiled_offset(x, y, 0, 4, samples, sample));
  }
  uint64_t written() const { return controller.client_counters[0].write_bytes; }
  uint64_t read() const { return controller.client_counters[0].read_bytes; }
};

TEST(ColorCompression, EqualSamplesAreWrittenOnce) {
  for (const bool compression : {false, true}) {
    Bench bench(compression);
    bench.tile(1);
    bench.order(Control::Kind::kFlush);
    EXPECT_EQ(bench.written(), compression ? 256u : 1024u);
    EXPECT_EQ(bench.read(), 0u);
    for (uint32_t sample = 0; sample < kSamples; sample++) EXPECT_EQ(bench.pixel(sample, 7, 7), ~0u);
    const ColorWriteCounters& counters = bench.unit.counters;
    EXPECT_EQ(counters.fragments, 256u);
    EXPECT_EQ(counters.stacks, compression ? 4u : 0u);
    EXPECT_EQ(counters.stacked_sectors, compression ? 16u : 0u);
    EXPECT_EQ(counters.apart_sectors, 0u);
  }
}

TEST(ColorCompression, EqualPairsAreWrittenOnce) {
  Bench bench(true, true, 2);
  bench.tile(1, 0xff);
  bench.order(Control::Kind::kFlush);
  EXPECT_EQ(bench.written(), 256u);
  EXPECT_EQ(bench.unit.counters.stacks, 4u);
  EXPECT_EQ(bench.unit.counters.stacked_sectors, 8u);
  for (uint32_t sample = 0; sample < 2; sample++) EXPECT_EQ(bench.pixel(sample, 7, 7), ~0u);
}

TEST(ColorCompression, OnlySectorsWithAnEdgeAreWrittenForEachSample) {
  Bench bench(true);
  bench.tile(1);
  bench.quad(4, 0, 0, 0x0700);  // sample 2 of three pixels
  bench.sim.run(bench.clock, 50);
  bench.order(Control::Kind::kFlush);
  EXPECT_EQ(bench.unit.counters.stacks, 3u);
  EXPECT_EQ(bench.unit.counters.apart_sectors, 4u);
  EXPECT_EQ(bench.written(), (3 + 4) * 64u);
  EXPECT_EQ(bench.pixel(2, 4, 0), 0u);
  EXPECT_EQ(bench.pixel(1, 4, 0), ~0u);
}

TEST(ColorCompression, APlainSurfaceIsWrittenForEachSample) {
  Bench bench(true, false);
  bench.tile(1);
  bench.order(Control::Kind::kFlush);
  EXPECT_EQ(bench.unit.counters.stacks, 0u);
  EXPECT_EQ(bench.unit.counters.apart_sectors, 0u);
  EXPECT_EQ(bench.written(), 1024u);
}

// One sample of a shared sector is drawn later: the rest of its sector is read, and the other samples stay
// shared.
TEST(ColorCompression, SingleSampleDrawKeepsOtherSamplesShared) {
  Bench bench(true);
  bench.tile(1);
  bench.order(Control::Kind::kFlush);
  bench.order(Control::Kind::kInvalidate);
  const uint64_t before = bench.written();
  bench.quad(0, 0, 0, 0x0001);
  bench.sim.run(bench.clock, 50);
  bench.order(Control::Kind::kFlush);
  EXPECT_EQ(bench.written() - before, 64u);
  EXPECT_EQ(bench.read(), 64u);
  EXPECT_EQ(bench.pixel(0, 0, 0), 0u);
  EXPECT_EQ(bench.pixel(0, 1, 0), ~0u);
  EXPECT_EQ(bench.pixel(3, 0, 0), ~0u);
  EXPECT_EQ(bench.controller.tags().counters.parted_sectors, 0u);
  // The last sample: its shared bytes are copied to the others.
  bench.quad(0, 0, 0, 0x1000);
  bench.sim.run(bench.clock, 50);
  bench.order(Control::Kind::kFlush);
  EXPECT_EQ(bench.controller.tags().counters.parted_sectors, 2u);
  EXPECT_EQ(bench.pixel(1, 0, 0), ~0u);
  EXPECT_EQ(bench.pixel(2, 3, 3), ~0u);
}

}  // namespace
}  // namespace cutaway::boxes::compression_test
