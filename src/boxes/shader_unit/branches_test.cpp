#include "boxes/shader_unit/bench_for_test.h"

// Tests what groups of a batch pay for one another's branches.
namespace cutaway::boxes::branches_test {
namespace {

using namespace shader_unit_test_bench;

// Issue cycles of four groups of a quad, without what stands before `body` and the END: i0.x is `high` in the
// first `taking` of them and `low` in the others, c0.x is 1 and c1.x 0. All have come in before the first
// branches.
uint64_t issue_cycles(unsigned branch_groups, unsigned taking, const std::string& body, float high = 1,
                      float low = 0, const std::string& functions = "", ShaderUnitSpec spec = {}) {
  spec.branch_groups = branch_groups;
  Bench bench(spec);
  std::string text;
  for (unsigned i = 0; i < 8; i++) text += "MOV r1, c0\n";
  auto state = program(text + body + "END\n" + functions);
  state->registers.vertex_out.interpolants = 1;
  state->stage[Stage::kFragment].constants[0][0] = std::bit_cast<uint32_t>(1.0f);
  for (uint32_t i = 0; i < 4; i++) {
    bench.send(*state, i);
    auto& input = bench.fragments.messages.back().quads->quad[0].inputs->input;
    for (uint32_t& lane : input[0][0]) lane = std::bit_cast<uint32_t>(i < taking ? high : low);
  }
  bench.sim.run(bench.clock, 5000);
  EXPECT_EQ(bench.buffer.received.size(), 4u);
  EXPECT_EQ(bench.unit.why_busy(), "");
  return bench.unit.counters.cycles_issued - 4 * (8 + 1);
}

std::string mads(unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; i++) text += "MAD r0, c0, c0, c0\n";
  return text;
}

// A side is paid for by all if anyone takes it.
TEST(ShaderBranches, ABatchExecutesBothSides) {
  const std::string body = "IF i0.x\n" + mads(10) + "ELSE\n" + mads(20) + "ENDIF\n";
  for (const unsigned taking : {1u, 2u, 3u}) {
    EXPECT_EQ(issue_cycles(1, taking, body), 4 * 3 + 10 * taking + 20 * (4 - taking));
    EXPECT_EQ(issue_cycles(4, taking, body), 4 * 3 + 4 * (10 + 20)) << taking;
  }
  EXPECT_EQ(issue_cycles(4, 0, body), issue_cycles(1, 0, body));
  EXPECT_EQ(issue_cycles(4, 4, body), issue_cycles(1, 4, body));
}

// An ALU of one component takes four passes for a MAD, and a group that waits for it as many.
TEST(ShaderBranches, EachPassIsPaidByAll) {
  const auto cycles = [](unsigned branch_groups, unsigned mads_of_side) {
    const std::string body = "IF i0.x\n" + mads(mads_of_side) + "ENDIF\n";
    return issue_cycles(branch_groups, 1, body, 1, 0, "", {.issue = "scalar"});
  };
  EXPECT_EQ(cycles(1, 20) - cycles(1, 10), 10 * 4u);
  EXPECT_EQ(cycles(4, 20) - cycles(4, 10), 4 * 10 * 4u);
}

// A function stands behind the END, but is executed where it is called: all are together again after it.
TEST(ShaderBranches, AFunctionStandsWhereItIsCalled) {
  const std::string functions = "f:\n" + mads(10) + "CALL g\nRET\ng:\n" + mads(5) + "RET\n";
  const std::string body = "IF i0.x\nCALL f\nELSE\nCALL g\nENDIF\n" + mads(20);
  const unsigned long_side = 1 + 10 + 1 + 5 + 2, short_side = 1 + 5 + 1;
  for (const unsigned taking : {1u, 2u, 3u}) {
    EXPECT_EQ(issue_cycles(1, taking, body, 1, 0, functions),
              4 * (3 + 20) + long_side * taking + short_side * (4 - taking));
    EXPECT_EQ(issue_cycles(4, taking, body, 1, 0, functions), 4 * (3 + 20 + long_side + short_side))
        << taking;
  }
}

// Pairs: only those who came in together.
TEST(ShaderBranches, BatchesDoNotPayForEachOther) {
  const std::string body = "IF i0.x\n" + mads(10) + "ENDIF\n";
  EXPECT_EQ(issue_cycles(2, 2, body), issue_cycles(1, 2, body));
  EXPECT_EQ(issue_cycles(2, 1, body), issue_cycles(1, 1, body) + 10);
}

// A loop takes as many rounds for all as for the one that stays longest.
TEST(ShaderBranches, ALoopTakesTheTimeOfTheSlowest) {
  // i0.x rounds.
  const std::string body =
      "MOV r3.x, c1\nLOOP\n" + mads(10) + "ADD r3.x, r3, c0\nFGE r2.x, r3.x, i0.x\nBRK r2.x\nNEXT\nENDLOOP\n";
  const unsigned round = 10 + 5;
  for (const unsigned taking : {1u, 3u}) {
    EXPECT_EQ(issue_cycles(1, taking, body, 5, 1), 4 * 2 + round * (5 * taking + 4 - taking));
    EXPECT_EQ(issue_cycles(4, taking, body, 5, 1), 4 * 2 + round * 5 * 4) << taking;
  }
  EXPECT_EQ(issue_cycles(4, 4, body, 5, 1), issue_cycles(1, 4, body, 5, 1));
}

}  // namespace
}  // namespace cutaway::boxes::branches_test
