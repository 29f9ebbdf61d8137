// Geometry programs in a shader unit: what they load of vertices, what they emit, and how it leaves.
#include <gmock/gmock.h>

#include "boxes/shader_unit/bench_for_test.h"

namespace cutaway::boxes::primitives_test {
namespace {

using namespace shader_unit_test_bench;
using messages::EmittedPrimitives;
using ::testing::ElementsAre;

struct PrimitiveBench {
  const func::FloatMode mode;
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  ShaderUnitSpec spec;
  ShaderUnit& unit;
  Source<VertexGroup>& groups = sim.add<Source<VertexGroup>>(clock, "groups");
  std::vector<Sink<EmittedPrimitives>*> emitted;  // by front end
  Sink<ShadedVertices>& streamer = sim.add<Sink<ShadedVertices>>(clock, "streamer");
  Sink<ShadedVertices>& other = sim.add<Sink<ShadedVertices>>(clock, "other");
  TextureModel& texture = sim.add<TextureModel>(clock, "texture");

  explicit PrimitiveBench(const ShaderUnitSpec& spec_in = {})
      : spec(spec_in),
        unit(sim.add<ShaderUnit>(clock, "shader", spec_in, EnumSet<Stage>{Stage::kVertex, Stage::kGeometry},
                                 2u, 1u, pools)) {
    sim.connect(groups.out, unit.vertices_in, {1, 1, 4});
    for (unsigned i = 0; i < 2; i++) {
      emitted.push_back(&sim.add<Sink<EmittedPrimitives>>(clock, "geometry" + std::to_string(i)));
      sim.connect(unit.emitted_out[i], emitted.back()->in, {1, 1, 2});
    }
    sim.connect(unit.vertices_out[0], streamer.in, {1, 1, 2});
    sim.connect(unit.vertices_out[1], other.in, {1, 1, 2});
    sim.connect(unit.texture_out, texture.in, {1, 1, 4});
    sim.connect(texture.out, unit.texture_in, {1, 1, 4});
    sim.elaborate();
  }
  // Invocations 0, 1 and so on of primitives 40, 41 and so on. Output o of vertex v of primitive p is p 1000
  // + v 100 + o 10 + component.
  void send(const messages::DrawState& state, uint32_t lanes, uint32_t front_end = 0, uint32_t vertices = 3) {
    VertexGroup group;
    group.stage = Stage::kGeometry;
    group.state = &state;
    group.lanes = lanes;
    group.front_end = front_end;
    group.slot = 5;
    group.primitives = pools.group_primitives.allocate();
    for (uint32_t lane = 0; lane < lanes; lane++) {
      messages::GroupPrimitives& all = *group.primitives;
      all.id[lane] = 40 + lane, all.invocation[lane] = lane;
      all.emitted[lane].clear();
      all.primitive[lane] = pools.whole_primitives.allocate();
      all.primitive[lane]->vertices = vertices;
      for (uint32_t v = 0; v < vertices; v++) {
        messages::VertexRef& vertex = all.primitive[lane]->vertex[v] = pools.vertices.allocate();
        for (uint32_t o = 0; o < arch::kShaderOutputs; o++)
          for (uint32_t c = 0; c < 4; c++) vertex->output[o][c] = lane * 1000 + v * 100 + o * 10 + c;
      }
    }
    groups.messages.push_back(group), groups.wake();
  }
  const func::EmittedStrips& strips(uint32_t lane, size_t group = 0) const {
    return emitted[0]->received.at(group).second.primitives->emitted[lane];
  }
  Cycle time(size_t group = 0) const { return emitted[0]->received.at(group).first; }
};

std::unique_ptr<messages::DrawState> geometry(std::string_view text, uint32_t lanes = 4,
                                              uint32_t max_vertices = 256) {
  auto state = messages::testing::plain_state();
  messages::testing::add_program(*state, Stage::kGeometry, text, lanes);
  state->stage[Stage::kGeometry].constants[0] = {0, 1, 2, 3};
  state->registers.geometry.max_vertices = max_vertices;
  state->registers.geometry.inputs = {3, {2, 0, arch::kNoOutput}};
  return state;
}

// When all of a single group of one invocation has come out.
Cycle time_of_program(std::string_view text, const ShaderUnitSpec& spec = {}) {
  PrimitiveBench bench(spec);
  auto state = geometry(text, spec.group_lanes);
  bench.send(*state, 1);
  bench.sim.run(bench.clock, 2000);
  EXPECT_EQ(bench.emitted[0]->received.size(), 1u);
  return bench.time();
}

// v0 is the output 2 of the stage before, v1 its position, v2 none that it writes.
TEST(PrimitiveGroups, LoadVerticesOfEachThreadsPrimitive) {
  PrimitiveBench bench;
  auto state = geometry(
      "LDV o0, c0.y, v0\nLDV o1, c0.z, v1\nLDV o2, c0.x, v2\nLDV o3, c0.w, v0\nLDV o4, i32.y, v0\n"
      "EMIT 0\nEND\n");
  bench.send(*state, 3);
  bench.sim.run(bench.clock, 300);
  ASSERT_EQ(bench.emitted[0]->received.size(), 1u);
  EXPECT_EQ(bench.emitted[0]->received[0].second.slot, 5u);
  for (uint32_t lane = 0; lane < 3; lane++) {
    const auto from = [&](uint32_t vertex, uint32_t output) {
      return lane * 1000 + vertex * 100 + output * 10;
    };
    const auto& words = bench.strips(lane).words();
    ASSERT_EQ(words.size(), 20u);
    for (uint32_t c = 0; c < 4; c++) {
      EXPECT_EQ(words[c], from(1, 2) + c);
      EXPECT_EQ(words[4 + c], from(2, 0) + c);
      EXPECT_EQ(words[8 + c], 0u);
      EXPECT_EQ(words[12 + c], 0u);  // there is no fourth vertex
      EXPECT_EQ(words[16 + c], from(lane, 2) + c);
    }
  }
  EXPECT_EQ(bench.unit.primitive_counters.groups, 1u);
  EXPECT_EQ(bench.unit.primitive_counters.vertex_loads, 5u);
  EXPECT_EQ(bench.unit.primitive_counters.vertices_emitted, 3u);
  EXPECT_EQ(bench.unit.counters.vertex_groups, 0u);
}

TEST(PrimitiveGroups, SayWhichPrimitiveAndInvocationTheyAre) {
  PrimitiveBench bench;
  auto state = geometry("MOV o0, i32\nEMIT 0\nEND\n");
  bench.send(*state, 4);
  bench.sim.run(bench.clock, 300);
  for (uint32_t lane = 0; lane < 4; lane++)
    EXPECT_THAT(bench.strips(lane).words(), ElementsAre(40 + lane, lane, 0, 0));
}

// The result is there vertex_latency after the load's last lane.
TEST(PrimitiveGroups, WaitForVerticesThatTheyLoad) {
  const char* kDependent = "LDV r0, c0.x, v0\nMOV o0, r0\nEMIT 0\nEND\n";
  const Cycle at_one = time_of_program(kDependent, {.vertex_latency = 1});
  for (const unsigned latency : {2u, 9u, 40u})
    EXPECT_EQ(time_of_program(kDependent, {.vertex_latency = latency}), at_one + latency - 1);
  // Loads follow each other as they issue: four take three cycles more than one.
  const char* kFour =
      "LDV r0, c0.x, v0\nLDV r1, c0.y, v0\nLDV r2, c0.z, v0\nLDV r3, c0.x, v1\nMOV o0, r3\nEMIT 0\nEND\n";
  for (const unsigned latency : {9u, 40u})
    EXPECT_EQ(time_of_program(kFour, {.vertex_latency = latency}),
              time_of_program(kDependent, {.vertex_latency = latency}) + 3);
}

// The end waits for a load that nothing reads.
TEST(PrimitiveGroups, EndWhenTheirLastLoadHasCome) {
  const char* kLast = "MOV o0, c0\nEMIT 0\nLDV o0, c0.x, v0\nEND\n";
  const Cycle at_20 = time_of_program(kLast, {.vertex_latency = 20});
  EXPECT_EQ(time_of_program(kLast, {.vertex_latency = 21}), at_20 + 1);
  EXPECT_EQ(time_of_program(kLast, {.vertex_latency = 50}), at_20 + 30);
}

TEST(PrimitiveGroups, EmitNoMoreThanTheyMayAndCutTheirStrips) {
  PrimitiveBench bench;
  auto state = geometry(
      "MOV o0, i32\nEMIT 0\nUGE r1.x, i32.y, c0.z\nIF r1.x\nCUT 0\nEMIT 2\nENDIF\n"
      "EMIT 1\nCUT 1\nCUT 1\nEMIT 1\nEND\n",
      4, 3);
  bench.send(*state, 4);
  bench.sim.run(bench.clock, 300);
  ASSERT_EQ(bench.emitted[0]->received.size(), 1u);
  constexpr uint8_t kCut = 0x80;
  for (uint32_t lane = 0; lane < 4; lane++) {
    EXPECT_EQ(bench.strips(lane).vertices(), 3u);
    if (lane < 2) {
      EXPECT_THAT(bench.strips(lane).events(), ElementsAre(0, 1, 1 | kCut, 1));
    } else {
      EXPECT_THAT(bench.strips(lane).events(), ElementsAre(0, kCut, 2, 1, 1 | kCut));
    }
  }
  EXPECT_EQ(bench.unit.primitive_counters.vertices_emitted, 12u);
}

// A vertex a cycle, or 16 outputs of one: the next group comes when the wire is free, to whichever front end.
TEST(PrimitiveGroups, LeaveAVertexACycle) {
  for (const uint32_t outputs : {1u, 16u, 17u}) {
    std::string text;
    for (uint32_t i = 0; i < outputs; i++) text += fmt::format("MOV o{}, c0\n", i);
    for (int i = 0; i < 20; i++) text += "EMIT 0\n";
    PrimitiveBench bench({.threads = 64, .input_threads = 64});
    auto state = geometry(text + "END\n");
    for (int i = 0; i < 3; i++) bench.send(*state, 4);
    bench.send(*state, 1, 1);
    bench.sim.run(bench.clock, 3000);
    ASSERT_EQ(bench.emitted[0]->received.size(), 3u);
    ASSERT_EQ(bench.emitted[1]->received.size(), 1u);
    const Cycle each = outputs > 16 ? 2 : 1;
    EXPECT_EQ(bench.time(2) - bench.time(1), 80 * each) << outputs;
    EXPECT_EQ(bench.emitted[1]->received[0].first - bench.time(2), 20 * each) << outputs;
  }
}

TEST(PrimitiveGroups, LeaveInACycleWithoutVertices) {
  EXPECT_EQ(time_of_program("MOV o0, c0\nCUT 0\nEND\n"), time_of_program("MOV o0, c0\nEMIT 0\nEND\n"));
}

// A neighbour that takes nothing holds up the groups, and is told so.
TEST(PrimitiveGroups, WaitForGeometryShading) {
  PrimitiveBench bench;
  bench.emitted[0]->refuse = true;
  auto state = geometry("MOV o0, c0\nEMIT 0\nEND\n");
  for (int i = 0; i < 6; i++) bench.send(*state, 4);
  bench.sim.run(bench.clock, 500);
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.unit).blocked_by("geometry0"), 400u);
  bench.emitted[0]->refuse = false, bench.emitted[0]->wake();
  bench.sim.run(bench.clock, 300);
  EXPECT_EQ(bench.emitted[0]->received.size(), 6u);
}

}  // namespace
}  // namespace cutaway::boxes::primitives_test
