#include "boxes/shader_unit/issue_port.h"

#include "boxes/shader_unit/group_bench_for_test.h"

namespace cutaway::boxes::issue_port_test {
namespace {

using namespace group_test_bench;

struct Bench : GroupBench {
  ShaderUnitCounters unit;
  UnitPrimitiveCounters primitives;
  UnitStorageCounters storage;
  IssuePort port;

  explicit Bench(std::string_view text, const ShaderUnitSpec& spec = {}, Stage stage_in = Stage::kFragment)
      : GroupBench(stage_in, text, spec.group_lanes), port(spec, groups, {unit, primitives, storage}) {}
  // A group comes in and can issue in the next cycle.
  Group& admit(Cycle now) {
    Group& group = enter(now);
    port.admit(group);
    EXPECT_TRUE(port.settle(now, now + 1, group));
    return group;
  }
};

// SIMD operations take 5 cycles, scalar ones 9, flow 4.
TEST(IssuePort, AGroupIssuesInItsCycleAndNotBefore) {
  Bench bench("MOV r0, c0\nMOV r1, r0\nEND\n");
  EXPECT_EQ(bench.port.pick(1), nullptr);
  Group& group = bench.admit(1);
  EXPECT_EQ(bench.port.pick(1), nullptr);
  ASSERT_EQ(bench.port.pick(2), &group);
  const IssuePort::Issued issued = bench.port.issue(2, group);
  EXPECT_EQ(issued.need, func::Need::kStep);
  EXPECT_EQ(issued.next, 3u);
  EXPECT_TRUE(bench.port.settle(2, issued.next, group));
  // The second instruction reads the first one's result.
  EXPECT_EQ(bench.port.pick(6), nullptr);
  EXPECT_EQ(bench.port.pick(7), &group);
}

// A group of 16 lanes passes 4 at a time.
TEST(IssuePort, ThePortIsOccupiedUntilAllLanesHaveIssued) {
  Bench bench("MOV r0, c0\nEND\n", {.group_lanes = 16, .threads = 64, .simd_lanes = 4});
  Group& first = bench.admit(1);
  bench.admit(1);
  ASSERT_EQ(bench.port.pick(2), &first);
  const IssuePort::Issued issued = bench.port.issue(2, first);
  EXPECT_EQ(issued.next, 6u);
  EXPECT_EQ(bench.port.free_at(), 6u);
  EXPECT_EQ(bench.port.last_lane(), 5u);
  EXPECT_TRUE(bench.port.occupied(5));
  EXPECT_FALSE(bench.port.occupied(6));
  EXPECT_EQ(bench.port.pick(5), nullptr);
  EXPECT_NE(bench.port.pick(6), nullptr);
}

// Three temporaries through one port take three passes, of four cycles each; none joins an instruction that
// leaves it no port.
TEST(IssuePort, OperandsBeyondThePortsTakeFurtherPasses) {
  const ShaderUnitSpec spec{.group_lanes = 16, .threads = 64, .register_reads = 1, .simd_lanes = 4};
  Bench bench("MAD r3, r0, r1, r2\nEND\n", spec);
  Group& group = bench.admit(1);
  ASSERT_EQ(bench.port.pick(2), &group);
  EXPECT_EQ(bench.port.issue(2, group).next, 14u);
  EXPECT_EQ(bench.port.free_at(), 14u);
  EXPECT_EQ(bench.unit.register_passes, 2u);
}

TEST(IssuePort, InstructionsJoinWhereTheirOperandsFindPorts) {
  const auto together = [](unsigned registers) {
    Bench bench("MUL r7, r1, r2\nMUL r3, r4, r1\nMUL r5, r6, r6\nEND\n",
                {.register_reads = registers, .ways = 4});
    Group& group = bench.admit(1);
    EXPECT_EQ(bench.port.pick(2), &group);
    bench.port.issue(2, group);
    EXPECT_EQ(bench.unit.register_splits, bench.unit.instructions < 3 ? 1u : 0u);
    return bench.unit.instructions;
  };
  EXPECT_EQ(together(2), 1u);
  EXPECT_EQ(together(3), 2u);
  EXPECT_EQ(together(4), 4u);
  EXPECT_EQ(together(0), 4u);
}

TEST(IssuePort, ABranchDelaysItsGroup) {
  Bench bench("IF c0.x\nENDIF\nEND\n");
  Group& group = bench.admit(1);
  EXPECT_EQ(bench.port.issue(2, group).next, 2u + 4);
}

TEST(IssuePort, TextureInstructionsAreLeftToTheCaller) {
  Bench bench("MOV r1, c0\nTEX r0, c0, t0, s0, 2D\nEND\n", {.ways = 2});
  Group& group = bench.admit(1);
  EXPECT_EQ(bench.port.issue(2, group).need, func::Need::kTexture);  // beside the MOV
  EXPECT_EQ(bench.unit.instructions, 2u);
  EXPECT_EQ(group.threads.pc(), 1u);  // stands there until its answer comes
  EXPECT_EQ(bench.port.free_at(), 3u);
  group.threads.advance();
  EXPECT_EQ(bench.port.complete_texture(20, group), 21u);
}

TEST(IssuePort, MemoryInstructionsAreLeftToTheCaller) {
  Bench bench("LDB r0.x, c0.x, t0\nMOV r1.x, r0\nEND\n");
  Group& group = bench.admit(1);
  EXPECT_EQ(bench.port.issue(2, group).need, func::Need::kMemory);
  EXPECT_EQ(bench.port.complete_access(group, 9), 3u);
  EXPECT_EQ(group.threads.pc(), 1u);
  EXPECT_TRUE(bench.port.settle(2, 3, group));
  EXPECT_EQ(bench.port.pick(10), nullptr);  // the result is there 9 cycles after the last lane
  EXPECT_EQ(bench.port.pick(11), &group);
}

TEST(IssuePort, AnAccessWithConflictsKeepsThePort) {
  Bench bench("LDB r0.x, c0.x, t0\nEND\n");
  Group& group = bench.admit(1);
  bench.port.issue(2, group);
  EXPECT_EQ(bench.port.extend(group, 3), 0u);  // as long as it has it
  EXPECT_EQ(bench.port.free_at(), 3u);
  EXPECT_EQ(bench.port.extend(group, 7), 4u);
  EXPECT_EQ(bench.port.free_at(), 7u);
}

TEST(IssuePort, AGroupThatHasEndedDoesNotSettle) {
  Bench bench("END\n");
  Group& group = bench.admit(1);
  const IssuePort::Issued issued = bench.port.issue(2, group);
  EXPECT_FALSE(bench.port.settle(2, issued.next, group));
}

// The groups of a batch go on together behind a branch.
TEST(IssuePort, AGroupWaitsForItsBatchBehindABranch) {
  Bench bench("IF c0.x\nMOV r0, c0\nENDIF\nEND\n", {.branch_groups = 2});
  Group &first = bench.admit(1), &second = bench.admit(1);
  EXPECT_TRUE(bench.port.settle(2, bench.port.issue(2, first).next, first));
  EXPECT_EQ(first.phase, GroupPhase::kBranch);
  EXPECT_EQ(bench.port.waiting_at_branches(), 1u);
  EXPECT_TRUE(bench.port.settle(3, bench.port.issue(3, second).next, second));
  EXPECT_EQ(bench.port.waiting_at_branches(), 0u);
  EXPECT_EQ(bench.groups.time_of(first), 6u);
  EXPECT_EQ(bench.groups.time_of(second), 7u);
}

TEST(IssuePort, CountsInstructionsByStage) {
  Bench bench("MOV o0, c0\nEND\n", {}, Stage::kVertex);
  Group& group = bench.admit(1);
  bench.port.issue(2, group);
  EXPECT_EQ(bench.unit.instructions, 1u);
  EXPECT_EQ(bench.unit.vertex_instructions, 1u);
  EXPECT_EQ(bench.storage.compute_instructions, 0u);
}

}  // namespace
}  // namespace cutaway::boxes::issue_port_test
