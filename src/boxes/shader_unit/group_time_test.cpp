// Tests where the time of groups goes, by instruction.
#include "boxes/shader_unit/bench_for_test.h"

namespace cutaway::boxes::group_time_test {
namespace {

using namespace shader_unit_test_bench;
using Counts = std::vector<messages::InstructionCount>;

// Sends groups of one quad through a unit at once; what they did, by instruction.
struct Timed {
  Timed(std::string_view text, uint32_t groups, const ShaderUnitSpec& spec = {}, bool refuse = false)
      : bench(spec), state(program(text, spec.group_lanes)) {
    command_stream::ByStage<uint32_t> sizes;
    sizes[Stage::kFragment] = state->fragment().program->micro.size();
    counts = std::make_unique<messages::InstructionCounts>(sizes);
    state->instructions = counts.get();
    bench.buffer.refuse = refuse;
    for (uint32_t i = 0; i < groups; i++) bench.send(*state, i);
  }
  const Counts& run(Cycle cycles = 1000) {
    bench.sim.run(bench.clock, cycles);
    EXPECT_EQ(counts->entries().size(), 1u);
    return counts->entries()[0].counts;
  }
  // All cycles of all groups from when they came to when they left.
  uint64_t inside() const { return bench.unit.counters.resident_groups; }

