#include "func/shader/thread_group.h"

#include <gtest/gtest.h>
#include <random>

#include "base/error.h"
#include "func/float_mode.h"
#include "func/testing/shader_group.h"
#include "isa/operands.h"
#include "isa/testing/random_program.h"

namespace cutaway::func {
namespace {

using isa::Opcode;

constexpr uint32_t kTemporaries = 12;

// Runs a program of ALU and flow instructions; texture and memory results are a hash of the sources.
Need finish(const MicroProgram& program, ShaderGroup& g) {
  for (;;) {
    const Need what = run(program, g.group, g.registers());
    if (what == Need::kDone || what == Need::kRunaway) return what;
    const MicroOp& op = program[g.group.pc()];
    const uint32_t width = program.width();
    uint32_t result[4 * kMaxWidth] = {}, values[4 * kMaxWidth];
    for (uint32_t n = 0; n < isa::source_count(program.instruction(g.group.pc())); ++n) {
      read_source(op, n, g.registers(), width, values);
      for (uint32_t k = 0; k < 4 * width; ++k) result[k] = (result[k] + values[k]) * 0x9e3779b1 + n;
    }
    if (isa::has_result(op.op)) write_result(op, g.registers(), width, g.group.active(), result);
    g.group.advance();
  }
}

// Sets up temporaries, inputs and constants of `lanes` lanes from `first` on of a wave of 64.
void fill(ShaderGroup& g, uint32_t lanes, uint32_t width, uint32_t first, uint32_t seed) {
  const auto lane_seed = [&](uint32_t lane) { return seed * 64 + first + lane; };
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    std::mt19937 random(lane_seed(lane));
    for (uint32_t k = 0; k < arch::kShaderInputs * 4; ++k)
      g.input[k * width + lane] = interesting_bits(random);
    for (uint32_t k = 0; k < kTemporaries * 4; ++k) g.temporary[k * width + lane] = interesting_bits(random);
  }
  std::mt19937 random(seed);
  for (uint32_t& word : g.constant) word = interesting_bits(random);
  std::copy(std::begin(isa::kRandomProgramC0), std::end(isa::kRandomProgramC0), g.constant.begin());
}

struct Wave {
  std::vector<uint32_t> temporary, output;  // [register component][64 lanes]
  uint64_t survivors = 0;
  uint64_t executed = 0;
};

// Runs the 64 lanes of a wave in groups of `width`. Values of lanes whose quad ended are undefined.
Wave run_wave(const std::vector<isa::Instruction>& code, uint32_t width, AluPath path, uint32_t seed,
              uint64_t lanes, uint64_t helpers) {
  const MicroProgram program(code, width, path);
  Wave wave{std::vector<uint32_t>(kTemporaries * 4 * 64),
            std::vector<uint32_t>(arch::kShaderOutputs * 4 * 64)};
  for (uint32_t first = 0; first < 64; first += width) {
    ShaderGroup g(width);
    fill(g, width, width, first, seed);
    const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
    g.group.start(width, lanes >> first & mask, helpers >> first & mask);
    EXPECT_EQ(finish(program, g), Need::kDone);
    wave.survivors |= g.group.survivors() << first;
    wave.executed += g.group.executed();
    for (uint32_t lane = 0; lane < width; ++lane) {
      if (!(g.group.survivors() >> lane & 1)) continue;
      for (uint32_t k = 0; k < kTemporaries * 4; ++k)
        wave.temporary[k * 64 + first + lane] = g.temporary[k * width + lane];
      for (uint32_t k = 0; k < arch::kShaderOutputs * 4; ++k)
        wave.output[k * 64 + first + lane] = g.output[k * width + lane];
    }
  }
  return wave;
}

TEST(ThreadGroupTest, RandomProgramsAgreeForAllWidthsAndPaths) {
  const FloatMode mode;
  std::mt19937 random(11);
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const auto code = isa::random_program(random, {.temporaries = kTemporaries, .length = 80});
    // Fragment quads: some lanes are helpers from the start.
    const uint64_t lanes = seed % 3 == 0 ? ~uint64_t{0} : uint64_t{random()} << 32 | random();
    const Wave expected = run_wave(code, 4, AluPath::kPortable, seed, lanes, ~lanes);
    for (uint32_t width : {4, 8, 16, 32, 64})
      for (AluPath path : {AluPath::kPortable, AluPath::kAvx2}) {
        if (path == AluPath::kAvx2 && !has_avx2()) continue;
        const Wave wave = run_wave(code, width, path, seed, lanes, ~lanes);
        ASSERT_EQ(wave.survivors, expected.survivors) << seed << " width " << width;
        ASSERT_EQ(wave.temporary, expected.temporary) << seed << " width " << width << "\n"
                                                      << disassemble(code);
        ASSERT_EQ(wave.output, expected.output) << seed << " width " << width << "\n" << disassemble(code);
      }
  }
}

