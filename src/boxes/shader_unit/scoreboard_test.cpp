#include "boxes/shader_unit/bench_for_test.h"

// Instructions wait for the results that they read, component by component.
namespace cutaway::boxes::scoreboard_test {
namespace {

using namespace shader_unit_test_bench;

// The cycles from the issue of a program's first instruction to the issue of the one before END. END follows
// in the next cycle.
Cycle span_of(std::string_view text) {
  Bench bench;
  auto state = program(fmt::format("{}END\n", text));
  const uint64_t count = static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n'));
  bench.send(*state, 0);
  Cycle first = 0;
  while (bench.unit.counters.instructions < count && bench.clock.now() < 1000) {
    bench.sim.run(bench.clock, 1);
    if (!first && bench.unit.counters.instructions) first = bench.clock.now();
  }
  return bench.clock.now() - first;
}

constexpr Cycle kSimd = 5, kScalar = 9;

TEST(Scoreboard, AnInstructionWaitsForTheComponentsThatItReads) {
  EXPECT_EQ(span_of("MOV r0.x, c0\nMOV r1.x, r0\n"), kSimd);
  EXPECT_EQ(span_of("MOV r0.x, c0\nMOV r1.y, r0\n"), 1u);       // reads y
  EXPECT_EQ(span_of("MOV r0.x, c0\nMOV r1.y, r0.x\n"), kSimd);  // the swizzle brings x
  EXPECT_EQ(span_of("MOV r0.x, c0\nMOV r1.x, r0.y\n"), 1u);
  EXPECT_EQ(span_of("MOV r0.w, c0\nMOV r1, r0\n"), kSimd);
  EXPECT_EQ(span_of("MOV r0.w, c0\nMOV r1.xyz, r0\n"), 1u);
  EXPECT_EQ(span_of("MOV r0.xyz, c0\nRCP r1.x, r0.w\n"), 1u);  // a scalar operation reads one
  EXPECT_EQ(span_of("MOV r0.w, c0\nRCP r1.xyz, r0.w\n"), kSimd);
  EXPECT_EQ(span_of("MOV r0.w, c0\nDP3 r1.w, r0, r0\n"), 1u);  // its terms, whatever it writes
  EXPECT_EQ(span_of("MOV r0.z, c0\nDP3 r1.x, c0, r0\n"), kSimd);
  EXPECT_EQ(span_of("MOV r0.w, c0\nDP4 r1.x, r0, c0\n"), kSimd);
  EXPECT_EQ(span_of("MOV r0.y, c0\nMAD r1.x, c0, c0, r0\n"), 1u);
  EXPECT_EQ(span_of("MOV r0.x, c0\nMAD r1.x, c0, c0, r0\n"), kSimd);
}

// The latest of several results under way to a component counts, not that of the last instruction.
TEST(Scoreboard, TheSlowestResultUnderWayCounts) {
  EXPECT_EQ(span_of("RCP r0.x, c0.x\nMOV r0.y, c0\nMOV r1.xy, r0\n"), kScalar);
  EXPECT_EQ(span_of("RCP r0.x, c0.x\nMOV r0.y, c0\nMOV r1.y, r0\n"), 1 + kSimd);
  EXPECT_EQ(span_of("RCP r0.x, c0.x\nMOV r0.x, c0\nMOV r1.x, r0\n"), kScalar);
  EXPECT_EQ(span_of("MOV r0.x, c0\nRCP r0.x, c0.x\nMOV r1.x, r0\n"), 1 + kScalar);
}

TEST(Scoreboard, ATextureInstructionReadsItsOperandsAsOthersDo) {
  EXPECT_EQ(span_of("RCP r0.x, c0.x\nTEX r1, r0, t0, s0, 2D\n"), kScalar);
  EXPECT_EQ(span_of("RCP r0.x, c0.x\nTEX r1, r0.y, t0, s0, 2D\n"), 1u);
  EXPECT_EQ(span_of("RCP r0.x, c0.x\nTXL r1, c0, r0.x, t0, s0, 2D\n"), kScalar);
}

// The SIMD ALU computes the addresses: the request leaves `texture_latency` after the instruction.
TEST(Scoreboard, ATextureRequestLeavesWhenItsAddressesAreComputed) {
  const auto time = [](unsigned latency) {
    ShaderUnitSpec spec;
    spec.texture_latency = latency;
    return time_of("TEX r0, i0, t0, s0, 2D\nMOV o0, r0\nEND\n", spec);
  };
  const Cycle least = time(1);
  for (const unsigned latency : {2u, 5u, 30u}) EXPECT_EQ(time(latency), least + latency - 1);
}

// ---- The scoreboard alone ----

func::MicroOp writing(uint16_t reg, uint8_t mask) {
  func::MicroOp op;
  op.dst_file = isa::File::kTemporary;
  op.dst = reg, op.dst_mask = mask;
  return op;
}
func::MicroOp reading(uint16_t reg, uint8_t mask) {
  func::MicroOp op;
  op.src[0].file = isa::File::kTemporary;
  op.src[0].read = mask;
  for (uint16_t c = 0; c < 4; c++) op.src[0].component[c] = static_cast<uint16_t>(reg * 4 + c);
  return op;
}

TEST(ScoreboardPart, OperandsAreReadyWithTheLatestOfTheComponentsThatAreRead) {
  Scoreboard scoreboard;
  scoreboard.clear(4);
  EXPECT_EQ(scoreboard.operands_ready(reading(1, 15), 3), 3u);
  scoreboard.write(writing(1, 1), 10);
  scoreboard.write(writing(1, 2), 20);
  EXPECT_EQ(scoreboard.operands_ready(reading(1, 1), 3), 10u);
  EXPECT_EQ(scoreboard.operands_ready(reading(1, 3), 3), 20u);
  EXPECT_EQ(scoreboard.operands_ready(reading(1, 12), 3), 3u);
  EXPECT_EQ(scoreboard.operands_ready(reading(0, 15), 3), 3u);
  EXPECT_EQ(scoreboard.operands_ready(reading(1, 1), 11), 11u);
}

TEST(ScoreboardPart, AFasterResultDoesNotHideASlowerOne) {
  Scoreboard scoreboard;
  scoreboard.clear(4);
  scoreboard.write(writing(2, 1), 20);
  scoreboard.write(writing(2, 1), 12);
  EXPECT_EQ(scoreboard.operands_ready(reading(2, 1), 3), 20u);
  scoreboard.clear(4);
  EXPECT_EQ(scoreboard.operands_ready(reading(2, 1), 3), 3u);
}

TEST(ScoreboardPart, AnInstructionOfTheSameCycleForwardsItsResult) {
  Scoreboard scoreboard;
  scoreboard.clear(4);
  const func::MicroOp given = writing(0, 1);
  scoreboard.write(given, 10);
  scoreboard.write(writing(0, 2), 8);
  IssueBundle bundle;
  bundle.add(given);
  EXPECT_EQ(scoreboard.operands_ready(reading(0, 1), 3, &bundle), 3u);
  EXPECT_EQ(scoreboard.operands_ready(reading(0, 3), 3, &bundle), 8u);
}

}  // namespace
}  // namespace cutaway::boxes::scoreboard_test
