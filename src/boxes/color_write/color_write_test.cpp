#include "boxes/color_write/color_write.h"

#include <gtest/gtest.h>

#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/fragment_log.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

namespace cutaway::boxes::color_write_test {
namespace {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::Control;
using messages::ShadedQuad;
using messages::testing::kColorAddress;
using messages::testing::plain_state;

struct Bench {
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  ColorWrite& unit;
  Source<ShadedQuad>& quads = sim.add<Source<ShadedQuad>>(clock, "quads");
  Source<Control>& orders = sim.add<Source<Control>>(clock, "orders");
  Sink<messages::DrawDone>& draws = sim.add<Sink<messages::DrawDone>>(clock, "draws");
  Sink<messages::ControlDone>& done = sim.add<Sink<messages::ControlDone>>(clock, "done");
  messages::testing::MemoryModel& memory;

  explicit Bench(const ColorWriteSpec& spec = {}, Cycle latency = 10)
      : unit(sim.add<ColorWrite>(clock, "color", spec)),
        memory(sim.add<messages::testing::MemoryModel>(clock, "memory", latency)) {
    sim.connect(quads.out, unit.quads_in, {2, 1, 6});
    sim.connect(orders.out, unit.control_in, {1, 1, 2});
    sim.connect(unit.draw_done, draws.in, {1, 1, 2});
    sim.connect(unit.control_out, done.in, {1, 1, 2});
    sim.connect(unit.memory_out, memory.requests, {1, 1, 4});
    sim.connect(memory.replies, unit.memory_in, {1, 1, 4});
    memory.memory.map(0, 1 << 22);
    sim.elaborate();
  }
  void send(const messages::DrawState& state, int32_t x, int32_t y, float value, uint8_t mask = 15) {
    ShadedQuad q;
    q.quad.primitive = pools.primitives.allocate();
    q.quad.state = &state;
    q.quad.origin.draw = 1;
    q.quad.x = x, q.quad.y = y, q.quad.mask = mask;
    q.outputs = pools.fragment_outputs.allocate();
    for (auto& reg : q.outputs->output)
      for (auto& component : reg)
        for (uint32_t& lane : component) lane = std::bit_cast<uint32_t>(value);
    quads.messages.push_back(q), quads.wake();
  }
  void send_end(const messages::DrawState& state, uint32_t draw = 1) {
    ShadedQuad q;
    q.quad = messages::testing::draw_end<messages::QuadMessage>(state, draw);
    quads.messages.push_back(q), quads.wake();
  }
  void run(Cycle cycles) { sim.run(clock, cycles); }
  void flush() {
    orders.messages.push_back({Control::Kind::kFlush, {}}), orders.wake();
    run(600);
    EXPECT_EQ(done.received.size(), orders.messages.size());
  }
  uint32_t pixel(arch::Address address = kColorAddress) {
    uint32_t value;
    memory.memory.read(address, &value, 4);
    return value;
  }
};

TEST(ColorWrite, WritesOpaquePixelsWithoutReading) {
  Bench bench;
  auto state = plain_state();
  bench.send(*state, 0, 0, 1, 0b0101);
  bench.run(20);
  bench.flush();
  EXPECT_EQ(bench.memory.reads, 0u);
  ASSERT_EQ(bench.memory.writes, 1u);
  EXPECT_EQ(bench.memory.seen[0].second.mask, 0x000f000fu);  // two pixels of a column
  EXPECT_EQ(bench.pixel(), ~0u);
  EXPECT_EQ(bench.pixel(kColorAddress + 4), 0u);
  EXPECT_EQ(bench.unit.counters.fragments, 2u);
}

TEST(ColorWrite, BlendsInOrderWithStoredColors) {
  Bench bench;
  auto state = plain_state();
  auto& target = state->registers.color.target[0];
  target.blend = 1;
  target.color_source = target.alpha_source = static_cast<uint32_t>(arch::BlendFactor::kOne);
  target.color_destination = target.alpha_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
  target.color_op = target.alpha_op = static_cast<uint32_t>(arch::BlendOp::kAdd);
  state->prepare();
  const uint32_t before = 0x10101010;
  bench.memory.memory.write(kColorAddress, &before, 4);
  for (int i = 0; i < 3; i++) bench.send(*state, 0, 0, 16.0f / 255);
  bench.run(60);
  bench.flush();
  EXPECT_EQ(bench.pixel(), 0x40404040u);
  EXPECT_EQ(bench.memory.reads, 1u);
  EXPECT_EQ(bench.unit.counters.blended, 12u);
}

// A line of 256 bytes is a tile of 32 bits a pixel, whole once it has been read to be blended with, and two
// tiles of 16 bits, of which another unit may own one.
TEST(ColorWrite, WritesWholeLinesOfItsTilesIfDeclared) {
  const auto writes = [](bool whole_lines, arch::Format format) {
    Bench bench({.whole_lines = whole_lines});
    auto state = plain_state();
    auto& target = state->registers.color.target[0];
    target.surface.format = static_cast<uint32_t>(format);
    target.blend = 1;
    target.color_source = target.color_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
    state->prepare();
    bench.send(*state, 0, 0, 1);
    bench.run(60);
    bench.flush();
    return bench.memory.writes;
  };
  EXPECT_EQ(writes(true, arch::Format::R8G8B8A8_UNORM), 4u);
  EXPECT_EQ(writes(false, arch::Format::R8G8B8A8_UNORM), 1u);
  EXPECT_EQ(writes(true, arch::Format::R5G6B5_UNORM_PACK16), 1u);
}

// Color write has a latency of 2 cycles on the wire and no more (ATT-4): its draw is done on arrival.
TEST(ColorWrite, ADrawEndPassesWhenAllBeforeItIsWritten) {
  Bench bench;
  auto state = plain_state();
  bench.send(*state, 0, 0, 1);
  bench.send_end(*state, 7);
  bench.run(4);
  EXPECT_TRUE(bench.draws.received.empty());
  bench.run(1);  // sent in 2, arrives in 4, reported over a wire of 1
  ASSERT_EQ(bench.draws.received.size(), 1u);
  EXPECT_EQ(bench.draws.received[0].first, 5u);
  EXPECT_EQ(bench.draws.received[0].second.draw, 7u);
}

// One quad and target per cycle.
TEST(ColorWrite, TakesAQuadPerCycleAndTarget) {
  for (uint32_t targets : {1u, 2u, 4u}) {
    Bench bench;
    auto state = plain_state();
    for (uint32_t t = 1; t < targets; t++) {
      state->registers.color.target[t] = state->registers.color.target[0];
      state->registers.color.target[t].surface.address = kColorAddress + t * 0x10000;
    }
    state->prepare();
    for (uint32_t i = 0; i < 64; i++) bench.send(*state, 0, 0, 1);
    bench.send_end(*state);
    bench.run(400);
    ASSERT_EQ(bench.draws.received.size(), 1u);
    EXPECT_EQ(bench.draws.received[0].first, 3 + 64 * targets + 1);
    bench.flush();
    for (uint32_t t = 0; t < targets; t++) EXPECT_EQ(bench.pixel(kColorAddress + t * 0x10000), ~0u);
  }
}

// Quads of 16 bytes take one cycle; wider pixels take proportionally more (OUT-DX-5).
TEST(ColorWrite, WidePixelsTakeSeveralCycles) {
  const auto end_of = [](arch::Format format, unsigned bytes_per_cycle) {
    ColorWriteSpec spec;
    spec.bytes_per_cycle = bytes_per_cycle;
    Bench bench(spec);
    auto state = plain_state();
    state->registers.color.target[0].surface = messages::testing::surface(format, 64, 64, kColorAddress);
    state->prepare();
    for (uint32_t i = 0; i < 64; i++) bench.send(*state, 0, 0, 1);
    bench.send_end(*state);
    bench.run(1000);
    EXPECT_EQ(bench.draws.received.size(), 1u);
    return bench.draws.received.empty() ? 0 : bench.draws.received[0].first;
  };
  using enum arch::Format;
  for (const auto format : {R8G8B8A8_UNORM, R16G16B16A16_SFLOAT, R32G32B32A32_SFLOAT, R8_UNORM})
    EXPECT_EQ(end_of(format, 0), 3 + 64 + 1u);
  EXPECT_EQ(end_of(R8_UNORM, 16), 3 + 64 + 1u);
  EXPECT_EQ(end_of(R8G8B8A8_UNORM, 16), 3 + 64 + 1u);
  EXPECT_EQ(end_of(R16G16B16A16_SFLOAT, 16), 3 + 63 * 2 + 2u);
  EXPECT_EQ(end_of(R32G32B32A32_SFLOAT, 16), 3 + 63 * 4 + 2u);
  EXPECT_EQ(end_of(R8G8B8A8_UNORM, 10), 3 + 63 * 2 + 2u);
}

TEST(ColorWrite, BlamesSlowMemory) {
  const auto account = [](Cycle latency, Cycle interval) {
    Bench bench({}, latency);
    bench.memory.interval = interval;
    auto state = plain_state();
    state->registers.color.target[0].blend = 1;
    state->registers.color.target[0].color_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
    state->prepare();
    for (int32_t i = 0; i < 8; i++) bench.send(*state, 8 * i, 0, 0.5f);
    bench.run(2000);
    return messages::testing::account_of(bench.sim, bench.unit).starved_by("memory");
  };
  // Misses overlap: a longer latency is paid once, a slower memory by each miss.
  EXPECT_EQ(account(50, 1) - account(20, 1), 30u);
  EXPECT_EQ(account(20, 110) - account(20, 100), 7 * 10u);
}

TEST(ColorWrite, ADrawEndTellsTheSamplesThatPassed) {
  Bench bench;
  auto counted = plain_state();
  counted->registers.query.samples_passed = 1;
  counted->registers.color.target[0].write_mask = 0;  // counts even without a target
  counted->prepare();
  auto early = plain_state();
  early->registers.query.samples_passed = 1;
  early->registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags |= arch::kShaderEarlyTests;
  bench.send(*counted, 0, 0, 1, 0b0111);
  bench.send(*counted, 8, 0, 1);
  bench.send_end(*counted, 1);
  bench.send(*early, 0, 0, 1);  // counted by the early test
  bench.send_end(*early, 2);
  bench.quads.messages.back().samples = 5;
  bench.run(100);
  ASSERT_EQ(bench.draws.received.size(), 2u);
  EXPECT_EQ(bench.draws.received[0].second.samples, 7u);
  EXPECT_EQ(bench.draws.received[1].second.samples, 5u);
}

// Its quads are taken while the end before waits for a slow write.
TEST(ColorWrite, ADrawEndTellsNoSamplesOfTheNextDraw) {
  ColorWriteSpec spec;
  spec.bytes_per_cycle = 1;
  Bench bench(spec);
  auto plain = plain_state(), counted = plain_state();
  counted->registers.query.samples_passed = 1;
  for (int32_t x = 0; x < 64; x += 8) bench.send(*plain, x, 0, 1);
  bench.send_end(*plain, 1);
  for (int32_t x = 0; x < 64; x += 8) bench.send(*counted, x, 8, 1);
  bench.send_end(*counted, 2);
  bench.run(2000);
  ASSERT_EQ(bench.draws.received.size(), 2u);
  EXPECT_EQ(bench.draws.received[0].second.samples, 0u);
  EXPECT_EQ(bench.draws.received[1].second.samples, 8u * 4);
}

TEST(ColorWrite, ADroppedDirtyBitLosesAPixel) {
  Bench bench;
  auto state = plain_state();
  bench.unit.cache().drop_dirty_bit(2);
  bench.send(*state, 0, 0, 1);
  bench.run(20);
  bench.flush();
  EXPECT_EQ(bench.pixel(), ~0u);
  EXPECT_EQ(bench.pixel(kColorAddress + 4), 0u);
}

// A job for each live sample: one per cycle, each to the sample's own tile.
TEST(ColorWrite, WritesEachSampleToItsTile) {
  Bench bench;
  auto state = plain_state();
  state->registers.raster.samples = 4;
  state->registers.color.target[0].surface.type |= 2u << 16;
  state->prepare();
  bench.send(*state, 2, 0, 1, 0);
  bench.quads.messages.back().quad.covered = 0xffff;
  bench.quads.messages.back().quad.alive = 0x8051;  // sample 0: lane 0; 1: lanes 0 and 2; 3: lane 3
  bench.run(20);
  bench.flush();
  EXPECT_EQ(bench.unit.counters.quads, 1u);
  EXPECT_EQ(bench.unit.counters.fragments, 4u);
  const auto at = [&](uint32_t sample, uint32_t x, uint32_t y) {
    return bench.pixel(kColorAddress + 256 * sample + 4 * (y * 4 + x));
  };
  EXPECT_EQ(at(0, 2, 0), ~0u);
  EXPECT_EQ(at(0, 3, 0), 0u);
  EXPECT_EQ(at(1, 2, 0), ~0u);
  EXPECT_EQ(at(1, 2, 1), ~0u);
  EXPECT_EQ(at(2, 2, 0), 0u);
  EXPECT_EQ(at(3, 3, 1), ~0u);
}

TEST(ColorWrite, HoldsAsManyQuadsAsItsQueue) {
  for (unsigned size : {1u, 5u, 64u}) {
    Bench bench({.queue = size}, 100'000);
    auto state = plain_state();
    state->registers.color.target[0].blend = 1;
    state->registers.color.target[0].color_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
    state->prepare();
    for (int i = 0; i < 120; i++) bench.send(*state, 0, 0, 1);
    bench.run(300);
    EXPECT_EQ(bench.unit.counters.quads, size);
    EXPECT_EQ(bench.quads.sent.size(), size + 6);
    EXPECT_GT(messages::testing::account_of(bench.sim, bench.unit).starved_by("memory"), 200u);
  }
}

TEST(ColorWrite, BlamesAProcessorThatDoesNotTakeDrawEnds) {
  Bench bench({.queue = 3});
  auto state = plain_state();
  bench.draws.refuse = true;
  for (uint32_t i = 0; i < 20; i++) bench.send_end(*state, i);
  bench.run(100);
  EXPECT_EQ(bench.quads.sent.size(), 2u + 3 + 6);
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.unit).blocked_by("draws"), 80u);
}

TEST(ColorWrite, CountsWrittenAndBlendedPerTarget) {
  Bench bench;
  auto state = plain_state();
  auto& target = state->registers.color.target;
  target[1] = target[0];
  target[1].surface.address = kColorAddress + 0x10000;
  target[1].blend = 1;
  target[1].color_destination = static_cast<uint32_t>(arch::BlendFactor::kOne);
  state->prepare();
  bench.send(*state, 0, 0, 1, 0b0111);
  bench.send(*state, 2, 0, 1, 0b0001);
  bench.send(*state, 64 - 2, 62, 1);
  bench.run(100);
  const ColorWriteCounters& counters = bench.unit.counters;
  EXPECT_EQ(counters.quads, 3u);
  EXPECT_EQ(counters.fragments, 2u * (3 + 1 + 4));
  EXPECT_EQ(counters.blended, 3u + 1 + 4);
  EXPECT_EQ(counters.cache_misses, 4u);
  EXPECT_EQ(counters.cache_hits, 2u);
}

TEST(ColorWrite, ATileCountsTheFragmentsThatAreWritten) {
  Bench bench;
  messages::TileCounts tiles(64, 64);
  auto state = plain_state();
  state->tiles = &tiles;
  bench.send(*state, 8, 0, 1, 0b0111);
  bench.send(*state, 14, 6, 1, 0b0001);
  bench.run(20);
  EXPECT_EQ(tiles.tile(1, 0).written, 3u + 1);
  EXPECT_EQ(tiles.tile(0, 0).written, 0u);
}

TEST(ColorWrite, TheLogTellsEachSample) {
  Bench bench;
  messages::FragmentLog log(bench.clock, 10);
  auto state = plain_state();
  state->registers.raster.samples = 4;
  state->registers.color.target[0].surface.type |= 2u << 16;
  state->prepare();
  state->log = &log;
  bench.send(*state, 2, 0, 1, 0);
  bench.quads.messages.back().quad.alive = 0x8051;  // sample 0: lane 0; 1: lanes 0 and 2; 3: lane 3
  bench.run(20);
  using Kind = run_record::FragmentEvent::Kind;
  const auto events = log.sorted();
  ASSERT_EQ(events.size(), 3u);
  const std::pair<uint8_t, uint8_t> expected[] = {{0, 0b0001}, {1, 0b0101}, {3, 0b1000}};
  for (size_t i = 0; i < 3; i++) {
    EXPECT_EQ(events[i].sample, expected[i].first);
    EXPECT_EQ(events[i].lanes, expected[i].second);
    EXPECT_EQ(events[i].kind, i ? Kind::kUnseen : Kind::kWritten);
  }
}

TEST(ColorWrite, TheLogTellsFragmentsThatAreWrittenNowhere) {
  Bench bench;
  messages::FragmentLog log(bench.clock, 10);
  auto state = plain_state();
  state->registers.color.target[0].write_mask = 0;
  state->prepare();
  state->log = &log;
  bench.send(*state, 0, 0, 1, 0b1010);
  bench.run(20);
  const auto events = log.sorted();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, run_record::FragmentEvent::Kind::kPassed);
  EXPECT_EQ(events[0].lanes, 0b1010);
}

}  // namespace
}  // namespace cutaway::boxes::color_write_test