// Replaces derivatives, votes and reads of a quad.
void look_at_no_other_lane(std::vector<isa::Instruction>& code) {
  for (isa::Instruction& i : code) {
    if (i.op >= Opcode::kDdx && i.op <= Opcode::kDdyCoarse) i.op = Opcode::kFrc;
    if (i.op == Opcode::kQuadRead) i.op = Opcode::kIadd;
    if (i.op == Opcode::kQuadVote) i.op = Opcode::kNot;
  }
}

// Groups of 1 and 2 threads are quads whose other lanes never run.
TEST(ThreadGroupTest, GroupsOfFewerThreadsThanAQuadGiveTheSameBits) {
  const FloatMode mode;
  std::mt19937 random(17);
  for (uint32_t seed = 0; seed < 100; ++seed) {
    auto code = isa::random_program(random, {.temporaries = kTemporaries, .length = 80});
    look_at_no_other_lane(code);
    const Wave expected = run_wave(code, 8, AluPath::kBest, seed, ~uint64_t{0}, 0);
    for (uint32_t threads : {1u, 2u})
      for (AluPath path : {AluPath::kPortable, AluPath::kBest}) {
        const uint32_t width = register_width(threads);
        const MicroProgram program(code, width, path);
        for (uint32_t first = 0; first < 64; first += threads) {
          ShaderGroup g(width);
          fill(g, threads, width, first, seed);
          g.group.start(width, (uint64_t{1} << threads) - 1);
          ASSERT_EQ(finish(program, g), Need::kDone);
          ASSERT_EQ(g.group.survivors(), expected.survivors >> first & ((1u << threads) - 1));
          for (uint32_t lane = 0; lane < threads; ++lane) {
            if (!(g.group.survivors() >> lane & 1)) continue;
            for (uint32_t k = 0; k < kTemporaries * 4; ++k)
              ASSERT_EQ(g.temporary[k * width + lane], expected.temporary[k * 64 + first + lane]) << seed;
            for (uint32_t k = 0; k < arch::kShaderOutputs * 4; ++k)
              ASSERT_EQ(g.output[k * width + lane], expected.output[k * 64 + first + lane]) << seed;
          }
        }
      }
  }
}

TEST(ThreadGroupTest, AGroupsRegistersHaveWholeQuads) {
  for (const auto& [threads, width] :
       {std::pair{1u, 4u}, {2u, 4u}, {4u, 4u}, {8u, 8u}, {16u, 16u}, {32u, 32u}, {64u, 64u}})
    EXPECT_EQ(register_width(threads), width);
}

// A texture instruction's quad accesses read and write the same values as accesses of the whole group.
TEST(ThreadGroupTest, AQuadsSourcesAndResultsAreThoseOfItsGroup) {
  const FloatMode mode;
  std::mt19937 random(23);
  for (uint32_t round = 0; round < 2000; ++round) {
    const uint32_t width = 4u << random() % 5;
    isa::Instruction i;
    do i = isa::random_instruction(random, kTemporaries);
    while (isa::source_count(i) == 0 || !isa::has_result(i.op));
    const MicroProgram program(std::vector<isa::Instruction>{i, {.op = Opcode::kEnd}}, width);
    ShaderGroup g(width);
    for (auto* words : {&g.input, &g.temporary, &g.output, &g.constant})
      for (uint32_t& word : *words) word = interesting_bits(random);
    uint32_t whole[4 * kMaxWidth], quad[4][4];
    for (uint32_t n = 0; n < isa::source_count(i); ++n) {
      read_source(program[0], n, g.registers(), width, whole);
      for (uint32_t q = 0; q < width / 4; ++q) {
        read_source_quad(program[0], n, g.registers(), width, q, quad);
        for (uint32_t c = 0; c < 4; ++c)
          for (uint32_t lane = 0; lane < 4; ++lane)
            ASSERT_EQ(quad[c][lane], whole[c * width + 4 * q + lane]) << disassemble(i);
      }
    }
    const uint64_t lanes = uint64_t{random()} << 32 | random();
    ShaderGroup by_quad = g;
    for (uint32_t& word : whole) word = interesting_bits(random);
    write_result(program[0], g.registers(), width, lanes, whole);
    for (uint32_t q = 0; q < width / 4; ++q) {
      for (uint32_t c = 0; c < 4; ++c) std::copy_n(whole + c * width + 4 * q, 4, quad[c]);
      write_result_quad(program[0], by_quad.registers(), width, q, lanes >> 4 * q & 15, quad);
    }
    ASSERT_EQ(g.temporary, by_quad.temporary) << disassemble(i);
    ASSERT_EQ(g.output, by_quad.output) << disassemble(i);
  }
}

