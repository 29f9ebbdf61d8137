// Groups of fewer vertices than a group of fragments has threads.
#include "boxes/shader_unit/bench_for_test.h"
#include "engine/storage.h"

namespace cutaway::boxes::vertex_groups_test {
namespace {

using namespace shader_unit_test_bench;

constexpr uint32_t kLanes = 32;  // of all other groups

ShaderUnitSpec spec_of(unsigned vertex_lanes, unsigned threads = 512) {
  ShaderUnitSpec spec;
  spec.group_lanes = kLanes, spec.simd_lanes = 8, spec.threads = threads;
  spec.vertex_lanes = vertex_lanes;
  spec.inputs_per_cycle = 4096;
  return spec;
}

std::unique_ptr<messages::DrawState> state_of(const std::string& vertices, uint32_t temporaries = 0,
                                              uint32_t scratch_bytes = 0) {
  auto state = program("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n", kLanes);
  messages::testing::add_program(*state, Stage::kVertex, vertices, kLanes, temporaries, scratch_bytes);
  return state;
}

// An instruction takes ceil(lanes / simd_lanes) cycles of the issue port.
TEST(VertexGroups, AnInstructionTakesTheCyclesOfItsLanes) {
  for (const auto& [lanes, cycles] : {std::pair{0u, 4u}, {32u, 4u}, {16u, 2u}, {8u, 1u}, {4u, 1u}}) {
    Bench bench(spec_of(lanes));
    std::string text;
    for (int i = 0; i < 400; i++) text += "MOV o0, c0\n";
    auto state = state_of(text + "END\n");
    const uint32_t each = lanes ? lanes : kLanes;
    for (int i = 0; i < 12; i++) bench.send_vertices(*state, each);
    bench.sim.run(bench.clock, 100);
    const uint64_t before = bench.unit.counters.instructions;
    bench.sim.run(bench.clock, 400);
    EXPECT_EQ(bench.unit.counters.instructions - before, 400 / cycles) << lanes;
  }
}

// Also where not all of its lanes work: the port is occupied for those that the group could have.
TEST(VertexGroups, AnInstructionOfFewVerticesTakesAsLong) {
  Bench bench(spec_of(16));
  std::string text;
  for (int i = 0; i < 400; i++) text += "MOV o0, c0\n";
  auto state = state_of(text + "END\n");
  for (int i = 0; i < 12; i++) bench.send_vertices(*state, 3);
  bench.sim.run(bench.clock, 100);
  const uint64_t before = bench.unit.counters.instructions;
  bench.sim.run(bench.clock, 400);
  EXPECT_EQ(bench.unit.counters.instructions - before, 200u);
}

// 128 threads; (128 + 16) x 4 registers, of which a group takes its lanes times its temporaries.
TEST(VertexGroups, TakeTheThreadsAndRegistersOfTheirLanes) {
  struct Case {
    uint32_t lanes, temporaries, groups;
  };
  for (const Case& of :
       {Case{0, 4, 4}, {16, 4, 8}, {8, 4, 16}, {16, 8, 4}, {0, 8, 2}, {16, 6, 6}, {4, 8, 18}}) {
    Bench bench(spec_of(of.lanes, 128));
    bench.texture.latency = 5000;
    auto state = state_of("TXL r0, i0, c0.x, t0, s0, 2D\nMOV o0, r0\nEND\n", of.temporaries);
    for (int i = 0; i < 40; i++) bench.send_vertices(*state, of.lanes ? of.lanes : kLanes);
    bench.sim.run(bench.clock, 1000);
    EXPECT_EQ(bench.unit.counters.vertex_groups, of.groups) << of.lanes << ", " << of.temporaries;
  }
}

TEST(VertexGroups, TakeTheScratchMemoryOfTheirLanes) {
  for (const auto& [lanes, groups] : {std::pair{0u, 2u}, {16u, 4u}}) {
    ShaderUnitSpec spec = spec_of(lanes);
    spec.scratch_bytes = 64 * 256;
    Bench bench(spec);
    bench.texture.latency = 5000;
    auto state = state_of("TXL r0, i0, c0.x, t0, s0, 2D\nMOV o0, r0\nEND\n", 0, 256);
    for (int i = 0; i < 20; i++) bench.send_vertices(*state, lanes ? lanes : kLanes);
    bench.sim.run(bench.clock, 1000);
    EXPECT_EQ(bench.unit.counters.vertex_groups, groups) << lanes;
  }
}

// A group of fragments wants the threads of two groups of vertices: one that leaves is not enough.
TEST(VertexGroups, ShareTheThreadsWithFragments) {
  Bench bench(spec_of(16, 128));
  bench.texture.latency = 5000;
  auto state = state_of("TXL r0, i0, c0.x, t0, s0, 2D\nMOV o0, r0\nEND\n");
  bench.send(*state, 0, 8);
  for (int i = 0; i < 7; i++) bench.send_vertices(*state, 16);
  bench.sim.run(bench.clock, 1000);
  EXPECT_EQ(bench.unit.counters.fragment_groups, 1u);
  EXPECT_EQ(bench.unit.counters.vertex_groups, 6u);
  EXPECT_EQ(bench.unit.counters.register_stalls, 0u);
  bench.send(*state, 8, 8);
  bench.sim.run(bench.clock, 20000);
  EXPECT_EQ(bench.unit.counters.fragment_groups, 2u);
  EXPECT_EQ(bench.unit.counters.vertex_groups, 7u);
  EXPECT_EQ(bench.buffer.received.size(), 16u);
  EXPECT_EQ(bench.streamer.received.size(), 7u);
}

// Their registers lie as those of other groups do.
TEST(VertexGroups, GiveWhatTheirProgramsCompute) {
  Bench bench(spec_of(16));
  auto state = state_of("MOV o0, i0\nEND\n");
  bench.send_vertices(*state, 16);
  bench.send_vertices(*state, 5);
  bench.sim.run(bench.clock, 200);
  ASSERT_EQ(bench.streamer.received.size(), 2u);
  for (const auto& [cycle, shaded] : bench.streamer.received)
    for (uint32_t lane = 0; lane < shaded.lanes; lane++)
      EXPECT_EQ(shaded.vertices->shaded[lane]->output[0][1], 100 + lane);
  EXPECT_EQ(bench.streamer.received[0].second.lanes + bench.streamer.received[1].second.lanes, 21u);
}

struct Keeper final : engine::Box {
  explicit Keeper(std::string path) : Box(std::move(path)) {}
  engine::Storage places{1};
  Cycle tick(Cycle now) override { return idle(now); }
  void list_ports(engine::PortList& list) override { list("places", places); }
  std::string why_busy() const override { return ""; }
};

// The wire holds the results, and nobody takes them: the place is free all the same.
TEST(VertexGroups, ReturnTheirPlaceWhenTheirResultsLeave) {
  Bench bench(spec_of(16));
  engine::Simulator other;
  engine::Domain& clock = other.add_domain("core", 1);
  Keeper& keeper = other.add<Keeper>(clock, "keeper");
  other.connect(keeper.places, bench.unit.vertices_in);
  other.elaborate();
  auto state = state_of("MOV o0, i0\nEND\n");
  bench.streamer.refuse = true;
  bench.send_vertices(*state, 16);
  bench.vertices.messages.back().vertices->place = keeper.places.take(0);
  ASSERT_FALSE(keeper.places.ready(2));
  bench.sim.run(bench.clock, 200);
  EXPECT_TRUE(keeper.places.ready(2));
}

TEST(VertexGroups, AreAPowerOfTwoUpToTheOthers) {
  for (const unsigned lanes : {3u, 24u, 64u}) EXPECT_THROW(Bench bench(spec_of(lanes)), UserError) << lanes;
  EXPECT_THROW(Bench bench(spec_of(1, 2048)), UserError);  // 2048 groups
}

}  // namespace
}  // namespace cutaway::boxes::vertex_groups_test
