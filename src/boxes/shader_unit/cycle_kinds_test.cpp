#include "boxes/shader_unit/bench_for_test.h"

// Tests that each cycle of a unit is of one kind, and that the kinds sum to all cycles.
namespace cutaway::boxes::cycle_kinds_test {
namespace {

using namespace shader_unit_test_bench;

struct Kinds {
  uint64_t issued = 0, dependency = 0, texture = 0, registers = 0, inputs = 0, output = 0;
  bool operator==(const Kinds&) const = default;
};
void PrintTo(const Kinds& k, std::ostream* out) {
  *out << fmt::format("issued {}, dependency {}, texture {}, registers {}, inputs {}, output {}", k.issued,
                      k.dependency, k.texture, k.registers, k.inputs, k.output);
}

// After so many cycles.
Kinds run(Bench& bench, Cycle cycles) {
  bench.sim.run(bench.clock, cycles);
  bench.sim.settle();
  const ShaderUnitCounters& c = bench.unit.counters;
  const Kinds k{c.cycles_issued,    c.cycles_dependency, c.cycles_texture,
                c.cycles_registers, c.cycles_inputs,     c.cycles_output};
  EXPECT_EQ(k.issued + k.dependency + k.texture + k.registers + k.inputs + k.output, bench.clock.now());
  EXPECT_EQ(messages::testing::account_of(bench.sim, bench.unit).cycles, bench.clock.now());
  return k;
}

TEST(ShaderCycles, AnIdleUnitHasNoInputs) {
  Bench bench;
  EXPECT_EQ(run(bench, 100), (Kinds{.inputs = 100}));
}

// The quad comes in in cycle 2; MOV, the wait for it, MOV and END; the last result and four stages; then the
// quad leaves.
TEST(ShaderCycles, OneGroupGoesThroughIssueDependencyAndOutput) {
  Bench bench;
  auto state = program("MOV r0, c0\nMOV o0, r0\nEND\n");
  bench.send(*state, 0);
  // The last cycle is that in which the quad leaves: the unit is empty.
  EXPECT_EQ(run(bench, 2 + 1 + 4 + 2 + 7), (Kinds{.issued = 3, .dependency = 11, .inputs = 2}));
  EXPECT_EQ(run(bench, 50), (Kinds{.issued = 3, .dependency = 11, .inputs = 52}));
}

TEST(ShaderCycles, APortThatIsOccupiedIssues) {
  Bench bench({.group_lanes = 32, .threads = 256, .simd_lanes = 1});
  auto state = program("MOV o0, c0\nEND\n", 32);
  bench.send(*state, 0);
  EXPECT_EQ(run(bench, 60), (Kinds{.issued = 58, .inputs = 2}));
}

// TEX issues; its addresses, the request, the answer; the MOV and END.
TEST(ShaderCycles, AGroupWaitsForItsTextureUnit) {
  Bench bench;
  auto state = program("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n");
  bench.send(*state, 0);
  const Kinds k = run(bench, 3 + 20);
  EXPECT_EQ(k, (Kinds{.issued = 1, .texture = 20, .inputs = 2}));
  bench.sim.run(bench.clock, 200);
  // 5 until the quad leaves, 1 on each wire, 20 in the unit.
  EXPECT_EQ(run(bench, 1).texture, 5u + 1 + 20 + 1 - 1);
}

TEST(ShaderCycles, NobodyTakesWhatHasFinished) {
  Bench bench;
  bench.buffer.refuse = true;
  auto state = program("MOV o0, c0\nEND\n");
  for (uint32_t i = 0; i < 20; i++) bench.send(*state, i);
  run(bench, 100);
  const Kinds before = run(bench, 1), after = run(bench, 100);
  EXPECT_EQ(after.output - before.output, 100u);
}

// A group of eight temporaries in a file for two: the third waits outside while the others wait for texture.
TEST(ShaderCycles, AGroupFindsNoRegisters) {
  ShaderUnitSpec spec;
  spec.threads = 28, spec.input_threads = 4, spec.registers_per_thread = 2;
  Bench bench(spec);
  bench.texture.latency = 400;
  auto state = program("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n", 4, 8);
  for (uint32_t i = 0; i < 3; i++) bench.send(*state, i);
  run(bench, 50);
  const Kinds before = run(bench, 1), after = run(bench, 100);
  EXPECT_EQ(after.registers - before.registers, 100u);
}

}  // namespace
}  // namespace cutaway::boxes::cycle_kinds_test