// Runs one lane alone, where flow instructions are ordinary jumps. Executes each ALU instruction in a group
// of four with only this lane. It has no masks.
class LoneLane {
 public:
  LoneLane(const std::vector<isa::Instruction>& code) : code_(code), program_(code, 4) {}

  // Returns whether the lane survived.
  bool run(ShaderGroup& g, uint32_t lane) {
    uint32_t mask[4] = {};
    mask[lane] = ~0u;
    std::vector<uint32_t> returns;
    for (uint32_t pc = 0;;) {
      const isa::Instruction& i = code_[pc];
      const MicroOp& op = program_[pc];
      uint32_t values[16] = {};
      const bool condition = i.src[0].file != isa::File::kNone &&
                             isa::info(i.op).op_class == isa::OpClass::kFlow &&
                             (read_source(op, 0, g.registers(), 4, values), values[lane] != 0);
      switch (i.op) {
        case Opcode::kIf:
          pc = condition ? pc + 1 : code_[i.target].op == Opcode::kElse ? i.target + 1 : i.target;
          break;
        case Opcode::kElse:
          pc = i.target;
          break;  // came from the taken side
        case Opcode::kBreak:
          pc = condition ? end_of_loop(i.target) + 1 : pc + 1;
          break;
        case Opcode::kContinue:
        case Opcode::kEndLoop:
          pc = i.op == Opcode::kEndLoop || condition ? i.target : pc + 1;
          break;
        case Opcode::kKill:
          if (condition) return false;
          ++pc;
          break;
        case Opcode::kCall:
          returns.push_back(pc + 1);
          pc = i.target;
          break;
        case Opcode::kReturn:
          pc = returns.back();
          returns.pop_back();
          break;
        case Opcode::kEnd:
          return true;
        default:
          if (isa::info(i.op).op_class != isa::OpClass::kFlow) op.execute(op, g.registers(), 4, mask);
          ++pc;
      }
    }
  }

 private:
  uint32_t end_of_loop(uint32_t pc) const {
    for (uint32_t depth = 0;; ++pc) {
      if (code_[pc].op == Opcode::kLoop) ++depth;
      if (code_[pc].op == Opcode::kEndLoop && depth-- == 0) return pc;
    }
  }

  const std::vector<isa::Instruction>& code_;
  MicroProgram program_;
};

TEST(ThreadGroupTest, LanesBehaveAsIfAlone) {
  const FloatMode mode;
  std::mt19937 random(5);
  for (uint32_t seed = 0; seed < 300; ++seed) {
    auto code =
        isa::random_program(random, {.temporaries = kTemporaries, .length = 60, .texture_and_memory = false});
    look_at_no_other_lane(code);
    const Wave wave = run_wave(code, 32, AluPath::kBest, seed, ~uint64_t{0}, 0);
    LoneLane lone(code);
    for (uint32_t first = 0; first < 64; first += 4)
      for (uint32_t lane = 0; lane < 4; ++lane) {
        ShaderGroup g(4);
        fill(g, 4, 4, first, seed);
        ASSERT_EQ(lone.run(g, lane), wave.survivors >> (first + lane) & 1) << seed << "\n"
                                                                           << disassemble(code);
        if (!(wave.survivors >> (first + lane) & 1)) continue;
        for (uint32_t k = 0; k < kTemporaries * 4; ++k)
          ASSERT_EQ(g.temporary[k * 4 + lane], wave.temporary[k * 64 + first + lane])
              << "seed " << seed << " lane " << first + lane << " r" << k / 4 << "\n"
              << disassemble(code);
        for (uint32_t k = 0; k < arch::kShaderOutputs * 4; ++k)
          ASSERT_EQ(g.output[k * 4 + lane], wave.output[k * 64 + first + lane]) << seed;
      }
  }
}

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

TEST(ThreadGroupTest, ShadersRunInFloatModeOnly) {
  ThreadGroup group;
  EXPECT_THROW(group.start(4, 15), InternalError);
}

}  // namespace
}  // namespace cutaway::func
