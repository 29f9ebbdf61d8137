// Groups of all widths give each lane the same bits, which are those of a lane that runs alone.
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "func/float_mode.h"
#include "func/testing/alu_paths.h"
#include "func/testing/run_group.h"
#include "isa/testing/random_program.h"

namespace cutaway::func::thread_group_widths_test {
namespace {

using isa::Opcode;

constexpr uint32_t kTemporaries = 12;

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
      for (AluPath path : kAluPaths) {
        if (!has_path(path)) continue;
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

}  // namespace
}  // namespace cutaway::func::thread_group_widths_test
