#include "boxes/shader_unit/bench_for_test.h"

namespace cutaway::boxes::issue_test {
namespace {

using namespace shader_unit_test_bench;

// Runs one group of one quad, and expects instruction i of the program to issue when those before it have
// left the issue port: not a cycle earlier.
void expect_issues(std::string_view text, const ShaderUnitSpec& spec, const std::vector<unsigned>& cycles) {
  Bench bench(spec);
  auto state = program(text, spec.group_lanes);
  bench.send(*state, 0);
  bench.sim.run(bench.clock, 2);
  uint64_t expected = 0;
  for (const unsigned occupied : cycles) {
    EXPECT_EQ(bench.unit.counters.instructions, expected++);
    bench.sim.run(bench.clock, 1);
    EXPECT_EQ(bench.unit.counters.instructions, expected);
    bench.sim.run(bench.clock, occupied - 1);
  }
  EXPECT_EQ(bench.unit.counters.instructions, expected);
  // All of it was work, but for the cycle before the group came.
  EXPECT_EQ(messages::testing::account_of(bench.sim, bench.unit).busy, bench.clock.now() - 1);
}

ShaderUnitSpec lanes_on(unsigned lanes, unsigned simd_lanes, PolicyName<IssuePolicies> issue = "n-way") {
  ShaderUnitSpec spec;
  spec.group_lanes = lanes, spec.simd_lanes = simd_lanes, spec.issue = issue;
  spec.threads = 8 * lanes;
  return spec;
}

TEST(ShaderUnit, AnInstructionOccupiesTheIssuePortForItsLanes) {
  for (const auto& [lanes, simd_lanes] :
       {std::pair{4u, 4u}, {4u, 1u}, {8u, 4u}, {16u, 16u}, {32u, 8u}, {32u, 1u}}) {
    const unsigned k = lanes / simd_lanes;
    expect_issues("MOV o0, c0\nADD r0, c0, c0\nRCP r1, c0.x\nDP4 r2, c0, c0\nNOP\nMOV o0, c0\nEND\n",
                  lanes_on(lanes, simd_lanes), {k, k, k, k, std::max(k, k - 1 + 4), k, k});
  }
}

TEST(ShaderUnit, AScalarUnitTakesAComponentAtATime) {
  for (const auto& [lanes, simd_lanes] : {std::pair{4u, 4u}, {32u, 8u}, {16u, 4u}}) {
    const unsigned k = lanes / simd_lanes;
    expect_issues("MOV o0.xyz, c0\nADD r0.y, c0, c0\nRCP r1, c0.x\nDP3 r2.x, c0, c0\nMUL r3, c0, c0\nEND\n",
                  lanes_on(lanes, simd_lanes, "scalar"), {3 * k, k, k, 3 * k, 4 * k, k});
  }
}

// A dependent instruction waits for the last component, not for the last lane: lanes follow each other.
TEST(ShaderUnit, AResultIsThereALatencyAfterItsLastPass) {
  // Issued in 3, twice the latency of 9, then a MOV whose lanes need 4 cycles and 5 of latency.
  ShaderUnitSpec spec = lanes_on(32, 8);
  spec.simd_latency = 9;
  EXPECT_EQ(time_of("ADD r0, c0, c0\nMOV o0, r0\nEND\n", spec), 3u + 9 + 3 + 9 + 4 + 1);
  spec.issue = "scalar";
  EXPECT_EQ(time_of("ADD r0.x, c0, c0\nMOV o0.x, r0\nEND\n", spec), 3u + 9 + 3 + 9 + 4 + 1);
  EXPECT_EQ(time_of("ADD r0, c0, c0\nMOV o0.x, r0\nEND\n", spec), 3u + 12 + 9 + 3 + 9 + 4 + 1);
  EXPECT_EQ(time_of("ADD r0, c0, c0\nMOV o0, r0\nEND\n", spec), 3u + 12 + 9 + 12 + 3 + 9 + 4 + 1);
  // A group ends when its last lane has.
  EXPECT_EQ(time_of("END\n", spec), 3u + 3 + 4 + 1);
}

// All lanes pass so often for what opens, turns and closes a construct, and once for other flow.
TEST(ShaderUnit, ConstructsOccupyTheIssuePortForTheirPasses) {
  for (const auto& [text, constructs, others] :
       {std::tuple{"IF i0.x\nMOV o0, c0\nENDIF\nEND\n", 2u, 1u},  // nobody goes in
        {"MOV r0, c0\nIF ~i0.x\nADD r1, r0, c0\nENDIF\nEND\n", 2u, 3u},
        {"IF ~i0.x\nMOV o0, c0\nELSE\nMOV o1, c0\nENDIF\nEND\n", 3u, 2u},
        {"LOOP\nMOV o0, c0\nBRK ~i0.x\nNEXT\nENDLOOP\nKIL i0.x\nEND\n", 2u, 5u},
        {"CALL 2\nEND\nMOV o0, c0\nRET\n", 2u, 2u},
        {"NOP\nMOV o0, c0\nEND\n", 0u, 3u}})
    for (const auto& [lanes, simd_lanes] : {std::pair{4u, 4u}, {32u, 8u}})
      for (const unsigned flow_passes : {1u, 2u, 5u}) {
        ShaderUnitSpec spec = lanes_on(lanes, simd_lanes);
        spec.flow_passes = flow_passes;
        Bench bench(spec);
        auto state = program(text, lanes);
        bench.send(*state, 0);
        bench.sim.run(bench.clock, 300);
        EXPECT_EQ(bench.unit.counters.cycles_issued, (constructs * flow_passes + others) * lanes / simd_lanes)
            << text;
      }
}

// The next instruction comes the latency of flow after the last pass, and none in the same cycle before it.
TEST(ShaderUnit, AConstructOfSeveralPassesIssuesAlone) {
  for (const unsigned flow_passes : {1u, 2u, 5u}) {
    ShaderUnitSpec spec = lanes_on(4, 4);
    spec.flow_passes = flow_passes;
    expect_issues("IF i0.x\nENDIF\nMOV o0, c0\nEND\n", spec,
                  {flow_passes - 1 + 4, flow_passes - 1 + 4, 1, 1});
    spec.ways = 4;
    spec.flow_latency = 1;
    EXPECT_EQ(time_of("MOV o0, c0\nIF i0.x\nENDIF\nEND\n", spec),
              3u + std::max(5u, flow_passes > 1 ? 1 + 2 * flow_passes : 2) + 4 + 1);
  }
}

// All lanes pass so often for an instruction of the scalar ALU, and nothing issues beside it. Reciprocals
// have a number of passes of their own.
TEST(ShaderUnit, ScalarInstructionsOccupyTheIssuePortForTheirPasses) {
  ShaderUnitSpec spec = lanes_on(8, 4, "simd-and-scalar");
  for (const unsigned passes : {2u, 5u}) {
    spec.scalar_passes = passes;
    spec.reciprocal_passes = 3;
    expect_issues("EX2 r0.x, c0\nRSQ r1.x, c0\nRCP r2.x, c0\nMOV r3, c0\nLG2 r4.x, c0\nEND\n", spec,
                  {2 * passes, 6, 6, 2, 2 * passes, 2});
  }
}

// All lanes pass so often for an instruction on doubles, whatever it writes, and nothing issues beside it.
TEST(ShaderUnit, DoublesOccupyTheIssuePortForTheirPasses) {
  for (const PolicyName<IssuePolicies> issue : {"n-way", "scalar"})
    for (const unsigned passes : {1u, 2u, 5u}) {
      ShaderUnitSpec spec = lanes_on(8, 4, issue);
      spec.double_passes = passes;
      expect_issues("DADD r0.xy, c0, c0\nDDIV r1.xy, c0, c0\nDLT r2.x, c0, c0\nF2D r3.zw, c0.x\nEND\n", spec,
                    {2 * passes, 2 * passes, 2 * passes, 2 * passes, 2});
    }
  ShaderUnitSpec spec = lanes_on(8, 4);
  spec.ways = 4;
  for (const unsigned passes : {2u, 5u}) {
    spec.double_passes = passes;
    expect_issues("MOV r4.x, c0\nDADD r0.xy, c0, c0\nEND\n", spec, {2, 2 * passes, 2});
  }
}

// A chain of n waits for the passes and the latency of each; division and roots have that of the scalar ALU.
TEST(ShaderUnit, ADoubleIsThereALatencyAfterItsLastPass) {
  ShaderUnitSpec spec = lanes_on(32, 8);
  spec.double_passes = 3;
  spec.simd_latency = 9, spec.scalar_latency = 13;
  const auto end = time_of("MOV o0, c0\nEND\n", spec);
  std::string chain = "DADD r0.xy, c0, c0\n";
  for (unsigned n = 1; n < 4; n++) {
    EXPECT_EQ(time_of(chain + "MOV o0, r0\nEND\n", spec), end + n * (2 * 4 + 9));
    EXPECT_EQ(time_of(chain + "DSQRT r0.xy, r0\nMOV o0, r0\nEND\n", spec),
              end + n * (2 * 4 + 9) + 2 * 4 + 13);
    chain += "DFMA r0.xy, r0, r0, -r0\n";
  }
}

TEST(ShaderUnit, EndAndNextMayBeFree) {
  for (const PolicyName<IssuePolicies> issue : {"n-way", "scalar", "simd-and-scalar"})
    for (const bool free_end : {false, true}) {
      ShaderUnitSpec spec = lanes_on(32, 8, issue);
      spec.free_end = free_end;
      for (const auto& [text, issues, free] :
           {std::tuple{"END\n", 0u, 1u},
            {"MOV o0.x, c0\nEND\n", 1u, 1u},
            {"MOV o0.x, c0\nMOV o1.x, c0\nEND\n", 2u, 1u},
            {"MOV o0.x, c0\nNOP\nEND\n", 2u, 1u},
            {"TEX o0.x, i0, t0, s0, 2D\nEND\n", 1u, 1u},
            {"LOOP\nMOV o0.x, c0\nBRK ~i0.x\nNEXT\nENDLOOP\nEND\n", 4u, 2u}}) {
        Bench bench(spec);
        auto state = program(text, 32);
        bench.send(*state, 0);
        bench.sim.run(bench.clock, 300);
        EXPECT_EQ(bench.buffer.received.size(), 1u);
        EXPECT_EQ(bench.unit.counters.cycles_issued, 4 * (issues + (free_end ? 0 : free))) << text;
      }
    }
}

// It ends when its last result is there, or what a branch leads to could issue, as others do.
TEST(ShaderUnit, AProgramWithAFreeEndWaitsForItsResults) {
  ShaderUnitSpec spec = lanes_on(4, 4);
  const auto with_end = time_of("MOV r0, c0\nRCP o0.x, c0.x\nEND\n", spec);
  const auto end = time_of("END\n", spec);
  spec.free_end = true;
  EXPECT_EQ(time_of("MOV r0, c0\nRCP o0.x, c0.x\nEND\n", spec), with_end);
  EXPECT_EQ(time_of("NOP\nEND\n", spec), end + spec.flow_latency - 1);
}

// However many groups there are: one instruction in k cycles.
TEST(ShaderUnit, GroupsShareTheIssuePort) {
  for (const unsigned simd_lanes : {1u, 2u, 4u}) {
    ShaderUnitSpec spec;
    spec.simd_lanes = simd_lanes;
    Bench bench(spec);
    auto state = program("ADD r0, c0, c0\nADD r0, r0, r0\nADD r0, r0, r0\nADD r0, r0, r0\nMOV o0, r0\nEND\n");
    for (uint32_t i = 0; i < 100; i++) bench.send(*state, i);
    bench.sim.run(bench.clock, 100);
    const uint64_t before = bench.unit.counters.instructions;
    bench.sim.run(bench.clock, 400);
    EXPECT_EQ(bench.unit.counters.instructions - before, 100 * simd_lanes);
    EXPECT_EQ(messages::testing::account_of(bench.sim, bench.unit).busy, 500u - 1);
  }
}

// The request leaves when all lanes have read their registers; until then the unit is busy.
TEST(ShaderUnit, ATextureInstructionOccupiesThePortBeforeItIsSent) {
  const auto run = [](unsigned simd_lanes) {
    Bench bench(lanes_on(32, simd_lanes));
    auto state = program("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n", 32);
    bench.send(*state, 0);
    bench.sim.run(bench.clock, 300);
    EXPECT_EQ(bench.buffer.received.size(), 1u);
    const engine::Account account = messages::testing::account_of(bench.sim, bench.unit);
    return std::pair{bench.buffer.received.at(0).first, account.starved_by("texture")};
  };
  const auto wide = run(32);
  for (const unsigned simd_lanes : {16u, 8u, 1u}) {
    const unsigned k = 32 / simd_lanes;
    const auto narrow = run(simd_lanes);
    EXPECT_EQ(narrow.second, wide.second) << k;
    // TEX, MOV, and END if it is the later of the two.
    EXPECT_EQ(narrow.first, wide.first + 2 * (k - 1) + (k > 5 ? k - 5 : 0)) << k;
  }
}

// Two groups of 20 instructions that wait for nothing.
TEST(ShaderUnit, TheSchedulerSaysWhoIssues) {
  const auto gap = [](PolicyName<GroupSchedulers> scheduler) {
    ShaderUnitSpec spec;
    spec.scheduler = scheduler;
    Bench bench(spec);
    std::string text;
    for (uint32_t i = 0; i < 20; i++) text += "MOV o0, c0\n";
    auto state = program(text + "END\n");
    for (uint32_t i = 0; i < 2; i++) bench.send(*state, i);
    bench.sim.run(bench.clock, 100);
    EXPECT_EQ(bench.buffer.received.size(), 2u);
    return bench.buffer.received[1].first - bench.buffer.received[0].first;
  };
  EXPECT_EQ(gap("round-robin"), 1u);
  EXPECT_EQ(gap("oldest"), 21u);
  EXPECT_EQ(gap("greedy-oldest"), 21u);
}

// The older group's texels come while the younger issues: only a greedy unit stays with the younger.
TEST(ShaderUnit, AGreedySchedulerStaysWithTheGroupThatIssues) {
  const auto order = [](PolicyName<GroupSchedulers> scheduler) {
    ShaderUnitSpec spec;
    spec.scheduler = scheduler;
    Bench bench(spec);
    std::string text;
    for (uint32_t i = 0; i < 60; i++) text += "MOV o0, c0\n";
    auto textured = program("TEX r0, i0, t0, s0, 2D\n" + text + "END\n"), plain = program(text + "END\n");
    bench.send(*textured, 0), bench.send(*plain, 1);
    bench.sim.run(bench.clock, 300);
    EXPECT_EQ(bench.buffer.received.size(), 2u);
    return bench.buffer.received.at(0).second.order;
  };
  EXPECT_EQ(order("oldest"), 0u);
  EXPECT_EQ(order("greedy-oldest"), 1u);
}

}  // namespace
}  // namespace cutaway::boxes::issue_test
