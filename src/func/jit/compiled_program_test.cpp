// Compiled programs give the bits of the interpreter.
#include "func/jit/compiled_program.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

#include "func/float_mode.h"
#include "func/testing/run_group.h"
#include "isa/operands.h"
#include "isa/testing/random_program.h"

namespace cutaway::func::compiled_program_test {
namespace {

using isa::Opcode;

constexpr uint32_t kWidth = 32, kTemporaries = 12, kCompiledOpcodes = 58;

class CompiledProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    if (best_path() != AluPath::kAvx512) GTEST_SKIP() << "the processor has no AVX-512";
  }

  const FloatMode mode_;
  std::mt19937 random_{29};
};

void fill(ShaderGroup& g, std::mt19937& random) {
  for (auto* words : {&g.input, &g.temporary, &g.output, &g.constant})
    for (uint32_t& word : *words) word = interesting_bits(random);
  std::copy(std::begin(isa::kRandomProgramC0), std::end(isa::kRandomProgramC0), g.constant.begin());
}

TEST_F(CompiledProgramTest, RandomProgramsGiveTheBitsOfTheInterpreter) {
  for (uint32_t round = 0; round < 1000; ++round) {
    const auto code = isa::random_program(random_, {.temporaries = kTemporaries, .length = 80});
    const MicroProgram program(code, kWidth);
    const auto compiled = CompiledProgram::compile(program, false);
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

// Every instruction alone, with values that are special for it: all its lanes, and some.
TEST_F(CompiledProgramTest, EachInstructionGivesTheBitsOfTheInterpreter) {
  std::set<Opcode> compiled_ops;
  for (uint32_t round = 0; round < 20'000; ++round) {
    const isa::Instruction i = isa::random_instruction(random_, kTemporaries);
    if (isa::info(i.op).op_class == isa::OpClass::kFlow) continue;
    const std::vector<isa::Instruction> code{i, {.op = Opcode::kEnd}};
    const MicroProgram program(code, kWidth);
    const auto compiled = CompiledProgram::compile(program, false);
    if (!compiled) continue;
    compiled_ops.insert(i.op);
    ShaderGroup expected(kWidth);
    fill(expected, random_);
    uint32_t mask[kWidth];
    for (uint32_t& word : mask) word = random_() % 2 ? ~0u : 0;
    const uint32_t* some = round % 2 ? mask : nullptr;
    ShaderGroup g = expected;
    program[0].execute(program[0], expected.registers(), kWidth, some);
    (*compiled)[0].execute(g.registers(), some);
    ASSERT_EQ(g.temporary, expected.temporary) << isa::disassemble(i);
    ASSERT_EQ(g.output, expected.output) << isa::disassemble(i);
  }
  EXPECT_EQ(compiled_ops.size(), kCompiledOpcodes);
}

}  // namespace
}  // namespace cutaway::func::compiled_program_test
