// Compiled programs give the bits of the interpreter.
#include "func/jit/compiled_program.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

#include "func/float_mode.h"
#include "func/testing/alu_paths.h"
#include "func/testing/run_group.h"
#include "isa/liveness.h"
#include "isa/operands.h"
#include "isa/testing/random_program.h"

namespace cutaway::func::compiled_program_test {
namespace {

using isa::Opcode;

constexpr uint32_t kWidth = 32, kTemporaries = 12, kCompiledOpcodes = 58;

class CompiledProgramTest : public testing::TestWithParam<AluPath> {
 protected:
  void SetUp() override {
    if (!has_path(GetParam())) GTEST_SKIP() << "the processor has no " << path_name(GetParam());
  }

  const FloatMode mode_;
  std::mt19937 random_{29};
};

void fill(ShaderGroup& g, std::mt19937& random) {
  for (auto* words : {&g.input, &g.temporary, &g.output, &g.constant})
    for (uint32_t& word : *words) word = interesting_bits(random);
  std::copy(std::begin(isa::kRandomProgramC0), std::end(isa::kRandomProgramC0), g.constant.begin());
}

TEST_P(CompiledProgramTest, RandomProgramsGiveTheBitsOfTheInterpreter) {
  for (uint32_t round = 0; round < 1000; ++round) {
    const auto code = isa::random_program(random_, {.temporaries = kTemporaries, .length = 80});
    const MicroProgram program(code, kWidth);
    const auto compiled = CompiledProgram::compile(program, false, GetParam());
    ASSERT_NE(compiled, nullptr);
    ShaderGroup expected(kWidth);
    fill(expected, random_);
    const auto lanes = static_cast<uint32_t>(random_());
    expected.group.start(kWidth, lanes, ~lanes);
    ShaderGroup g = expected;
    EXPECT_EQ(finish(program, expected), Need::kDone);
    EXPECT_EQ(finish(program, g, compiled.get()), Need::kDone);
    ASSERT_EQ(g.group.survivors(), expected.group.survivors()) << disassemble(code);
    ASSERT_EQ(g.group.executed(), expected.group.executed()) << disassemble(code);
    ASSERT_EQ(g.temporary, expected.temporary) << disassemble(code);
    ASSERT_EQ(g.output, expected.output) << disassemble(code);
  }
}

// A group that starts with zeros in the live registers alone, and with noise in others, ends with the same
// outputs.
TEST_P(CompiledProgramTest, OnlyLiveRegistersMustStartAsZeros) {
  for (uint32_t round = 0; round < 1000; ++round) {
    const auto code = isa::random_program(
        random_, {.temporaries = kTemporaries, .length = 80, .texture_and_memory = false});
    const MicroProgram program(code, kWidth);
    const auto compiled = CompiledProgram::compile(program, true, GetParam());
    const isa::Live first = isa::live_before(code)[0];
    ShaderGroup expected(kWidth);
    fill(expected, random_);
    ShaderGroup g = expected;
    std::fill(expected.temporary.begin(), expected.temporary.end(), 0);
    std::fill(expected.output.begin(), expected.output.end(), 0);
    for (uint32_t n = 0; n < g.temporary.size(); ++n)
      if (first.has_word(n / kWidth)) g.temporary[n] = 0;
    for (uint32_t n = 0; n < g.output.size(); ++n)
      if (first.outputs[n / kWidth]) g.output[n] = 0;
    const auto lanes = static_cast<uint32_t>(random_());
    expected.group.start(kWidth, lanes, ~lanes);
    g.group.start(kWidth, lanes, ~lanes);
    EXPECT_EQ(finish(program, expected), Need::kDone);
    EXPECT_EQ(finish(program, g, compiled.get()), Need::kDone);
    ASSERT_EQ(g.group.survivors(), expected.group.survivors()) << disassemble(code);
    for (uint32_t n = 0; n < g.output.size(); ++n) {
      if (!(g.group.survivors() >> n % kWidth & 1)) continue;
      ASSERT_EQ(g.output[n], expected.output[n]) << disassemble(code);
    }
  }
}

// Every instruction alone, with values that are special for it: all its lanes, and some.
TEST_P(CompiledProgramTest, EachInstructionGivesTheBitsOfTheInterpreter) {
  std::set<Opcode> compiled_ops;
  for (uint32_t round = 0; round < 20'000; ++round) {
    const isa::Instruction i = isa::random_instruction(random_, kTemporaries);
    if (isa::info(i.op).op_class == isa::OpClass::kFlow) continue;
    const std::vector<isa::Instruction> code{i, {.op = Opcode::kEnd}};
    const MicroProgram program(code, kWidth);
    const auto compiled = CompiledProgram::compile(program, false, GetParam());
    if (!compiled) continue;
    compiled_ops.insert(i.op);
    ShaderGroup expected(kWidth);
    fill(expected, random_);
    const auto lanes = static_cast<uint32_t>(random_());
    uint32_t mask[kWidth];
    for (uint32_t lane = 0; lane < kWidth; ++lane) mask[lane] = lanes >> lane & 1 ? ~0u : 0;
    const CompiledProgram::Run& run = (*compiled)[0];
    ShaderGroup g = expected;
    program[0].execute(program[0], expected.registers(), kWidth, round % 2 ? mask : nullptr);
    if (round % 2) run.execute_in(g.registers(), lanes);
    else run.execute(g.registers());
    ASSERT_EQ(g.temporary, expected.temporary) << isa::disassemble(i);
    ASSERT_EQ(g.output, expected.output) << isa::disassemble(i);
  }
  EXPECT_EQ(compiled_ops.size(), kCompiledOpcodes);
}

// A random instruction of a few kinds, whose sources and destination are temporaries.
isa::Instruction dense_instruction(std::mt19937& random) {
  constexpr Opcode kOps[] = {Opcode::kMov, Opcode::kMov, Opcode::kAdd, Opcode::kMul, Opcode::kMin,
                             Opcode::kCmp, Opcode::kSel, Opcode::kDp3, Opcode::kNrm, Opcode::kFrc};
  constexpr uint32_t kRegisters = 3;
  isa::Instruction i{.op = kOps[random() % std::size(kOps)]};
  i.dst = {.file = isa::File::kTemporary,
           .index = static_cast<uint8_t>(random() % kRegisters),
           .mask = static_cast<uint8_t>(1 + random() % 15),
           .saturate = random() % 8 == 0};
  for (uint32_t n = 0; n < isa::info(i.op).sources; ++n) {
    const bool float_modifiers = isa::source_type(i.op, n) == isa::OperandType::kFloat;
    i.src[n] = {.file = isa::File::kTemporary,
                .index = static_cast<uint16_t>(random() % kRegisters),
                .swizzle = static_cast<uint8_t>(random()),
                .negate = random() % 4 == 0,
                .absolute = float_modifiers && random() % 8 == 0};
  }
  return i;
}

// Moves and selections of words that are in registers, and NaNs that arithmetic has just made.
TEST_P(CompiledProgramTest, RunsOverFewRegistersGiveTheBitsOfTheInterpreter) {
  for (uint32_t round = 0; round < 2000; ++round) {
    std::vector<isa::Instruction> code;
    for (uint32_t n = 0; n < 20; ++n) code.push_back(dense_instruction(random_));
    code.push_back({.op = Opcode::kEnd});
    const MicroProgram program(code, kWidth);
    const auto compiled = CompiledProgram::compile(program, false, GetParam());
    ASSERT_NE(compiled, nullptr);
    ASSERT_EQ((*compiled)[0].instructions, code.size() - 1);
    ShaderGroup expected(kWidth);
    for (uint32_t& word : expected.temporary) word = interesting_bits(random_);
    ShaderGroup g = expected;
    const auto lanes = round % 2 ? static_cast<uint32_t>(random_()) : ~0u;
    uint32_t mask[kWidth];
    for (uint32_t lane = 0; lane < kWidth; ++lane) mask[lane] = lanes >> lane & 1 ? ~0u : 0;
    for (uint32_t pc = 0; pc + 1 < code.size(); ++pc)
      program[pc].execute(program[pc], expected.registers(), kWidth, round % 2 ? mask : nullptr);
    if (round % 2) (*compiled)[0].execute_in(g.registers(), lanes);
    else (*compiled)[0].execute(g.registers());
    ASSERT_EQ(g.temporary, expected.temporary) << disassemble(code);
  }
}

INSTANTIATE_TEST_SUITE_P(Paths, CompiledProgramTest, testing::Values(AluPath::kAvx2, AluPath::kAvx512),
                         [](const auto& path) { return path_name(path.param); });

}  // namespace
}  // namespace cutaway::func::compiled_program_test
