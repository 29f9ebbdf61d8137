#pragma once

#include <functional>

#include "boxes/geometry_shading/geometry_shading.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"

// Geometry shading between primitive assembly, shader units and a clipper.
namespace cutaway::boxes::geometry_shading_bench {

using arch::Stage;
using arch::Topology;
using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::DrawAssembled;
using messages::EmittedPrimitives;
using messages::PrimitiveMessage;
using messages::VertexGroup;

// Runs groups: each ends `latency(first primitive's id)` cycles after its arrival, in any order. Each lane
// emits as `emits` says: streams, and '|' for the end of a strip.
class Units final : public engine::Box {
 public:
  explicit Units(std::string path) : Box(std::move(path)) {}
  engine::In<VertexGroup> in;
  engine::Out<EmittedPrimitives> out;
  uint32_t outputs = 1;
  std::function<Cycle(uint32_t id)> latency = [](uint32_t) { return 10; };
  std::function<std::string(uint32_t id, uint32_t invocation)> emits = [](uint32_t, uint32_t) {
    return "000";
  };
  std::vector<std::pair<Cycle, std::vector<uint32_t>>> seen;  // arrival, and ids of the lanes
  std::vector<uint32_t> invocations;                          // by lane

  Cycle tick(Cycle now) override {
    bool progress = false;
    auto done = std::find_if(under_way_.begin(), under_way_.end(), [&](auto& g) { return g.first <= now; });
    if (done != under_way_.end() && out.ready(now)) {
      out.send(now, {std::move(done->second.primitives), done->second.slot});
      under_way_.erase(done);
      progress = true;
    }
    if (in.peek(now)) {
      VertexGroup group = in.take(now);
      run(group);
      auto& ids = seen.emplace_back(now, std::vector<uint32_t>()).second;
      for (uint32_t lane = 0; lane < group.lanes; lane++) {
        ids.push_back(group.primitives->id[lane]);
        invocations.push_back(group.primitives->invocation[lane]);
      }
      under_way_.emplace_back(now + latency(ids.front()), std::move(group));
      progress = true;
    }
    Cycle next = engine::kAsleep;
    for (const auto& group : under_way_) next = std::min(next, std::max(now + 1, group.first));
    return progress ? busy(now) : idle(now, next);
  }
  void list_ports(engine::PortList& list) override { list("in", in), list("out", out); }
  std::string why_busy() const override { return under_way_.empty() ? "" : "groups"; }

 private:
  // The first word of a vertex encodes its primitive, its invocation, and its number in the lane.
  void run(VertexGroup& group) const {
    for (uint32_t lane = 0; lane < group.lanes; lane++) {
      const uint32_t id = group.primitives->id[lane], invocation = group.primitives->invocation[lane];
      func::EmittedStrips& emitted = group.primitives->emitted[lane];
      uint32_t number = 0, stream = 0;
      for (const char what : emits(id, invocation)) {
        if (what == '|') {
          emitted.cut(stream);
          continue;
        }
        stream = static_cast<uint32_t>(what - '0');
        if (!emitted.emit(stream, group.state->registers.geometry.max_vertices)) continue;
        emitted.add_word(100 * id + 10 * invocation + number++);
        for (uint32_t i = 1; i < 4 * outputs; i++) emitted.add_word(i);
      }
    }
  }
  std::vector<std::pair<Cycle, VertexGroup>> under_way_;
};

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state(),
                                       plain = messages::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  GeometryShading& box;
  Source<PrimitiveMessage>& assembly = sim.add<Source<PrimitiveMessage>>(clock, "assembly");
  Units& units = sim.add<Units>(clock, "units");
  Sink<PrimitiveMessage>& clipper = sim.add<Sink<PrimitiveMessage>>(clock, "clipper");
  Sink<DrawAssembled>& processor = sim.add<Sink<DrawAssembled>>(clock, "processor");
  uint32_t id = 0;

  // lanes: per group.
  explicit Bench(const GeometryShadingSpec& spec = {}, unsigned lanes = 4, uint32_t outputs = 1)
      : box(sim.add<GeometryShading>(clock, "geometry", spec, 0u, 1u, lanes, pools)) {
    std::string text;
    for (uint32_t i = 0; i < outputs; i++) text += fmt::format("MOV o{}, c0\n", i);
    messages::testing::add_program(*state, Stage::kGeometry, text + "EMIT 0\nEND\n", lanes);
    units.outputs = outputs;
    state->registers.geometry.output_topology = static_cast<uint32_t>(Topology::kTriangleStrip);
    state->registers.geometry.max_vertices = 3;
    sim.connect(assembly.out, box.primitives_in, {1, 2, 5});
    sim.connect(box.groups_out, units.in, {1, 1, 4});
    sim.connect(units.out, box.emitted_in[0], {1, 1, 2});
    sim.connect(box.primitives_out, clipper.in, {1, 2, 5});
    sim.connect(box.assembled_out, processor.in, {1, 1, 2});
    sim.connect(box.storage, clipper.in);
    sim.elaborate();
  }
  void send(PrimitiveMessage message, uint32_t draw = 1) {
    message.origin.draw = draw;
    assembly.messages.push_back(std::move(message)), assembly.wake();
  }
  void primitives(uint32_t count, uint32_t draw = 1) {
    for (uint32_t i = 0; i < count; i++) {
      PrimitiveMessage message;
      message.whole = pools.whole_primitives.allocate();
      message.state = state.get();
      message.origin.primitive = id++;
      send(std::move(message), draw);
    }
  }
  void end(uint32_t draw = 1, bool batch = false) {
    PrimitiveMessage message;
    message.state = state.get();
    message.draw_end = !batch, message.batch_end = batch;
    send(std::move(message), draw);
    if (!batch) id = 0;
  }
  void pass(uint32_t draw) {
    PrimitiveMessage message;
    message.state = plain.get();
    message.vertices = 3;
    send(std::move(message), draw);
  }
  void run(Cycle cycles = 1000) { sim.run(clock, cycles); }
  // The first word of each vertex, by primitive; ends are empty.
  std::vector<std::vector<uint32_t>> sent() const {
    std::vector<std::vector<uint32_t>> all;
    for (const auto& [cycle, message] : clipper.received) {
      all.emplace_back();
      for (uint32_t i = 0; i < message.vertices; i++)
        all.back().push_back(message.vertex[i] ? message.vertex[i]->output[0][0] : 7777);
    }
    return all;
  }
  Cycle time(size_t i) const { return clipper.received.at(i).first; }
};

}  // namespace cutaway::boxes::geometry_shading_bench