  Bench bench;
  std::unique_ptr<messages::DrawState> state;
  std::unique_ptr<messages::InstructionCounts> counts;
};

uint64_t time_in(const messages::InstructionCount& c) {
  return c.issue_cycles + c.waited_flow + c.waited_result + c.waited_issue + c.waited_send +
         c.waited_texture + c.waited_drain + c.waited_output;
}

uint64_t time_in(const Counts& counts) {
  uint64_t all = 0;
  for (const messages::InstructionCount& c : counts) all += time_in(c);
  return all;
}

TEST(GroupTime, AChainWaitsForEachResult) {
  Timed timed("MOV r0, c0\nMAD r0, r0, r0, r0\nRCP r1, r0.x\nMOV o0, r1\nEND\n", 1);
  const Counts& counts = timed.run();
  for (const messages::InstructionCount& c : counts) {
    EXPECT_EQ(c.issued, 1u);
    EXPECT_EQ(c.lanes, 4u);
    EXPECT_EQ(c.issue_cycles, 1u);
    EXPECT_EQ(c.waited_issue + c.waited_flow + c.waited_send + c.waited_texture, 0u);
  }
  // A latency less the cycle in which it was issued: of four components 5, of a scalar 9.
  EXPECT_EQ(counts[0].waited_result, 0u);
  EXPECT_EQ(counts[1].waited_result, 4u);
  EXPECT_EQ(counts[2].waited_result, 4u);
  EXPECT_EQ(counts[3].waited_result, 8u);
  EXPECT_EQ(counts[4].waited_result, 0u);
  // The MOV before the end has 3 of its 5 stages before it after END has issued, and 4 of the pipeline; then
  // the quad leaves.
  EXPECT_EQ(counts[4].waited_drain, 3u + 4);
  EXPECT_EQ(counts[4].waited_output, 1u);
  EXPECT_EQ(time_in(counts), timed.inside());
}

// Four groups of one port: while one issues, those that could wait. They come a cycle apart.
TEST(GroupTime, GroupsWaitForOneAnother) {
  constexpr uint32_t kGroups = 4;
  Timed timed("MOV o0, c0\nMOV o0, c0\nMOV o0, c0\nMOV o0, c0\nEND\n", kGroups);
  const Counts& counts = timed.run();
  uint64_t waited = 0;
  for (const messages::InstructionCount& c : counts) {
    EXPECT_EQ(c.issued, kGroups);
    EXPECT_EQ(c.lanes, 4 * kGroups);
    EXPECT_EQ(c.waited_result, 0u);
    waited += c.waited_issue;
  }
  // Groups are inside for 20 issues, one a cycle: what each does not issue itself, it waits; but those that
  // come later are not there yet, and those that have ended no longer.
  uint64_t before_end = 0;
  for (const messages::InstructionCount& c : counts)
    before_end += time_in(c) - c.waited_drain - c.waited_output;
  EXPECT_EQ(waited, before_end - 5 * kGroups);
  EXPECT_GT(waited, 5u * kGroups);
  EXPECT_EQ(time_in(counts), timed.inside());
}

// The addresses are computed, one cycle to send the quad, one on each wire and 20 in the texture unit's
// place, then the next issues.
TEST(GroupTime, ATextureInstructionHoldsItsGroup) {
  Timed timed("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n", 1);
  const Counts& counts = timed.run();
  EXPECT_EQ(counts[0].issued, 1u);
  EXPECT_EQ(counts[0].waited_send, ShaderUnitSpec{}.texture_latency);
  EXPECT_EQ(counts[0].waited_texture, 1u + 20 + 1);
  EXPECT_EQ(counts[1].waited_texture + counts[1].waited_result, 0u);
  EXPECT_EQ(time_in(counts), timed.inside());
}

// A unit that takes no quad: the group stands at its instruction and waits to send.
TEST(GroupTime, AFullTextureUnitIsWaitedForBeforeQuadsLeave) {
  Timed timed("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n", 6);
  timed.bench.texture.refuse = true;
  timed.run(100);
  timed.bench.texture.refuse = false, timed.bench.texture.wake();
  const Counts& counts = timed.run();
  // The wire has four places: the fifth and sixth wait for the end of the refusal.
  EXPECT_GT(counts[0].waited_send, 2u * 80);
  EXPECT_LT(counts[0].waited_send, 3u * 100);
  EXPECT_GT(counts[0].waited_texture, 4u * 80);
  EXPECT_EQ(time_in(counts), timed.inside());
}

TEST(GroupTime, WhatFollowsABranchWaitsForIt) {
  Timed timed("IF c0.x\nENDIF\nMOV o0, c0\nEND\n", 1);
  const Counts& counts = timed.run();
  uint64_t waited = 0;
  for (const messages::InstructionCount& c : counts) waited += c.waited_flow;
  const uint64_t branches = counts[0].issued + counts[1].issued;
  EXPECT_GE(branches, 1u);
  EXPECT_EQ(waited, branches * 3) << "a latency of 4, less the cycle in which it was issued";
  EXPECT_EQ(time_in(counts), timed.inside());
}

TEST(GroupTime, QuadsThatNobodyTakesAreWaitedFor) {
  Timed timed("MOV o0, c0\nEND\n", 8, {}, true);
  timed.run(200);
  timed.bench.buffer.refuse = false, timed.bench.buffer.wake();
  const Counts& counts = timed.run();
  EXPECT_GT(counts[1].waited_output, 4u * 150) << "four quads have left, the others wait";
  EXPECT_EQ(time_in(counts), timed.inside());
}

// Lanes and components take passes; groups of several quads come back quad by quad.
TEST(GroupTime, AllOfAGroupsTimeIsSomewhere) {
  ShaderUnitSpec spec;
  spec.group_lanes = 16, spec.simd_lanes = 4, spec.threads = 64, spec.issue = "scalar";
  const char* text =
      "TEX r0, i0, t0, s0, 2D\nIF r0.x\nRCP r1, r0.y\nMAD r0, r0, r1, r0\nENDIF\nMOV o0, r0\nEND\n";
  Bench bench(spec);
  auto state = program(text, 16);
  command_stream::ByStage<uint32_t> sizes;
  for (const Stage stage : {Stage::kVertex, Stage::kFragment})
    sizes[stage] = state->stage[stage].program->micro.size();
  messages::InstructionCounts counts(sizes);
  messages::TileCounts tiles(64, 64);
  state->instructions = &counts, state->tiles = &tiles;
  for (uint32_t i = 0; i < 10; i++) bench.send(*state, 4 * i, 1 + i % 4), bench.send_vertices(*state, 1 + i);
  bench.sim.run(bench.clock, 5000);
  ASSERT_EQ(bench.unit.why_busy(), "");
  uint64_t time = 0, issued = 0, port = 0, vertex_lanes = 0;
  for (const auto& entry : counts.entries())
    for (const messages::InstructionCount& c : entry.counts) {
      time += time_in(c), issued += c.issued;
      if (entry.stage == Stage::kFragment) port += c.issue_cycles;
      else vertex_lanes += c.lanes;
    }
  EXPECT_EQ(counts.entries().size(), 2u);
  EXPECT_EQ(time, bench.unit.counters.resident_groups);
  EXPECT_EQ(issued, bench.unit.counters.instructions);
  EXPECT_EQ(vertex_lanes, 2u * (1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10)) << "each runs two instructions";
  // All quads are of one tile.
  EXPECT_EQ(tiles.tile(0, 0).shader_cycles, port);
}

}  // namespace
}  // namespace cutaway::boxes::group_time_test
