#include "boxes/shader_unit/bench_for_test.h"

// How many instructions of a group issue in a cycle, and in which.
namespace cutaway::boxes::issue_ways_test {
namespace {

using namespace shader_unit_test_bench;

ShaderUnitSpec issuing(PolicyName<IssuePolicies> issue, unsigned ways = 1) {
  ShaderUnitSpec spec;
  spec.issue = issue, spec.ways = ways;
  return spec;
}

// Runs one group, and expects so many instructions in each cycle, from the first that can issue on.
void expect_bundles(std::string_view text, const ShaderUnitSpec& spec, const std::vector<unsigned>& bundles) {
  Bench bench(spec);
  auto state = program(text, spec.group_lanes);
  bench.send(*state, 0);
  bench.sim.run(bench.clock, 2);
  uint64_t expected = 0;
  for (size_t i = 0; i < bundles.size(); i++) {
    bench.sim.run(bench.clock, 1);
    EXPECT_EQ(bench.unit.counters.instructions, expected += bundles[i]) << text << " cycle " << i;
  }
}

std::string repeated(std::string_view line, unsigned times) {
  std::string text;
  for (unsigned i = 0; i < times; i++) text += fmt::format(fmt::runtime(line), i % 16);
  return text;
}

// n instructions that wait for nothing, and END: ceil((n + 1) / ways) cycles, whatever their kind.
TEST(ShaderIssue, IndependentInstructionsIssueAsManyAsThereAreWays) {
  for (const std::string_view line : {"MAD r{}, c0, c0, c0\n", "RCP r{}, c0.x\n"})
    for (const unsigned n : {0u, 1u, 7u, 16u, 33u}) {
      const std::string text = repeated(line, n) + "END\n";
      const unsigned drain = n ? line[0] == 'M' ? 5 : 9 : 0;
      const auto cycles = [&](unsigned ways) { return (n + 1 + ways - 1) / ways; };
      for (const unsigned ways : {1u, 2u, 3u, 4u, 8u}) {
        // The last result or the END is the group's end; END issues in the last cycle, alone if the others
        // fill all cycles before it.
        const unsigned last = n ? (n - 1) / ways + drain : 0;
        EXPECT_EQ(time_of(text, issuing("n-way", ways)), 3 + std::max(cycles(ways) - 1, last) + 4 + 1)
            << n << " in " << ways;
      }
    }
}

TEST(ShaderIssue, GroupsTogetherIssueAsManyAsThereAreWays) {
  for (const auto& [issue, ways, rate] : {std::tuple{"n-way", 1u, 1u},
                                          {"n-way", 2u, 2u},
                                          {"n-way", 4u, 4u},
                                          {"simd-and-scalar", 1u, 2u},
                                          {"scalar", 8u, 1u}}) {
    Bench bench(issuing(issue, ways));
    // Four pairs: END is the SIMD ALU's.
    auto state = program(
        "ADD r0.x, c0, c0\nRCP r1, c0.x\nADD r2.x, c0, c0\nRCP r3, c0.x\nMOV r4.x, c0\nRSQ r5, c0.x\n"
        "RSQ o0, c0.x\nEND\n");
    for (uint32_t i = 0; i < 200; i++) bench.send(*state, i);
    bench.sim.run(bench.clock, 100);
    const uint64_t before = bench.unit.counters.instructions;
    bench.sim.run(bench.clock, 160);
    EXPECT_EQ(bench.unit.counters.instructions - before, 160u * rate);
  }
}

TEST(ShaderIssue, APairOfAVectorAndAScalarInstructionIssuesTogether) {
  const std::string_view pairs =
      "MUL r0.xyz, c0, c0\nRCP r0.w, c0.x\nRSQ r1.w, c0.x\nADD r1.xyz, c0, c0\n"
      "MUL r2, c0, c0\nMUL r3, c0, c0\nRCP r4, c0.x\nRCP r5, c0.x\nEND\n";
  expect_bundles(pairs, issuing("n-way", 1), {1, 1, 1, 1, 1, 1, 1, 1, 1});
  expect_bundles(pairs, issuing("simd-and-scalar"), {2, 2, 1, 2, 2});
  expect_bundles(pairs, issuing("n-way", 2), {2, 2, 2, 2, 1});
  expect_bundles(pairs, issuing("n-way", 4), {4, 4, 1});
}

TEST(ShaderIssue, InstructionsThatDependOnEachOtherDoNot) {
  // A chain goes at the latency of its links, however wide.
  const std::string chain =
      "ADD r0, c0, c0\nADD r0, r0, c0\nADD r0, r0, c0\nADD r0, r0, c0\nMOV o0, r0\nEND\n";
  for (const unsigned ways : {1u, 2u, 4u, 8u})
    EXPECT_EQ(time_of(chain, issuing("n-way", ways)), 3u + 4 * 5 + 5 + 4 + 1) << ways;
  // In order: what stands behind an instruction that waits does too.
  expect_bundles("ADD r0, c0, c0\nADD r1, r0, c0\nADD r2, c0, c0\nADD r3, c0, c0\nEND\n", issuing("n-way", 4),
                 {1, 0, 0, 0, 0, 4});
  // A register may be read by one and written by the next: it is read first.
  expect_bundles("MOV r1, r0\nMOV r0, c0\nEND\n", issuing("n-way", 4), {3});
  // Two results for one component take two cycles.
  expect_bundles("MOV r0.xy, c0\nMOV r0.yz, c0\nMOV o0.x, c0\nMOV o0.x, c0\nEND\n", issuing("n-way", 4),
                 {1, 2, 2});
  expect_bundles("MOV r0.xy, c0\nMOV r0.zw, c0\nEND\n", issuing("n-way", 4), {3});
}

// Registers are written behind both units: what the first gives the second has in the same cycle, and nobody
// else before a latency has passed.
TEST(ShaderIssue, AMultiplierGivesItsResultToTheUnitBehindIt) {
  const ShaderUnitSpec spec = issuing("mul-and-mad");
  expect_bundles("MUL r0, c0, c0\nMAD r1, r0, c0, c0\nMUL r2, c0, c0\nMAD r3, r2, c0, c0\nEND\n", spec,
                 {2, 3});
  expect_bundles("MAD r0, c0, c0, c0\nMUL r1, r0, c0\nEND\n", spec, {1, 0, 0, 0, 0, 2});
  expect_bundles("MUL r0, c0, c0\nMAD r1, c0, c0, c0\nMAD r2, r0, c0, c0\nEND\n", spec, {2, 0, 0, 0, 0, 2});
  expect_bundles("MUL r0, c0, c0\nMAD r0, r0, c0, c0\nMAD r0, c0, c0, c0\nEND\n", spec, {2, 2});
  // One component comes from the first unit and one from an instruction before: for that it waits.
  expect_bundles("ADD r0.y, c0, c0\nMUL r4, c0, c0\nMUL r0.x, c0, c0\nMAD r1, r0.xyxy, c0, c0\nEND\n", spec,
                 {2, 1, 0, 0, 0, 0, 2});
}

// The instruction behind a branch is not known; the one behind a texture instruction waits for the answer.
TEST(ShaderIssue, FlowAndTextureInstructionsAreTheLastOfTheirCycle) {
  expect_bundles("MOV r0, c0\nNOP\nMOV r1, c0\nMOV r2, c0\nEND\n", issuing("n-way", 4), {2, 0, 0, 0, 3});
  const auto requests = [](std::string_view text, unsigned ways) {
    Bench bench(issuing("n-way", ways));
    auto state = program(text);
    bench.send(*state, 0);
    bench.sim.run(bench.clock, 6);
    return std::pair{bench.unit.counters.instructions, bench.unit.counters.texture_instructions};
  };
  EXPECT_EQ(requests("MOV r0, c0\nTEX r1, i0, t0, s0, 2D\nTEX r2, i0, t0, s0, 2D\nEND\n", 4),
            (std::pair<uint64_t, uint64_t>{2, 1}));
}

// The unit behind the texture unit takes its answer in the pass of the texture instruction: that issues
// nothing more. What reads the answer and finds no place there begins a pass.
TEST(ShaderIssue, WhatReadsATexelEndsThePassOfItsTextureInstruction) {
  const auto passes = [](std::string_view text, PolicyName<IssuePolicies> mode) {
    ShaderUnitSpec spec = issuing(mode);
    spec.group_lanes = 32, spec.threads = 256, spec.simd_lanes = 4, spec.free_end = true;
    Bench bench(spec);
    auto state = program(text, spec.group_lanes);
    for (uint32_t i = 0; i < 8; i++) bench.send(*state, i);
    bench.sim.run(bench.clock, 2000);
    EXPECT_EQ(bench.buffer.received.size(), 8u) << text;
    return bench.unit.counters.cycles_issued / 8.0 / 8;
  };
  const std::string_view texels =
      "TEX r0, i0, t0, s0, 2D\nMAD r1, r0, c0, c0\nTEX r2, i0, t0, s0, 2D\nMAD o0, r2, c0, r1\nEND\n";
  EXPECT_EQ(passes(texels, "n-way"), 4);
  EXPECT_EQ(passes(texels, "mul-and-mad"), 2);
  // The last of a pass that writes a register has it.
  EXPECT_EQ(passes("TEX r0, i0, t0, s0, 2D\nADD r0, c0, r0\nTEX r1, i0, t0, s0, 2D\nADD o0, r0, r1\nEND\n",
                   "mul-and-mad"),
            2);
  const std::string_view twice = "TEX r0, i0, t0, s0, 2D\nMAD r1, r0, c0, c0\nMAD o0, r0, r1, c0\nEND\n";
  EXPECT_EQ(passes(twice, "mul-and-mad"), 2);
  // Two halves of a register at once; and what was in the second unit before.
  EXPECT_EQ(passes("TEX r0, i0, t0, s0, 2D\nADD o0.xy, r0, c0\nMUL o0.zw, r0, c0\nEND\n", "mul-and-mad"), 1);
  EXPECT_EQ(passes("MAD r1, c0, c0, c0\nTEX r0, i0, t0, s0, 2D\nMAD o0, r0, c0, c0\nEND\n", "mul-and-mad"),
            2);
}

// A bundle's lanes pass together.
TEST(ShaderIssue, ABundleOccupiesThePortOnce) {
  for (const unsigned simd_lanes : {32u, 8u, 1u}) {
    ShaderUnitSpec spec = issuing("n-way", 4);
    spec.group_lanes = 32, spec.threads = 256, spec.simd_lanes = simd_lanes;
    std::vector<unsigned> bundles{4};
    bundles.resize(32 / simd_lanes, 0);
    bundles.push_back(4);
    expect_bundles(repeated("MOV r{}, c0\n", 7) + "END\n", spec, bundles);
  }
}

// The bits are the same in every mode: in the order of the program.
TEST(ShaderIssue, ABundleComputesWhatTheProgramSays) {
  const auto result = [](const ShaderUnitSpec& spec) {
    Bench bench(spec);
    auto state = program(
        "MOV r1, c0\nRCP r2.x, c0.y\nMOV r0, r1\nMOV r1, c1\nADD r0.x, r0, r2.x\nMOV o0, r0\n"
        "ADD o0.y, r1, r0\nEND\n");
    for (uint32_t i = 0; i < 4; i++) state->stage[Stage::kFragment].constants[0][i] = 0x3f800000 + (i << 23);
    for (uint32_t i = 0; i < 4; i++) state->stage[Stage::kFragment].constants[1][i] = 0x40a00000;
    bench.send(*state, 0);
    bench.sim.run(bench.clock, 100);
    EXPECT_EQ(bench.buffer.received.size(), 1u);
    std::vector<uint32_t> bits;
    for (uint32_t c = 0; c < 4; c++)
      bits.push_back(bench.buffer.received.at(0).second.outputs->output[0][c][0]);
    return bits;
  };
  const auto expected = result(issuing("n-way", 1));
  EXPECT_EQ(std::bit_cast<float>(expected[0]), 1.5f);
  EXPECT_EQ(std::bit_cast<float>(expected[1]), 7.0f);
  for (const unsigned ways : {2u, 4u, 8u}) EXPECT_EQ(result(issuing("n-way", ways)), expected);
  EXPECT_EQ(result(issuing("simd-and-scalar")), expected);
  EXPECT_EQ(result(issuing("mul-and-mad")), expected);
}

}  // namespace
}  // namespace cutaway::boxes::issue_ways_test
