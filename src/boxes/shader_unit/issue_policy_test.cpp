#include "boxes/shader_unit/issue_policy.h"

#include <gtest/gtest.h>
#include <vector>

#include "func/shader/micro_program.h"

namespace cutaway::boxes::issue_policy_test {
namespace {

constexpr uint32_t kWays[] = {1, 2, 4, 8};

func::MicroProgram assemble(const std::string& text) { return {isa::assemble(text + "\nEND\n"), 4}; }

uint32_t passes(PolicyName<IssuePolicies> mode, const char* text) {
  const func::MicroProgram program = assemble(text);
  return IssuePolicies::make(mode, 1)->passes(program[0]);
}

// How many instructions of a program issue together, if none waits for a result.
uint32_t together(PolicyName<IssuePolicies> mode, uint32_t ways, const std::string& text) {
  const func::MicroProgram program = assemble(text);
  const auto policy = IssuePolicies::make(mode, ways);
  IssueBundle bundle;
  do bundle.add(program[bundle.count()]);
  while (bundle.count() < policy->most() && program[bundle.count()].op != isa::Opcode::kEnd &&
         policy->joins(bundle, program[bundle.count()]));
  return bundle.count();
}

TEST(IssuePolicy, NWayIssuesAsManyOfAnyKind) {
  for (const uint32_t ways : kWays)
    for (const std::string line : {"ADD r0, c0, c0\n", "RCP r0, c0.x\n", "TEX r0, i0, t0, s0, 2D\n"}) {
      std::string text;
      for (uint32_t i = 0; i < 10; i++) text += line;
      EXPECT_EQ(together("n-way", ways, text), ways) << line;
    }
}

TEST(IssuePolicy, SimdAndScalarIssuesOneOfEach) {
  for (const auto& [text, expected] : {std::pair{"ADD r0, c0, c0\nADD r1, c0, c0\nRCP r2, c0.x", 1u},
                                       {"ADD r0, c0, c0\nRCP r1, c0.x\nRCP r2, c0.x", 2u},
                                       {"RCP r0, c0.x\nADD r1, c0, c0\nADD r2, c0, c0", 2u},
                                       {"RCP r0, c0.x\nRSQ r1, c0.x\nADD r2, c0, c0", 1u},
                                       {"RCP r0, c0.x\nTEX r1, i0, t0, s0, 2D", 2u},
                                       {"MOV r0, c0\nTEX r1, i0, t0, s0, 2D", 1u},
                                       {"RCP r0, c0.x\nKIL c0.x", 2u},
                                       {"MOV r0, c0\nNOP", 1u}})
    for (const uint32_t ways : kWays) EXPECT_EQ(together("simd-and-scalar", ways, text), expected);
}

TEST(IssuePolicy, MulAndMadIssuesWhatTwoUnitsCanDo) {
  for (
      const auto& [text, expected] :
      {// A unit each; the second can do all, the first multiplies and moves.
       std::pair{"MUL r0, c0, c0\nMAD r1, c0, c0, c0\nMUL r2, c0, c0", 2u},
       {"MAD r1, c0, c0, c0\nMUL r0, c0, c0\nADD r2, c0, c0", 2u},
       {"MUL r0, c0, c0\nMOV r1, c0\nMUL r2, c0, c0", 2u},
       {"MAD r0, c0, c0, c0\nADD r1, c0, c0", 1u},
       {"SLT r0, c0, c0\nSGE r1, c0, c0", 1u},
       // Three and one components, two and two.
       {"MUL r0.xyz, c0, c0\nMUL r1.w, c0, c0\nMAD r2.w, c0, c0, c0\nMAD r3.xy, c0, c0, c0\nMUL r4.x, c0, c0",
        4u},
       {"MUL r0.xy, c0, c0\nMUL r1.zw, c0, c0\nMAD r2.z, c0, c0, c0\nMAD r3.xy, c0, c0, c0\nMUL r4.x, c0, c0",
        4u},
       {"MAD r0.x, c0, c0, c0\nMAD r1.z, c0, c0, c0", 2u},
       {"MAD r0.x, c0, c0, c0\nMAD r1.y, c0, c0, c0", 1u},
       {"MAD r0.yz, c0, c0, c0\nMAD r1.w, c0, c0, c0", 2u},
       {"MAD r0.xw, c0, c0, c0\nMAD r1.y, c0, c0, c0", 1u},
       {"ADD r0.x, c0, c0\nADD r1.z, c0, c0\nADD r2.w, c0, c0", 2u},
       // Dot products take their terms, wherever the result goes.
       {"DP3 r0.x, c0, c0\nMAD r1.w, c0, c0, c0", 2u},
       {"DP3 r0.w, c0, c0\nMAD r1.y, c0, c0, c0", 1u},
       {"DP4 r0.x, c0, c0\nMAD r1.w, c0, c0, c0", 1u},
       {"DP2 r0.x, c0, c0\nMAD r1.zw, c0, c0, c0", 2u},
       // Scalar operations take the last component of the second unit; of reciprocals one is free.
       {"MUL r0, c0, c0\nMAD r1.xyz, c0, c0, c0\nEX2 r2.x, c0.x\nMOV r3.x, c0", 3u},
       {"MAD r1, c0, c0, c0\nEX2 r2.x, c0.x", 1u},
       {"RSQ r0.x, c0.x\nSIN r1.x, c0.x", 1u},
       {"MUL r0, c0, c0\nMAD r1, c0, c0, c0\nRCP r2.x, c0.x\nRCP r3.x, c0.x", 3u},
       {"RCP r2.x, c0.x\nRCP r3.x, c0.x\nRCP r4.x, c0.x", 2u},
       // So is the normalising to halves (NV4-4), one in a pass, which the second unit may read.
       {"MUL r0, c0, c0\nMAD r1, c0, c0, c0\nNRM h4.xyz, c0", 3u},
       {"NRM h4.xyz, c0\nMUL r0, c0, c0\nMAD r1, h4, c0, c0\nRCP r3.x, c0.x", 4u},
       {"NRM h4.xyz, c0\nNRM h5.xyz, c0", 1u},
       {"NRM h4.xyz, c0\nMUL r0, c0, c0\nMUL r1, r0, h4", 3u},
       {"MAD r1, c0, c0, c0\nNRM h4.xyz, r1", 1u},
       // The fog unit stands behind the second unit, and blends once in a pass.
       {"MUL r0, c0, c0\nMAD r1, r0, c0, c0\nFOG o0.xyz, r1, r0.x, c0\nMOV o0.w, c0", 3u},
       {"MUL r0, c0, c0\nMAD r1.xyz, r0, c0, c0\nFOG o0.xyz, r1, r0.x, c0\nMOV o0.w, c0", 4u},
       {"FOG o0.xyz, c0, c0.x, c0\nFOG o1.xyz, c0, c0.x, c0", 1u},
       {"FOG r0.xyz, c0, c0.x, c0\nMOV o0.xyz, r0", 1u},
       {"FOG o0.xyz, c0, c0.x, c0\nMUL r1, c0, c0\nMUL r2, c0, c0", 3u},
       // A texture instruction has the first unit: what multiplies moves to the second.
       {"MAD r0, c0, c0, c0\nTEX r1, i0, t0, s0, 2D", 2u},
       {"MUL r0, c0, c0\nTEX r1, i0, t0, s0, 2D", 2u},
       {"MUL r0, c0, c0\nMAD r1, c0, c0, c0\nTEX r2, i0, t0, s0, 2D", 2u},
       {"RCP r0.x, c0.x\nMUL r1.x, c0, c0\nTEX r2, i0, t0, s0, 2D", 3u},
       // Results go from the first unit to the second, and from both to the branch processor.
       {"MUL r0, c0, c0\nMAD r1, r0, c0, c0", 2u},
       {"MUL r0, c0, c0\nMUL r1, r0, c0", 2u},
       {"MAD r0, c0, c0, c0\nMUL r1, r0, c0", 1u},
       {"MUL r0.x, c0, c0\nMUL r1.w, c0, c0\nMUL r2.x, r1.w, c0\nMUL r3.w, r0.x, c0\nMUL r4.w, c0, c0", 4u},
       {"MUL r0.x, c0, c0\nMUL r1.x, r0, c0\nMUL r2.w, r1.x, c0", 2u},
       {"RCP r0.x, c0.x\nMUL r1, r0.x, c0\nMUL r2, c0, c0", 3u},
       {"EX2 r0.x, c0.x\nMUL r1.x, r0.x, c0", 1u},
       {"MUL r0, c0, c0\nTEX r1, r0, t0, s0, 2D", 1u},
       {"MUL r0, c0, c0\nMAD r1, r0, c0, c0\nKIL r1.x", 3u}})
    EXPECT_EQ(together("mul-and-mad", 1, text), expected) << text;
}

TEST(IssuePolicy, ScalarIssuesOne) {
  for (const uint32_t ways : kWays) EXPECT_EQ(together("scalar", ways, "ADD r0.x, c0, c0\nRCP r1, c0.x"), 1u);
}

TEST(IssueBundle, TellsWhoWritesTheSameComponents) {
  const func::MicroProgram program = assemble("ADD r0.xz, c0, c0\nMOV r0.yw, c0\nMOV r0.w, c0\nMOV o0, c0");
  IssueBundle bundle;
  bundle.add(program[0]);
  EXPECT_TRUE(bundle.writes_same(program[0]));
  EXPECT_FALSE(bundle.writes_same(program[1]));
  EXPECT_FALSE(bundle.writes_same(program[3]));
  bundle.add(program[1]);
  EXPECT_TRUE(bundle.writes_same(program[2]));
}

TEST(IssuePolicy, WholeRegistersPassOnce) {
  for (const PolicyName<IssuePolicies> mode : {"n-way", "simd-and-scalar", "mul-and-mad"})
    for (const char* text : {"MOV r0, c0", "ADD r0.x, c0, c0", "DP4 r0, c0, c0", "RCP r0, c0.x", "NOP",
                             "TEX r0, i0, t0, s0, 2D", "LDS r0, c0.x"})
      EXPECT_EQ(passes(mode, text), 1u) << text;
}

TEST(IssuePolicy, NormalisingPassesThriceWhereNoUnitIsMadeForIt) {
  for (const PolicyName<IssuePolicies> mode : {"n-way", "simd-and-scalar", "mul-and-mad"}) {
    EXPECT_EQ(passes(mode, "NRM r0.xyz, c0"), 3u);
    EXPECT_EQ(passes(mode, "NRM h0.xyz, c0"), mode == "mul-and-mad" ? 1u : 3u);
  }
}

TEST(IssuePolicy, FogPassesTwiceWhereNoUnitIsMadeForIt) {
  for (const PolicyName<IssuePolicies> mode : {"n-way", "simd-and-scalar", "mul-and-mad"}) {
    const bool unit = mode == "mul-and-mad";
    EXPECT_EQ(passes(mode, "FOG o0.xyz, r0, r1.x, c0"), unit ? 1u : 2u);
    EXPECT_EQ(IssuePolicies::make(mode, 1)->blends_fog(), unit);
  }
}

TEST(IssuePolicy, ScalarInstructionsPassOnceForEachComponent) {
  for (const auto& [text, expected] : {std::pair{"MOV r0.y, c0", 1u},
                                       {"ADD r0.xw, c0, c0", 2u},
                                       {"MAD o0.xyz, c0, c0, c0", 3u},
                                       {"MUL r0, c0, c0", 4u},
                                       {"DP2 r0.x, c0, c0", 2u},
                                       {"DP3 r0, c0, c0", 3u},
                                       {"DP4 r0.xy, c0, c0", 4u},
                                       {"NRM r0.xyz, c0", 7u},
                                       {"FOG o0.xyz, r0, r1.x, c0", 6u},
                                       {"RCP r0, c0.x", 1u},
                                       {"RSQ r0.xy, c0.x", 1u},
                                       {"LDS r0.xyz, c0.x", 3u},
                                       {"STS _.xy, c0.x, r0", 2u},
                                       {"TEX r0, i0, t0, s0, 2D", 1u},
                                       {"NOP", 1u}})
    EXPECT_EQ(passes("scalar", text), expected) << text;
}

}  // namespace
}  // namespace cutaway::boxes::issue_policy_test
