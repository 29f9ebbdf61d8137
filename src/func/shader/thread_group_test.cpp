#include "func/shader/thread_group.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "func/float_mode.h"
#include "func/testing/run_group.h"
#include "isa/testing/random_program.h"

namespace cutaway::func {
namespace {

// Runs assembly on 8 lanes; r0.x of lane n is n, r0.y is 1 << n, c0 = (3, 1, 0, 1.0).
ShaderGroup run_text(const char* text, uint64_t lanes = 0xff, uint64_t helpers = 0) {
  const FloatMode mode;
  ShaderGroup g(8);
  for (uint32_t lane = 0; lane < 8; ++lane) {
    g.temporary[lane] = lane;
    g.temporary[8 + lane] = 1u << lane;
  }
  std::copy(std::begin(isa::kRandomProgramC0), std::end(isa::kRandomProgramC0), g.constant.begin());
  g.group.start(8, lanes, helpers);
  EXPECT_EQ(finish(MicroProgram(isa::assemble(text), 8), g), Need::kDone);
  return g;
}

TEST(ThreadGroupTest, UntakenBranchSidesAreSkipped) {
  EXPECT_EQ(run_text("IF c0.z\nNOP\nNOP\nNOP\nELSE\nNOP\nENDIF\nEND").group.executed(), 5u);
  EXPECT_EQ(run_text("IF c0.x\nNOP\nELSE\nNOP\nNOP\nENDIF\nEND").group.executed(), 5u);
  EXPECT_EQ(run_text("IF c0.z\nNOP\nENDIF\nEND").group.executed(), 3u);
}

TEST(ThreadGroupTest, ABreakOfAllLanesGoesToNextAndOut) {
  // LOOP, BRK, NEXT, ENDLOOP, END.
  EXPECT_EQ(run_text("LOOP\nBRK c0.x\nNOP\nNOP\nNEXT\nNOP\nENDLOOP\nEND").group.executed(), 5u);
}

TEST(ThreadGroupTest, LanesThatContinuedStayOffAtElseAndEndif) {
  ShaderGroup g = run_text(R"(
      LOOP
        ULT r1.x, r0.x, c0.x     ; lanes 0 to 2
        IF r1.x
          CONT r0.x              ; lanes 1 and 2
        ENDIF
        IADD r2.x, r2.x, c0.y    ; all others
        NEXT
        IADD r2.y, r2.y, c0.y    ; all
        IADD r3.x, r3.x, c0.y
        ULT r3.y, c0.y, r3.x
        BRK r3.y
      ENDLOOP
      END)");
  for (uint32_t lane = 0; lane < 8; ++lane) {
    EXPECT_EQ(g.temporary[2 * 32 + lane], lane == 1 || lane == 2 ? 0u : 2u) << lane;
    EXPECT_EQ(g.temporary[2 * 32 + 8 + lane], 2u) << lane;
  }
}

TEST(ThreadGroupTest, FunctionsGoOnWhereTheyWereCalled) {
  ShaderGroup g = run_text(R"(
      CALL add
      ULT r1.x, r0.x, c0.x     ; lanes 0 to 2
      IF r1.x
        CALL twice
      ENDIF
      END
    twice:
      CALL add
      CALL add
      RET
    add:
      IADD r2.x, r2.x, c0.y
      RET)");
  for (uint32_t lane = 0; lane < 8; ++lane) EXPECT_EQ(g.temporary[2 * 32 + lane], lane < 3 ? 3u : 1u) << lane;
}

TEST(ThreadGroupTest, APlaceSaysWhichCallsTheGroupIsIn) {
  const FloatMode mode;
  const MicroProgram program(isa::assemble("NOP\nCALL a\nEND\na: CALL b\nRET\nb: NOP\nRET"), 4);
  ShaderGroup g(4);
  g.group.start(4, 15);
  const Place expected[] = {{{0}}, {{1}}, {{1, 3}}, {{1, 3, 5}}, {{1, 3, 6}}, {{1, 4}}, {{2}}};
  Place before;
  for (const Place& place : expected) {
    EXPECT_EQ(g.group.place(), place);
    EXPECT_GE(place, before);
    before = place;
    step(program, g.group, g.registers());
  }
  EXPECT_TRUE(g.group.done());
}

// If all lanes in a function are killed, execution continues where the others wait, outside it.
TEST(ThreadGroupTest, AFunctionWithoutLanesIsLeft) {
  ShaderGroup g = run_text(R"(
      ULT r1.x, r0.x, c0.w     ; all lanes
      ULT r1.y, r0.x, c0.x     ; lanes 0 to 2
      IADD r1.z, c0.x, c0.y
      ULT r1.z, r0.x, r1.z     ; lanes 0 to 3, a quad
      IF r1.z
        CALL away
        IADD r2.x, r2.x, c0.y
      ELSE
        IADD r2.y, r2.y, c0.y
      ENDIF
      CALL add
      END
    away:
      KIL r1.x
      IADD r2.x, r2.x, c0.y
      RET
    add:
      IADD r2.z, r2.z, c0.y
      RET)");
  for (uint32_t lane = 4; lane < 8; ++lane)
    for (const auto& [component, expected] : {std::pair{0u, 0u}, {1u, 1u}, {2u, 1u}})
      EXPECT_EQ(g.temporary[2 * 32 + component * 8 + lane], expected) << component;
}

TEST(ThreadGroupTest, KilledLanesHelpUntilTheLastRealLaneEnds) {
  ShaderGroup g = run_text("AND r1.x, r0.y, c1.x\nKIL ~r1.x\nMOV r2.x, c0.w\nEND");
  EXPECT_EQ(g.group.survivors(), 0u);  // c1 is zero: the mask is empty and every lane ends
  EXPECT_EQ(g.group.executed(), 2u);
  g = run_text("IEQ r1.x, r0.x, r3.x\nIADD r3.x, r0.x, -c0.y\nKIL r1.x\nMOV r2.x, c0.w\nEND");
  EXPECT_EQ(g.group.survivors(), 0xfeu);
  EXPECT_EQ(g.group.helpers(), 1u);
  EXPECT_EQ(g.temporary[2 * 32], 0x3f800000u) << "the helper goes on";
  // Quads end one by one: of lanes 0, 1, 2 and 5, only 5 stays.
  g = run_text("ULT r1.x, r0.x, c0.x\nKIL r1.x\nMOV r2.x, c0.w\nEND", 0x27, 0xd8);
  EXPECT_EQ(g.group.survivors(), 0x20u);
  EXPECT_EQ(g.temporary[2 * 32 + 5], 0x3f800000u);
}

TEST(ThreadGroupTest, AQuadOfHelpersDoesNotRun) {
  EXPECT_EQ(run_text("END", 0x00, 0xff).group.executed(), 0u);
  EXPECT_EQ(run_text("END", 0x01, 0xfe).group.executed(), 1u);
}

TEST(ThreadGroupTest, LanesOfAQuadVoteAndReadEachOther) {
  ShaderGroup g = run_text(R"(
      AND r2.x, r0.x, c0.y       ; odd lanes
      QVOTE r1.x, r2.x
      IF r2.x
        QVOTE r1.y, c0.x
        QREAD r1.z, r0.y, r0.x   ; of itself
      ELSE
        QREAD r1.z, r0.y, c0.x   ; of lane 3, which is off
        QREAD r1.w, r0.y, c0.z   ; of lane 0
      ENDIF
      AND r3.x, r0.x, c0.x
      IEQ r3.x, r3.x, c0.x
      IF r3.x                    ; lanes 3 and 7
        QVOTE r3.y, c0.x
      ENDIF
      END)",
                           0x7f, 0x80);
  const auto word = [&](uint32_t reg, uint32_t c, uint32_t lane) {
    return g.temporary[reg * 32 + c * 8 + lane];
  };
  for (uint32_t lane = 0; lane < 8; ++lane) {
    const bool odd = lane & 1;
    const uint32_t votes = lane < 4 ? 0b1010 : 0b0010;  // lane 7 is a helper
    EXPECT_EQ(word(1, 0, lane), votes) << lane;
    EXPECT_EQ(word(1, 1, lane), odd ? votes : 0) << lane;
    EXPECT_EQ(word(1, 2, lane), odd ? 1u << lane : 0) << lane;
    EXPECT_EQ(word(1, 3, lane), odd ? 0 : 1u << (lane & 4)) << lane;
    EXPECT_EQ(word(3, 1, lane), (lane & 3) == 3 ? 0b1000u : 0) << "a helper votes where it is alone";
  }
}

TEST(ThreadGroupTest, DerivativesReadNeighboursThatAreOff) {
  ShaderGroup g = run_text(R"(
      U2F r1.x, r0.y             ; 1 2 4 8  16 32 64 128
      AND r2.x, r0.x, c0.y
      IF r2.x                    ; the right column
        DDX r3.x, r1.x
        DDY r3.y, r1.x
        DDXC r3.z, r1.x
        DDYC r3.w, r1.x
      ENDIF
      END)");
  const float expected[4][8] = {{0, 1, 0, 4, 0, 16, 0, 64},
                                {0, 6, 0, 6, 0, 96, 0, 96},
                                {0, 1, 0, 1, 0, 16, 0, 16},
                                {0, 3, 0, 3, 0, 48, 0, 48}};
  for (uint32_t c = 0; c < 4; ++c)
    for (uint32_t lane = 0; lane < 8; ++lane)
      EXPECT_EQ(std::bit_cast<float>(g.temporary[3 * 32 + c * 8 + lane]), expected[c][lane])
          << c << " " << lane;
}

TEST(ThreadGroupTest, AProgramThatNeverEndsIsAFault) {
  const FloatMode mode;
  ShaderGroup g(4);
  g.group.start(4, 15, 0, 1000);
  EXPECT_EQ(finish(MicroProgram(isa::assemble("LOOP\nNEXT\nENDLOOP\nEND"), 4), g), Need::kRunaway);
  EXPECT_EQ(g.group.executed(), 1001u);
}

// Nested calls may take as long as a loop.
TEST(ThreadGroupTest, AProgramThatCallsWithoutEndIsAFault) {
  const FloatMode mode;
  std::string text;
  const char* const called[] = {"a", "b", "c", "d"};
  for (const char* name : called) {
    for (uint32_t n = 0; n < 100; ++n) text += fmt::format("CALL {}\n", name);
    text += name == called[0] ? "END\na: " : fmt::format("RET\n{}: ", name);
  }
  const MicroProgram program(isa::assemble(text + "RET"), 4);
  ShaderGroup g(4);
  g.group.start(4, 15, 0, 1000);
  EXPECT_EQ(finish(program, g), Need::kRunaway);
  EXPECT_LE(g.group.executed(), 1002u);
  g.group.go_on(2000);
  EXPECT_EQ(finish(program, g), Need::kRunaway);
  EXPECT_GE(g.group.executed(), 2000u);
}

TEST(ThreadGroupTest, RunStopsAtTextureAndMemoryInstructions) {
  const FloatMode mode;
  const MicroProgram program(isa::assemble("MOV r0, r0\nTEX r1, r0, t0, s0, 2D\nLDB r2, r1.x, t1\nEND"), 4);
  ShaderGroup g(4);
  g.group.start(4, 15);
  EXPECT_EQ(run(program, g.group, g.registers()), Need::kTexture);
  EXPECT_EQ(g.group.pc(), 1u);
  g.group.advance();
  EXPECT_EQ(run(program, g.group, g.registers()), Need::kMemory);
  g.group.advance();
  EXPECT_EQ(run(program, g.group, g.registers()), Need::kDone);
  EXPECT_EQ(g.group.executed(), 4u);
}

}  // namespace
}  // namespace cutaway::func
