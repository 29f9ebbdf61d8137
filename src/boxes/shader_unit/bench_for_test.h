#pragma once

#include <bit>
#include <gtest/gtest.h>

#include "boxes/shader_unit/shader_unit.h"
#include "engine/simulator.h"
#include "engine/testing/mock.h"
#include "func/float_mode.h"
#include "messages/testing/draws.h"

// A shader unit between mock neighbours, for its tests.
namespace cutaway::boxes::shader_unit_test_bench {

using arch::Stage;
using engine::Cycle;
using engine::testing::Sink;
using engine::testing::Source;
using messages::FragmentGroup;
using messages::ShadedQuad;
using messages::ShadedVertices;
using messages::TextureMessage;
using messages::VertexGroup;

// Answers every texture instruction with (1, 2, 3, 4).
class TextureModel final : public engine::testing::Answerer<TextureMessage> {
 public:
  using Answerer::Answerer;
  std::vector<uint32_t> lanes;                         // of each instruction
  std::vector<std::pair<Cycle, float>> first_operand;  // when it came, and x of lane 0

 private:
  void serve(Cycle now, TextureMessage& message) override {
    lanes.push_back(message.job->lane_mask);
    first_operand.emplace_back(now, std::bit_cast<float>(message.job->src[0][0][0]));
    for (uint32_t c = 0; c < 4; c++)
      for (uint32_t& lane : message.job->result[c]) lane = std::bit_cast<uint32_t>(static_cast<float>(c + 1));
  }
};

inline const EnumSet<arch::Stage> kBoth = {arch::Stage::kVertex, arch::Stage::kFragment};

struct Bench {
  const func::FloatMode mode;
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  ShaderUnitSpec spec;
  ShaderUnit& unit;
  Source<VertexGroup>& vertices = sim.add<Source<VertexGroup>>(clock, "vertices");
  Source<FragmentGroup>& fragments = sim.add<Source<FragmentGroup>>(clock, "fragments");
  Sink<ShadedVertices>& streamer = sim.add<Sink<ShadedVertices>>(clock, "streamer");
  Sink<ShadedQuad>& buffer = sim.add<Sink<ShadedQuad>>(clock, "buffer");  // of ROP 0
  std::vector<Sink<ShadedQuad>*> others;                                  // and of the ROPs after it
  TextureModel& texture = sim.add<TextureModel>(clock, "texture");
  std::vector<Sink<ShadedVertices>*> streamers;  // of the front ends after the first

  explicit Bench(const ShaderUnitSpec& spec_in = {}, unsigned rops = 1, unsigned front_ends = 1)
      : spec(spec_in), unit(sim.add<ShaderUnit>(clock, "shader", spec_in, kBoth, front_ends, rops, pools)) {
    for (unsigned i = 1; i < rops; i++) {
      others.push_back(&sim.add<Sink<ShadedQuad>>(clock, "buffer" + std::to_string(i)));
      sim.connect(unit.quads_out[i], others.back()->in, {1, 1, 4});
    }
    for (unsigned i = 1; i < front_ends; i++) {
      streamers.push_back(&sim.add<Sink<ShadedVertices>>(clock, "streamer" + std::to_string(i)));
      sim.connect(unit.vertices_out[i], streamers.back()->in, {1, 1, 2});
    }
    sim.connect(vertices.out, unit.vertices_in, {1, 1, 4});
    sim.connect(fragments.out, unit.fragments_in, {1, 1, 4});
    sim.connect(unit.vertices_out[0], streamer.in, {1, 1, 2});
    sim.connect(unit.quads_out[0], buffer.in, {1, 1, 4});
    sim.connect(unit.texture_out, texture.in, {1, 1, 4});
    sim.connect(texture.out, unit.texture_in, {1, 1, 4});
    sim.elaborate();
  }
  // A group of one quad or more.
  void send(const messages::DrawState& state, uint32_t order, uint32_t quads = 1, uint8_t mask = 15) {
    FragmentGroup group;
    group.state = &state;
    group.quads = pools.group_quads.allocate();
    for (uint32_t q = 0; q < quads; q++) {
      group.quads->order[q] = order + q;
      messages::InterpolatedQuad& quad = group.quads->quad[group.quads->count++];
      quad.quad.state = &state;
      quad.quad.mask = mask;
      quad.inputs = pools.fragment_inputs.allocate();
      *quad.inputs = {};
    }
    fragments.messages.push_back(group), fragments.wake();
  }
  void send_vertices(const messages::DrawState& state, uint32_t lanes, uint32_t front_end = 0) {
    VertexGroup group;
    group.front_end = front_end;
    group.state = &state;
    group.lanes = lanes;
    group.vertices = pools.group_vertices.allocate();
    group.vertices->word.fill(77);
    for (uint32_t lane = 0; lane < lanes; lane++) {
      group.vertices->slot[lane] = static_cast<uint8_t>(lane + 3);
      group.vertices->word[func::register_word(func::register_width(spec.group_lanes), 0, 1, lane)] =
          100 + lane;
    }
    vertices.messages.push_back(group), vertices.wake();
  }
};

inline std::unique_ptr<messages::DrawState> program(std::string_view text, uint32_t lanes = 4,
                                                    uint32_t temporaries = 0, uint32_t scratch_bytes = 0) {
  auto state = messages::testing::plain_state();
  messages::testing::add_program(*state, Stage::kFragment, text, lanes, temporaries, scratch_bytes);
  messages::testing::add_program(*state, Stage::kVertex, "MOV o0, i0\nEND\n", lanes);
  return state;
}

// When the quad of a group of one comes out.
inline Cycle time_of(std::string_view text, const ShaderUnitSpec& spec = {}) {
  Bench bench(spec);
  auto state = program(text, spec.group_lanes);
  bench.send(*state, 0);
  bench.sim.run(bench.clock, 1000);
  EXPECT_EQ(bench.buffer.received.size(), 1u);
  return bench.buffer.received.empty() ? 0 : bench.buffer.received[0].first;
}

}  // namespace cutaway::boxes::shader_unit_test_bench
