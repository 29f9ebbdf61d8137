#pragma once

#include <string>
#include <vector>

#include "boxes/z_stencil/z_stencil.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

// A Z and stencil unit between mock neighbours.
namespace cutaway::boxes::z_stencil_bench {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::Control;
using messages::QuadMessage;
using messages::ShadedQuad;

inline ShadedQuad shaded(const QuadMessage& quad) {
  ShadedQuad s;
  s.quad = quad;
  return s;
}

struct Bench {
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  ZStencil& unit;
  std::vector<Source<QuadMessage>*> rasters;
  Source<QuadMessage>& hz;
  Source<ShadedQuad>& buffer = sim.add<Source<ShadedQuad>>(clock, "buffer");
  Source<Control>& orders = sim.add<Source<Control>>(clock, "orders");
  Sink<QuadMessage>& interpolator = sim.add<Sink<QuadMessage>>(clock, "interpolator");
  Sink<ShadedQuad>& color = sim.add<Sink<ShadedQuad>>(clock, "color");
  Sink<messages::QuadAhead>* ahead = nullptr;  // with tells_color
  std::vector<Sink<messages::HzUpdate>*> told;
  Sink<messages::HzUpdate>& updates;
  Sink<messages::ControlDone>& done = sim.add<Sink<messages::ControlDone>>(clock, "done");
  messages::testing::MemoryModel& memory;

  explicit Bench(const ZStencilSpec& spec = {}, Cycle latency = 10,
                 const structures::TileMap& map = structures::TileMap(), bool sends_dead = false,
                 bool tells_color = false)
      : unit(sim.add<ZStencil>(clock, "z", spec, map, sends_dead, tells_color)),
        hz(sim.add<Source<QuadMessage>>(clock, "hz")),
        updates(sim.add<Sink<messages::HzUpdate>>(clock, "updates")),
        memory(sim.add<messages::testing::MemoryModel>(clock, "memory", latency)) {
    rasters.push_back(&hz), told.push_back(&updates);
    for (unsigned i = 1; i < map.units(); i++) {
      rasters.push_back(&sim.add<Source<QuadMessage>>(clock, "hz" + std::to_string(i)));
      told.push_back(&sim.add<Sink<messages::HzUpdate>>(clock, "updates" + std::to_string(i)));
    }
    for (unsigned i = 0; i < map.units(); i++) {
      sim.connect(rasters[i]->out, unit.quads_in[i], {1, 32, 64});
      sim.connect(unit.updates_out[i], told[i]->in, {1, 1, 4});
    }
    sim.connect(buffer.out, unit.late_in, {1, 1, 4});
    sim.connect(orders.out, unit.control_in, {1, 1, 2});
    sim.connect(unit.quads_out, interpolator.in, {2, 1, 6});
    sim.connect(unit.late_out, color.in, {2, 1, 6});
    if (tells_color) {
      ahead = &sim.add<Sink<messages::QuadAhead>>(clock, "ahead");
      sim.connect(unit.ahead_out, ahead->in, {1, 1, 2});
    }
    sim.connect(unit.control_out, done.in, {1, 1, 2});
    sim.connect(unit.memory_out, memory.requests, {1, 1, 4});
    sim.connect(memory.replies, unit.memory_in, {1, 1, 4});
    memory.memory.map(0, 1 << 22);
    const std::vector<uint32_t> far(1 << 14, 0xffffff);
    memory.memory.write(messages::testing::kDepthAddress, far.data(), 4 * far.size());
    sim.elaborate();
  }
  void send(const QuadMessage& quad, unsigned raster = 0) {
    rasters[raster]->messages.push_back(quad), rasters[raster]->wake();
  }
  void send_late(const ShadedQuad& quad) { buffer.messages.push_back(quad), buffer.wake(); }
  void run(Cycle cycles) { sim.run(clock, cycles); }
  void flush() {
    orders.messages.push_back({Control::Kind::kFlush, {}});
    orders.wake();
    run(400);
    EXPECT_EQ(done.received.size(), orders.messages.size());
  }
  uint32_t stored(uint32_t pixel = 0) {
    uint32_t value;
    memory.memory.read(messages::testing::kDepthAddress + 4 * pixel, &value, 4);
    return value;
  }
};

}  // namespace cutaway::boxes::z_stencil_bench
