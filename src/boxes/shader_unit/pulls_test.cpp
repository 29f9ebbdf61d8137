#include "boxes/shader_unit/bench_for_test.h"

// A shader unit whose fragment programs ask for interpolants.
namespace cutaway::boxes::pulls_test {
namespace {

using namespace shader_unit_test_bench;
using messages::PullMessage;

// Answers with x and y of the offset, the interpolant and the quad's x.
class InterpolatorModel final : public engine::testing::Answerer<PullMessage> {
 public:
  using Answerer::Answerer;
  std::vector<std::pair<Cycle, uint32_t>> taken;  // when, and lanes

 private:
  void serve(Cycle now, PullMessage& message) override {
    messages::PullJob& job = *message.job;
    taken.emplace_back(now, job.lane_mask);
    for (uint32_t lane = 0; lane < 4; lane++) {
      job.result[0][lane] = job.offset[0][lane], job.result[1][lane] = job.offset[1][lane];
      job.result[2][lane] = std::bit_cast<uint32_t>(static_cast<float>(job.interpolant));
      job.result[3][lane] = std::bit_cast<uint32_t>(static_cast<float>(job.x));
    }
  }
};

struct PullBench {
  const func::FloatMode mode;
  messages::Pools pools;
  engine::Simulator sim;
  engine::Domain& clock = sim.add_domain("core", 1);
  ShaderUnit& unit;
  Source<FragmentGroup>& fragments = sim.add<Source<FragmentGroup>>(clock, "fragments");
  Sink<ShadedQuad>& buffer = sim.add<Sink<ShadedQuad>>(clock, "buffer");
  TextureModel& texture = sim.add<TextureModel>(clock, "texture");
  InterpolatorModel& interpolator = sim.add<InterpolatorModel>(clock, "interpolator");

