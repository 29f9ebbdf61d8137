#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/compiler.h"
#include "compiler/testing/run_shader.h"

namespace cutaway::compiler {
namespace {

using arch::Stage;
using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

// Made by glslang -D -V -g -fhlsl_functionality1: an HLSL program whose text is in the module.
TEST(SourceLines, KnowHlsl) {
  const auto spirv = assemble_spirv(testdata("hlsl_quad.frag.spvasm"));
  EXPECT_EQ(source_language(spirv), "HLSL 500");
  const isa::Program program = compile({.stage = Stage::kFragment, .spirv = spirv, .entry = "pixel_main"});
  const std::vector<std::string> lines = source_lines(spirv);
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("%input_texcoord = OpVariable"), EndsWith(" ; TEXCOORD0"))));
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("OpLoad %v2float %input_texcoord"),
                                    EndsWith(" ; TEXCOORD0, quad.hlsl:24: float4 pixel_main(Varying input) : "
                                             "SV_Target {"))));
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("OpStore %_entryPointOutput"), HasSubstr("SV_TARGET"))));
  // An instruction's line is correct, even after a text of many lines.
  ASSERT_EQ(program.source_of.size(), program.code.size());
  bool samples = false;
  for (size_t i = 0; i < program.code.size(); i++) {
    if (program.code[i].op != isa::Opcode::kTex) continue;
    samples = true;
    EXPECT_THAT(
        lines[program.source_of[i]],
        AllOf(HasSubstr("OpImageSampleImplicitLod"),
              EndsWith("quad.hlsl:25: float4 texel = albedo.Sample(linear_sampler, input.texcoord);")));
  }
  EXPECT_TRUE(samples);
}

TEST(SourceLines, OfAVertexProgramNameItsInputs) {
  const auto spirv = assemble_spirv(testdata("hlsl_quad.vert.spvasm"));
  compile({.stage = Stage::kVertex, .spirv = spirv, .entry = "vertex_main"});
  const std::vector<std::string> lines = source_lines(spirv);
  EXPECT_THAT(lines, Contains(AllOf(HasSubstr("%input_position = OpVariable"), EndsWith("; POSITION"))));
  EXPECT_THAT(lines, Contains(HasSubstr("quad.hlsl:20: output.texcoord = input.texcoord * 2;")));
}

TEST(SourceLines, SayNothingThatTheModuleDoesNot) {
  const auto spirv = assemble_spirv(testdata("glxgears_flat.vert.spvasm"));
  EXPECT_EQ(source_language(spirv), "");
  for (const std::string& line : source_lines(spirv)) EXPECT_THAT(line, Not(HasSubstr(" ; ")));
}

TEST(SourceLines, OfADamagedModuleAreRefused) {
  auto spirv = assemble_spirv(testdata("hlsl_quad.frag.spvasm"));
  spirv.back() |= 0x7fff0000;
  EXPECT_ANY_THROW(source_lines(spirv));
  EXPECT_ANY_THROW(source_language(std::vector<uint32_t>(9)));
}

}  // namespace
}  // namespace cutaway::compiler
