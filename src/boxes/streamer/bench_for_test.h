#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "boxes/streamer/streamer.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "messages/testing/draws.h"
#include "messages/testing/memory_model.h"

// A streamer between memories, a shader unit and primitive assembly.
namespace cutaway::boxes::streamer_bench {

using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::DrawCommand;
using messages::ShadedVertices;
using messages::VertexGroup;
using messages::VertexMessage;

inline constexpr arch::Address kVertices = 0x10000, kIndices = 0x20000;

// Shades a group in a fixed time: a vertex's output 0 is its input 0 and its id.
class Shader final : public engine::Box {
 public:
  Shader(std::string path, messages::Pools& pools, uint32_t lanes)
      : Box(std::move(path)), pools_(pools), lanes_(lanes) {}
  engine::In<VertexGroup> groups_in;
  engine::Out<ShadedVertices> vertices_out;
  Cycle latency = 10;
  std::vector<uint32_t> sizes;

  Cycle tick(Cycle now) override {
    if (busy_ && now < ready_) return busy(now, ready_);
    if (busy_) {
      if (!vertices_out.ready(now)) return blocked(now, vertices_out);
      ShadedVertices out;
      out.lanes = group_.lanes, out.vertices = group_.vertices;
      for (uint32_t lane = 0; lane < group_.lanes; lane++) {
        out.vertices->shaded[lane] = pools_.vertices.allocate();
        const auto& word = group_.vertices->word;
        out.vertices->shaded[lane]->output[0] = {
            word[func::register_word(lanes_, 0, 0, lane)],
            word[func::register_word(lanes_, arch::kInputVertexId, 0, lane)],
            word[func::register_word(lanes_, arch::kInputVertexId, 1, lane)], 0};
      }
      vertices_out.send(now, out);
      busy_ = false;
      group_ = {};
      return busy(now);
    }
    if (!groups_in.peek(now)) return idle(now);
    group_ = groups_in.take(now);
    sizes.push_back(group_.lanes);
    busy_ = true;
    ready_ = now + latency;
    return busy(now);
  }
  void list_ports(engine::PortList& list) override {
    list("groups_in", groups_in), list("vertices_out", vertices_out);
  }
  std::string why_busy() const override { return busy_ ? "a group" : ""; }

 private:
  using Box::busy;
  messages::Pools& pools_;
  uint32_t lanes_;
  VertexGroup group_;
  bool busy_ = false;
  Cycle ready_ = 0;
};

struct Bench {
  messages::Pools pools;
  std::unique_ptr<messages::DrawState> state = messages::testing::plain_state();
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  Streamer& box;
  Source<DrawCommand>& draws = sim.add<Source<DrawCommand>>(clock, "draws");
  Sink<VertexMessage>& assembly = sim.add<Sink<VertexMessage>>(clock, "assembly");
  Source<messages::Control>& orders = sim.add<Source<messages::Control>>(clock, "orders");
  Sink<messages::ControlDone>& done = sim.add<Sink<messages::ControlDone>>(clock, "done");
  messages::testing::MemoryModel& index_memory;
  messages::testing::MemoryModel& memory;
  Shader& shader;

  // The wires to the shader and to assembly carry spec.vertices_per_cycle. group_lanes: vertices per group,
  // whose registers are laid out for `lanes`; 0: as many.
  explicit Bench(const StreamerSpec& spec = {}, uint32_t lanes = 4, Cycle latency = 10,
                 uint32_t group_lanes = 0)
      : box(sim.add<Streamer>(clock, "streamer", spec, structures::FrontEnds{}, 0, 1,
                              group_lanes ? group_lanes : lanes, lanes, pools)),
        index_memory(sim.add<messages::testing::MemoryModel>(clock, "index_memory", latency)),
        memory(sim.add<messages::testing::MemoryModel>(clock, "memory", latency)),
        shader(sim.add<Shader>(clock, "shader", pools, lanes)) {
    sim.connect(draws.out, box.draws_in, {1, 1, 4});
    sim.connect(box.groups_out, shader.groups_in, {1, spec.vertices_per_cycle, 4 * spec.vertices_per_cycle});
    sim.connect(shader.vertices_out, box.shaded_in[0], {1, 1, 2});
    assembly.per_cycle = spec.vertices_per_cycle;
    sim.connect(box.vertices_out, assembly.in, {1, spec.vertices_per_cycle, 9});
    sim.connect(box.storage, assembly.in);
    sim.connect(box.index_memory_out, index_memory.requests, {1, 1, 4});
    sim.connect(index_memory.replies, box.index_memory_in, {1, 1, 4});
    sim.connect(box.memory_out, memory.requests, {1, 1, 4});
    sim.connect(memory.replies, box.memory_in, {1, 1, 4});
    sim.connect(orders.out, box.control_in, {1, 1, 2});
    sim.connect(box.control_out, done.in, {1, 1, 2});
    sim.elaborate();
    index_memory.memory.map(0, 1 << 18), memory.memory.map(0, 1 << 18);
    messages::testing::add_program(*state, arch::Stage::kVertex, "MOV o0, i0\nEND\n");
    // Attribute 0 of vertex n is 1000 + n; there are 64.
    auto& assembly_state = state->registers.assembly;
    assembly_state.vertex_base_in_id = 1;
    assembly_state.attribute[0] = {static_cast<uint32_t>(arch::Format::R32_UINT), 0, 0};
    assembly_state.binding[0] = {kVertices, 64 * 4, 4, 0, 1};
    for (uint32_t i = 0; i < 64; i++) {
      const uint32_t value = 1000 + i;
      memory.memory.write(kVertices + 4 * i, &value, 4);
    }
  }
  template <class Index>
  void indices(const std::vector<Index>& values, arch::IndexType type, arch::Address at = kIndices) {
    auto& assembly_state = state->registers.assembly;
    assembly_state.index_address = at;
    assembly_state.index_bytes = static_cast<uint32_t>(values.size() * sizeof(Index));
    assembly_state.index_type = static_cast<uint32_t>(type);
    index_memory.memory.write(at, values.data(), values.size() * sizeof(Index));
  }
  void draw(command_stream::Draw draw, uint32_t number = 1) {
    if (!draw.instances) draw.instances = 1;
    DrawCommand command{.draw = draw, .state = state.get()};
    command.origin.draw = number;
    draws.messages.push_back(command), draws.wake();
  }
  // Attributes in the order of arrival; -1 is a restart, -2 another instance, -3 a draw's end.
  std::vector<int> order() const {
    std::vector<int> all;
    for (const auto& [cycle, message] : assembly.received)
      all.push_back(message.draw_end                                     ? -3
                    : message.kind == VertexMessage::Kind::kRestart      ? -1
                    : message.kind == VertexMessage::Kind::kNextInstance ? -2
                                                                         : int(message.vertex->output[0][0]));
    return all;
  }
};

}  // namespace cutaway::boxes::streamer_bench