  explicit PullBench(const ShaderUnitSpec& spec = {})
      : unit(sim.add<ShaderUnit>(clock, "shader", spec, EnumSet<Stage>{Stage::kFragment}, 1u, 1u, pools,
                                 StorageSlices{}, true)) {
    sim.connect(fragments.out, unit.fragments_in, {1, 1, 4});
    sim.connect(unit.quads_out[0], buffer.in, {1, 1, 4});
    sim.connect(unit.texture_out, texture.in, {1, 1, 4});
    sim.connect(texture.out, unit.texture_in, {1, 1, 4});
    sim.connect(unit.pulls_out, interpolator.in, {1, 1, 4});
    sim.connect(interpolator.out, unit.pulls_in, {1, 1, 4});
    sim.elaborate();
  }
  // A group of one quad or more, with the masks given, whose i0.x is 1 where the lane's bit of `first` is
  // set.
  void send(const messages::DrawState& state, std::initializer_list<uint8_t> masks, uint32_t first = 0) {
    FragmentGroup group;
    group.state = &state;
    group.quads = pools.group_quads.allocate();
    for (const uint8_t mask : masks) {
      const uint32_t q = group.quads->count++;
      messages::InterpolatedQuad& quad = group.quads->quad[q];
      group.quads->order[q] = q;
      quad.quad.state = &state;
      quad.quad.x = static_cast<int32_t>(10 + 2 * q);
      quad.quad.mask = mask;
      quad.inputs = pools.fragment_inputs.allocate();
      *quad.inputs = {};
      for (uint32_t lane = 0; lane < 4; lane++)
        quad.inputs->input[0][0][lane] = std::bit_cast<uint32_t>(first >> lane & 1 ? 1.0f : 0.0f);
    }
    fragments.messages.push_back(group), fragments.wake();
  }
  float result(size_t quad, uint32_t component, uint32_t lane) const {
    return std::bit_cast<float>(buffer.received.at(quad).second.outputs->output[0][component][lane]);
  }
};

std::unique_ptr<messages::DrawState> pulling(std::string_view text, uint32_t lanes = 4) {
  auto state = program(text, lanes);
  state->registers.vertex_out.interpolants = 1;
  state->stage[Stage::kFragment].constants[0] = {std::bit_cast<uint32_t>(0.25f),
                                                 std::bit_cast<uint32_t>(-0.5f), 0, 0};
  return state;
}

TEST(ShaderPulls, AnAnswerIsWrittenWhereTheProgramWantsIt) {
  PullBench bench;
  auto state = pulling("MOV r0, c0\nPULL r0.yzw, -r0.yxxx, i7\nMOV o0, r0\nEND\n");
  bench.send(*state, {15});
  bench.sim.run(bench.clock, 100);
  ASSERT_EQ(bench.buffer.received.size(), 1u);
  for (uint32_t lane = 0; lane < 4; lane++) {
    EXPECT_EQ(bench.result(0, 0, lane), 0.25f);  // as it was
    EXPECT_EQ(bench.result(0, 1, lane), -0.25f);
    EXPECT_EQ(bench.result(0, 2, lane), 7);
    EXPECT_EQ(bench.result(0, 3, lane), 10);
  }
  EXPECT_EQ(bench.unit.pull_counters.instructions, 1u);
  EXPECT_EQ(bench.unit.pull_counters.requests, 1u);
}

// The offsets come from the SIMD ALU; then the two wires and what the interpolator takes.
TEST(ShaderPulls, AGroupWaitsForItsAnswer) {
  const auto time = [](Cycle latency, unsigned simd) {
    ShaderUnitSpec spec;
    spec.simd_latency = simd;
    PullBench bench(spec);
    bench.interpolator.latency = latency;
    auto state = pulling("PULL r0, c0, i0\nMOV o0, c0\nEND\n");
    bench.send(*state, {15});
    bench.sim.run(bench.clock, 500);
    EXPECT_EQ(bench.interpolator.taken.at(0).first, 3 + simd + 1) << simd;
    return bench.buffer.received.at(0).first;
  };
  EXPECT_EQ(time(21, 5), time(20, 5) + 1);
  EXPECT_EQ(time(80, 5), time(20, 5) + 60);
  EXPECT_EQ(time(20, 9), time(20, 5) + 4 + 4);  // MOV's result, too
}

// A request a cycle for each quad with lanes that run.
TEST(ShaderPulls, AGroupAsksForItsQuadsOneByOne) {
  PullBench bench({.group_lanes = 16, .threads = 64, .simd_lanes = 16});
  auto state = pulling("PULL o0, c0, i0\nEND\n", 16);
  bench.send(*state, {15, 1, 0, 8});
  bench.sim.run(bench.clock, 200);
  ASSERT_EQ(bench.interpolator.taken.size(), 3u);
  for (size_t i = 0; i < 3; i++)
    EXPECT_EQ(bench.interpolator.taken[i].first, bench.interpolator.taken[0].first + i);
  EXPECT_EQ(bench.interpolator.taken[1].second, 15u);  // helpers of a quad that runs ask too
  ASSERT_EQ(bench.buffer.received.size(), 4u);
  EXPECT_EQ(bench.result(0, 3, 2), 10);
  EXPECT_EQ(bench.result(1, 3, 0), 12);
  EXPECT_EQ(bench.result(3, 3, 3), 16);
}

TEST(ShaderPulls, LanesThatAreOffKeepWhatTheyHave) {
  PullBench bench;
  auto state = pulling("MOV r0, c0.y\nIF i0.x\nPULL r0, c0, i3\nENDIF\nMOV o0, r0\nEND\n");
  bench.send(*state, {15}, 0b0110);
  bench.sim.run(bench.clock, 200);
  ASSERT_EQ(bench.interpolator.taken.size(), 1u);
  EXPECT_EQ(bench.interpolator.taken[0].second, 0b0110u);
  for (uint32_t lane = 0; lane < 4; lane++)
    EXPECT_EQ(bench.result(0, 2, lane), 0b0110 >> lane & 1 ? 3 : -0.5f);
}

TEST(ShaderPulls, ALoopAsksInEachRound) {
  PullBench bench;
  auto state = pulling(
      "LOOP\nPULL r1, c0, i1\nADD r0.x, r0.x, r1.z\nSGE r0.y, r0.x, c1.x\nBRK r0.y\nNEXT\nENDLOOP\n"
      "MOV o0, r0.x\nEND\n");
  state->stage[Stage::kFragment].constants[1] = {std::bit_cast<uint32_t>(5.0f), 0, 0, 0};
  bench.send(*state, {15});
  bench.sim.run(bench.clock, 500);
  EXPECT_EQ(bench.unit.pull_counters.instructions, 5u);
  EXPECT_EQ(bench.result(0, 0, 0), 5);
}

// While one waits others run; of four groups that ask, each has its answer.
TEST(ShaderPulls, OtherGroupsGoOn) {
  PullBench bench;
  bench.interpolator.latency = 100;
  auto state = pulling("PULL r0, c0, i0\nMOV o0, r0\nEND\n");
  for (int i = 0; i < 4; i++) bench.send(*state, {15});
  bench.sim.run(bench.clock, 150);
  EXPECT_EQ(bench.buffer.received.size(), 4u);
}

// An interpolator that takes nothing: four requests lie on the wire, and the unit is blocked by it.
TEST(ShaderPulls, AnInterpolatorThatTakesNothingIsToBlame) {
  PullBench bench;
  bench.interpolator.refuse = true;
  auto state = pulling("PULL r0, c0, i0\nMOV o0, r0\nEND\n");
  for (int i = 0; i < 10; i++) bench.send(*state, {15});
  bench.sim.run(bench.clock, 300);
  bench.sim.settle();
  EXPECT_EQ(bench.unit.pull_counters.requests, 4u);
  const engine::Account account = messages::testing::account_of(bench.sim, bench.unit);
  EXPECT_GT(account.blocked_by("interpolator"), 200u);
  EXPECT_GT(bench.unit.pull_counters.cycles_pull, 200u);
}

TEST(ShaderPulls, AnInterpolatorThatIsSlowStarvesIt) {
  PullBench bench;
  bench.interpolator.latency = 400;
  auto state = pulling("PULL r0, c0, i0\nMOV o0, r0\nEND\n");
  bench.send(*state, {15});
  bench.sim.run(bench.clock, 300);
  bench.sim.settle();
  EXPECT_GT(messages::testing::account_of(bench.sim, bench.unit).starved_by("interpolator"), 250u);
  EXPECT_GT(bench.unit.pull_counters.cycles_pull, 250u);
  const ShaderUnitCounters& c = bench.unit.counters;
  EXPECT_EQ(c.cycles_issued + c.cycles_dependency + c.cycles_texture + c.cycles_registers + c.cycles_inputs +
                c.cycles_output + bench.unit.pull_counters.cycles_pull,
            bench.clock.now());
}

}  // namespace
}  // namespace cutaway::boxes::pulls_test
