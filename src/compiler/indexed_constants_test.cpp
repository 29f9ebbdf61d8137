#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/testing/run_shader.h"

// Uniform blocks that programs read by index: by LDC where their constants fit, by loads elsewhere.
namespace cutaway::compiler::indexed_constants_test {
namespace {

using arch::Stage;
using isa::Opcode;
using testing::ElementsAre;

std::vector<const isa::Instruction*> all(const isa::Program& program, Opcode op) {
  std::vector<const isa::Instruction*> found;
  for (const isa::Instruction& i : program.code)
    if (i.op == op) found.push_back(&i);
  return found;
}

isa::Program compiled(const std::string& source, arch::ProgramLimits limits = {}, uint32_t budget = 1024,
                      Stage stage = Stage::kVertex) {
  const auto spirv = glsl_to_spirv(stage, source);
  return compile(
      {.stage = stage, .spirv = spirv, .entry = "main", .constant_budget = budget, .limits = limits});
}

// Runs a vertex program with input 0 = (index of the lane, 0, 0, 0) and words 0, 1, 2 ... as floats in its
// block; returns output 1.
std::array<Vec4, 4> run(const isa::Program& program, const std::array<int32_t, 4>& index) {
  Execution execution;
  for (uint32_t lane = 0; lane < 4; ++lane)
    execution.inputs[0][lane] = {static_cast<uint32_t>(index[lane]), 0, 0, 0};
  std::vector<uint32_t> words(256);
  for (uint32_t n = 0; n < words.size(); ++n) words[n] = bits(Vec4{float(n)})[0];
  execution.buffers[{0, 0, 0}] = words;
  execution(program);
  std::array<Vec4, 4> result;
  for (uint32_t lane = 0; lane < 4; ++lane) result[lane] = execution.output(1, lane);
  return result;
}

const char* const kTable = R"(
  layout(location=0) in int n;
  layout(location=0) out vec4 o;
  layout(binding=0) uniform B { vec4 first; vec4 tab[20]; vec4 last; };
  void main() { gl_Position = last; o = tab[n]; })";

TEST(IndexedConstants, OneInstructionReadsAVec4) {
  const isa::Program program = compiled(kTable);
  ASSERT_EQ(all(program, Opcode::kLdc).size(), 1u);
  EXPECT_EQ(all(program, Opcode::kLdb).size(), 0u);
  EXPECT_EQ(program.resources.size(), 0u);
  EXPECT_EQ(all(program, Opcode::kLdc)[0]->access.window, (isa::ConstantWindow{0, 22}));
  EXPECT_LE(program.code.size(), 4u) << isa::disassemble(program.code);
  EXPECT_THAT(run(program, {0, 3, 19, 7}), ElementsAre(Vec4{4, 5, 6, 7}, Vec4{16, 17, 18, 19},
                                                       Vec4{80, 81, 82, 83}, Vec4{32, 33, 34, 35}));
}

TEST(IndexedConstants, BeyondTheBlockAreZeros) {
  EXPECT_THAT(run(compiled(kTable), {-1, -2, 20, 1000}),
              ElementsAre(Vec4{0, 1, 2, 3}, Vec4{}, Vec4{84, 85, 86, 87}, Vec4{}));
}

// A matrix of a palette is four rows at one index: the rows differ in their base alone.
TEST(IndexedConstants, RowsOfAPaletteShareTheirIndex) {
  const isa::Program program = compiled(R"(
    layout(location=0) in int n;
    layout(location=0) out vec4 o;
    layout(binding=0) uniform B { mat4 palette[16]; };
    void main() { o = palette[n] * vec4(1, 2, 3, 4); gl_Position = o; })");
  ASSERT_EQ(all(program, Opcode::kLdc).size(), 4u);
  for (const isa::Instruction* read : all(program, Opcode::kLdc))
    EXPECT_EQ(read->src[1], all(program, Opcode::kLdc)[0]->src[1]) << isa::disassemble(program.code);
  EXPECT_EQ(all(program, Opcode::kShl).size() + all(program, Opcode::kImul).size(), 1u);
  const Vec4 row{0 + 8 + 24 + 48, 1 + 10 + 27 + 52, 2 + 12 + 30 + 56, 3 + 14 + 33 + 60};
  const std::array<int32_t, 4> index{0, 1, 2, 15};
  const auto result = run(program, index);
  for (uint32_t lane = 0; lane < 4; ++lane)
    for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(result[lane][c], row[c] + 160 * index[lane]) << lane << c;
}

// As drivers write OpenGL's uniforms: an array of words, the address in words by a shift.
TEST(IndexedConstants, WordsOfAVec4AreOneInstruction) {
  const isa::Program program = compiled(R"(#version 450
    #extension GL_EXT_scalar_block_layout : require
    layout(location=0) in int n;
    layout(location=0) out vec4 o;
    layout(scalar, binding=0) uniform B { float words[96]; };
    void main() {
      uint word = (uint(n) * 16u + 32u) >> 2u;
      o = vec4(words[word], words[word + 1u], words[word + 2u], words[word + 3u]);
      gl_Position = o;
    })");
  ASSERT_EQ(all(program, Opcode::kLdc).size(), 1u) << isa::disassemble(program.code);
  EXPECT_EQ(all(program, Opcode::kLdb).size(), 0u);
  EXPECT_THAT(run(program, {0, 1, 2, 3}), ElementsAre(Vec4{8, 9, 10, 11}, Vec4{12, 13, 14, 15},
                                                      Vec4{16, 17, 18, 19}, Vec4{20, 21, 22, 23}));
}

TEST(IndexedConstants, AreOfOneComponentWhereNoMoreIsRead) {
  const isa::Program program = compiled(R"(
    layout(location=0) in int n;
    layout(location=0) out vec4 o;
    layout(binding=0) uniform B { vec4 pad; float weight[20]; };
    void main() { o = vec4(weight[n + 1]); gl_Position = o; })");
  ASSERT_EQ(all(program, Opcode::kLdc).size(), 1u) << isa::disassemble(program.code);
  EXPECT_THAT(run(program, {0, 1, 2, -2}),
              ElementsAre(Vec4{8, 8, 8, 8}, Vec4{12, 12, 12, 12}, Vec4{16, 16, 16, 16}, Vec4{0, 0, 0, 0}));
}

// Two columns of two components end 24 bytes behind the first.
TEST(IndexedConstants, BlocksEndWithTheLastColumn) {
  const isa::Program program = compiled(R"(
    layout(location=0) in int n;
    layout(location=0) out vec4 o;
    layout(binding=0) uniform B { vec4 pad; mat2 m; };
    void main() { o = vec4(m[n], 0, 0); gl_Position = pad; })");
  ASSERT_EQ(all(program, Opcode::kLdc).size(), 1u) << isa::disassemble(program.code);
  EXPECT_EQ(all(program, Opcode::kLdc)[0]->access.window.count, 3u);
  EXPECT_THAT(run(program, {0, 1, 0, 1})[1], (Vec4{8, 9, 0, 0}));
}

TEST(IndexedConstants, ShiftsThatDropBitsAreComputed) {
  const isa::Program program = compiled(R"(
    layout(location=0) in int n;
    layout(location=0) out vec4 o;
    layout(binding=0) uniform B { vec4 tab[20]; };
    void main() { o = tab[(uint(n) * 6u) >> 2u]; gl_Position = o; })");
  ASSERT_EQ(all(program, Opcode::kLdc).size(), 1u) << isa::disassemble(program.code);
  EXPECT_THAT(run(program, {0, 1, 2, 3}),
              ElementsAre(Vec4{0, 1, 2, 3}, Vec4{4, 5, 6, 7}, Vec4{12, 13, 14, 15}, Vec4{16, 17, 18, 19}));
}

TEST(IndexedConstants, LargerBlocksAreLoaded) {
  arch::ProgramLimits limits{.vertex_indexed_constants = 21};
  EXPECT_EQ(all(compiled(kTable, limits), Opcode::kLdb).size(), 1u);
  limits.vertex_indexed_constants = 22;
  EXPECT_EQ(all(compiled(kTable, limits), Opcode::kLdb).size(), 0u);
}

TEST(IndexedConstants, AreLoadedWhereRegistersDoNotSuffice) {
  const isa::Program program = compiled(kTable, {}, 24);
  EXPECT_EQ(all(program, Opcode::kLdb).size(), 1u);
  EXPECT_THAT(run(program, {0, 3, 19, 7})[1], (Vec4{16, 17, 18, 19}));
}

TEST(IndexedConstants, FragmentProgramsLoadByDefault) {
  const char* const source = R"(
    layout(location=0) flat in int n;
    layout(location=0) out vec4 o;
    layout(binding=0) uniform B { vec4 tab[20]; };
    void main() { o = tab[n]; })";
  EXPECT_EQ(all(compiled(source, {}, 1024, Stage::kFragment), Opcode::kLdb).size(), 1u);
  EXPECT_EQ(
      all(compiled(source, {.fragment_indexed_constants = 20}, 1024, Stage::kFragment), Opcode::kLdc).size(),
      1u);
}

TEST(IndexedConstants, StorageBuffersAreLoaded) {
  const isa::Program program = compiled(R"(
    layout(location=0) in int n;
    layout(location=0) out vec4 o;
    layout(binding=0) readonly buffer B { vec4 tab[20]; };
    void main() { o = tab[n]; gl_Position = o; })");
  EXPECT_EQ(all(program, Opcode::kLdc).size(), 0u);
  EXPECT_EQ(all(program, Opcode::kLdb).size(), 1u);
}

// The index is a multiple of a word, not of a vec4.
TEST(IndexedConstants, WordsAtAnyAddressAreLoaded) {
  const isa::Program program = compiled(R"(#version 450
    #extension GL_EXT_scalar_block_layout : require
    layout(location=0) in int n;
    layout(location=0) out vec4 o;
    layout(scalar, binding=0) uniform B { float words[96]; };
    void main() { o = vec4(words[n]); gl_Position = o; })");
  EXPECT_EQ(all(program, Opcode::kLdc).size(), 0u);
  EXPECT_THAT(run(program, {0, 1, 2, 95})[3], (Vec4{95, 95, 95, 95}));
}

}  // namespace
}  // namespace cutaway::compiler::indexed_constants_test
