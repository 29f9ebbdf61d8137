// Tests units that evaluate interpolants themselves.
#include "boxes/shader_unit/bench_for_test.h"

namespace cutaway::boxes::interpolation_test {
namespace {

using namespace shader_unit_test_bench;

// Groups of fragments, one after the other, whose three interpolants are perspective, linear and flat.
struct Shaded {
  Shaded(std::string_view text, unsigned passes, ShaderUnitSpec spec = {}, uint32_t groups = 1)
      : bench(with(spec, passes)), state(program(text, spec.group_lanes)) {
    auto& out = state->registers.vertex_out;
    out.interpolants = 3;
    const arch::Interpolation modes[] = {arch::Interpolation::kPerspective, arch::Interpolation::kLinear,
                                         arch::Interpolation::kFlat};
    for (uint32_t i = 0; i < 3; i++) out.interpolant[i].mode = static_cast<uint32_t>(modes[i]);
    for (uint32_t i = 0; i < groups; i++) bench.send(*state, i, spec.group_lanes / 4);
    bench.sim.run(bench.clock, 5000);
    EXPECT_EQ(bench.buffer.received.size(), groups * spec.group_lanes / 4);
  }
  static ShaderUnitSpec with(ShaderUnitSpec spec, unsigned passes) {
    spec.interpolation_passes = passes;
    return spec;
  }
  Cycle time() const { return bench.buffer.received.back().first; }

  Bench bench;
  std::unique_ptr<messages::DrawState> state;
};

// Passes by component that is read and not flat.
TEST(ShaderInterpolation, EachComponentTakesItsPassesBeforeTheProgram) {
  const std::pair<const char*, unsigned> programs[] = {
      {"MOV o0, c0\nEND\n", 0},
      {"MOV o0, i0\nEND\n", 4},
      {"MOV o0, i0.x\nEND\n", 1},
      {"MOV o0.xy, i1\nEND\n", 2},
      {"MOV o0, i2\nEND\n", 0},
      {"MAD o0, i0, i1, i2\nEND\n", 8},
      {"MOV o0, i0\nADD o0, i0, i0\nEND\n", 4}};  // once, however often it is read
  for (const auto& [text, components] : programs)
    for (const unsigned passes : {1u, 2u, 5u}) {
      const Shaded free(text, 0), costs(text, passes);
      EXPECT_EQ(costs.time() - free.time(), components * passes) << text;
      EXPECT_EQ(costs.bench.unit.counters.interpolation_passes, components * passes) << text;
      EXPECT_EQ(costs.bench.unit.counters.cycles_issued - free.bench.unit.counters.cycles_issued,
                components * passes);
      EXPECT_EQ(free.bench.unit.counters.interpolation_passes, 0u);
    }
}

// A pass takes all lanes of the group, and groups pass one after the other.
TEST(ShaderInterpolation, APassTakesAllLanesOfAGroup) {
  const ShaderUnitSpec wide{.group_lanes = 16, .threads = 64, .simd_lanes = 4};
  const Shaded costs("MOV o0, i0\nEND\n", 2, wide, 3), free("MOV o0, i0\nEND\n", 0, wide, 3);
  EXPECT_EQ(costs.bench.unit.counters.cycles_issued - free.bench.unit.counters.cycles_issued,
            3u * 4 * 2 * (16 / 4));
}

TEST(ShaderInterpolation, VerticesHaveNone) {
  for (const unsigned passes : {0u, 7u}) {
    ShaderUnitSpec spec;
    spec.interpolation_passes = passes;
    Bench bench(spec);
    auto state = program("END\n");
    state->registers.vertex_out.interpolants = 4;
    bench.send_vertices(*state, 4);
    bench.sim.run(bench.clock, 500);
    EXPECT_EQ(bench.unit.counters.cycles_issued, 2u);
    EXPECT_EQ(bench.unit.counters.interpolation_passes, 0u);
  }
}

}  // namespace
}  // namespace cutaway::boxes::interpolation_test
