// Modules that are newer than the validator, or older than today's rules, mean what they say.
#include <array>
#include <bit>
#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

#include "compiler/testing/fragment_module.h"

namespace cutaway::compiler::admission_test {
namespace {

using namespace fragment_module;

TEST(Admission, AnySourceLanguage) {
  for (const uint32_t language : {0u, 2u, 5u, 7u, 8u, 9u, 10u, 11u, 12u, 13u, 99u, ~0u}) {
    SCOPED_TRACE(language);
    std::vector<uint32_t> words = module_of({.declarations = "OpSource GLSL 450\n"});
    words[find(words, spv::OpSource) + 1] = language;
    expect_77(words);
    EXPECT_EQ(source_lines(words).size(), 19u);
  }
  // Ids that are far apart as well.
  std::vector<uint32_t> words = module_of({.declarations = "OpSource GLSL 450\n"});
  words[find(words, spv::OpSource) + 1] = 11;
  words[3] = 5'000'000;
  expect_77(words);
}

TEST(Admission, WhatCarriesNoMeaning) {
  expect_77(module_of({.declarations = R"(
    %file = OpString "a.slang"
    OpSource HLSL 600 %file "text"
    OpSourceContinued "more"
    OpSourceExtension "GL_made_up"
    OpName %o "o"
)"}));
  std::vector<uint32_t> processed = module_of();
  insert(processed, find(processed, spv::OpDecorate), {spv::OpModuleProcessed, 0x61});
  expect_77(processed);
  expect_77(module_of({.extensions = "OpExtension \"SPV_KHR_made_up\"\n"}));
  expect_77(module_of({.extensions = R"(
    OpExtension "SPV_KHR_non_semantic_info"
    %set = OpExtInstImport "NonSemantic.MadeUp.7"
    %debug = OpExtInstImport "OpenCL.DebugInfo.100"
)",
                       .declarations = "%name = OpString \"name\"\n",
                       .types = "%told = OpExtInst %void %set 900 %name\n",
                       .body = "%more = OpExtInst %void %set 901 %name %told\n"}));
}

// VK_GOOGLE_decorate_string and VK_GOOGLE_hlsl_functionality1: what DXC writes with -fspv-reflect.
TEST(Admission, NamesAndCountersOfHlsl) {
  expect_77(module_of({.extensions = R"(
    OpExtension "SPV_GOOGLE_decorate_string"
    OpExtension "SPV_GOOGLE_hlsl_functionality1"
)",
                       .declarations = R"(
    OpDecorateString %o UserSemantic "SV_TARGET"
    OpMemberDecorateString %block 0 UserSemantic "COLOR"
    OpDecorateId %buffer HlslCounterBufferGOOGLE %counter
    OpDecorate %block BufferBlock
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %buffer DescriptorSet 0
    OpDecorate %buffer Binding 0
    OpDecorate %counter DescriptorSet 0
    OpDecorate %counter Binding 1
)",
                       .types = R"(
    %block = OpTypeStruct %float
    %uniform = OpTypePointer Uniform %block
    %buffer = OpVariable %uniform Uniform
    %counter = OpVariable %uniform Uniform
)"}));
}

// SPV_KHR_relaxed_extended_instruction, of 2024.
TEST(Admission, DebugInstructionsWithForwardReferences) {
  std::vector<uint32_t> words = module_of({.extensions = R"(
    OpExtension "SPV_KHR_non_semantic_info"
    %set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
)",
                                           .types = "%told = OpExtInst %void %set 900 %c\n"});
  const size_t at = find(words, spv::OpExtInst);
  words[at] += 4433 - spv::OpExtInst;
  words[at + 5] = words[3]++;  // an id that no instruction defines
  expect_77(words);
}

TEST(Admission, UnknownDecorationsAreHints) {
  for (const uint32_t decoration : {44u, 47u, 6000u, 6442u, 7777u}) {
    SCOPED_TRACE(decoration);
    std::vector<uint32_t> words = module_of();
    const size_t at = find(words, spv::OpDecorate);
    insert(words, at, {spv::OpDecorate, words[at + 1], decoration, 1, 2});
    expect_77(words);
  }
}

TEST(Admission, ExecutionModesThatPromiseOnly) {
  for (const uint32_t mode : {6023u /* MaximallyReconvergesKHR */, 7777u}) {
    SCOPED_TRACE(mode);
    std::vector<uint32_t> words = module_of();
    const size_t at = find(words, spv::OpExecutionMode);
    insert(words, at, {spv::OpExecutionMode, words[at + 1], mode});
    expect_77(words);
  }
}

TEST(Admission, ExpectationsAreTheirValues) {
  expect_77(module_of({.extensions = "OpCapability ExpectAssumeKHR\nOpExtension \"SPV_KHR_expect_assume\"\n",
                       .types = "%bool = OpTypeBool\n%true = OpConstantTrue %bool\n",
                       .body = R"(
    OpAssumeTrueKHR %true
    %expected = OpExpectKHR %float %c %c
    %all = OpCompositeConstruct %vec4 %expected %expected %expected %expected
    OpStore %o %all
)"}));
}

TEST(Admission, AnInterfaceMayNameAVariableTwice) {
  std::vector<uint32_t> words = module_of();
  const size_t at = find(words, spv::OpEntryPoint);
  words.insert(words.begin() + static_cast<ptrdiff_t>(at) + 5, words[at + 5]);
  words[at] += 1u << 16;
  expect_77(words);
}

// VK_KHR_maintenance4, part of Vulkan 1.3, allows LocalSizeId in all versions that have it.
TEST(Admission, LocalSizeIdInAllVersions) {
  for (const uint32_t version : {0x10200u, 0x10300u, 0x10400u, 0x10500u, 0x10600u}) {
    SCOPED_TRACE(version);
    std::vector<uint32_t> words = assemble_spirv(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionModeId %main LocalSizeId %x %y %z
    OpDecorate %x SpecId 3
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %x = OpSpecConstant %uint 7
    %y = OpConstant %uint 5
    %z = OpConstant %uint 1
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpReturn
    OpFunctionEnd)");
    words[1] = version;
    const isa::Program program = compile({.stage = Stage::kCompute,
                                          .spirv = words,
                                          .entry = "main",
                                          .specializations = {{3, {std::byte{3}, {}, {}, {}}}}});
    EXPECT_EQ(program.local_size, (std::array<uint32_t, 3>{3, 5, 1}));
  }
}

// ShaderLayer and ShaderViewportIndex came with SPIR-V 1.5; engines declared them before.
TEST(Admission, LayersInAllVersions) {
  for (const uint32_t version : {0x10000u, 0x10300u, 0x10400u, 0x10500u}) {
    SCOPED_TRACE(version);
    std::vector<uint32_t> words = assemble_spirv(R"(
    OpCapability Shader
    OpCapability ShaderLayer
    OpCapability ShaderViewportIndex
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %main "main" %layer %viewport
    OpDecorate %layer BuiltIn Layer
    OpDecorate %viewport BuiltIn ViewportIndex
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %int = OpTypeInt 32 1
    %out = OpTypePointer Output %int
    %layer = OpVariable %out Output
    %viewport = OpVariable %out Output
    %six = OpConstant %int 6
    %two = OpConstant %int 2
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpStore %layer %six
    OpStore %viewport %two
    OpReturn
    OpFunctionEnd)");
    words[1] = version;
    const isa::Program program = compile({.stage = Stage::kVertex, .spirv = words, .entry = "main"});
    Execution run;
    run(program);
    EXPECT_EQ(run.outputs.at(program.layer)[0][0], 6u);
    EXPECT_EQ(run.outputs.at(program.viewport_index)[0][0], 2u);
  }
}

// OpCopyLogical came with SPIR-V 1.4, whose interfaces list all variables.
TEST(Admission, InstructionsOfALaterVersion) {
  std::vector<uint32_t> words = assemble_spirv(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %o
    OpExecutionMode %main OriginUpperLeft
    OpDecorate %o Location 0
    OpMemberDecorate %from_type 0 Offset 0
    OpMemberDecorate %to_type 0 Offset 16
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %vec4 = OpTypeVector %float 4
    %from_type = OpTypeStruct %vec4
    %to_type = OpTypeStruct %vec4
    %private = OpTypePointer Private %from_type
    %out = OpTypePointer Output %vec4
    %p = OpVariable %private Private
    %o = OpVariable %out Output
    %c = OpConstant %float 77
    %value = OpConstantComposite %vec4 %c %c %c %c
    %struct = OpConstantComposite %from_type %value
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpStore %p %struct
    %loaded = OpLoad %from_type %p
    %copy = OpCopyLogical %to_type %loaded
    %result = OpCompositeExtract %vec4 %copy 0
    OpStore %o %result
    OpReturn
    OpFunctionEnd)");
  for (const uint32_t version : {0x10000u, 0x10300u}) {
    words[1] = version;
    expect_77(words);
  }
}

// VK_KHR_uniform_buffer_standard_layout, VK_EXT_scalar_block_layout,
// VK_KHR_workgroup_memory_explicit_layout.
TEST(Admission, ScalarLayouts) {
  const std::vector<uint32_t> words = assemble_spirv(R"(; Version: 1.0
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %o
    OpExecutionMode %main OriginUpperLeft
    OpDecorate %o Location 0
    OpDecorate %u DescriptorSet 0
    OpDecorate %u Binding 0
    OpDecorate %U Block
    OpMemberDecorate %U 0 Offset 0
    OpMemberDecorate %U 1 Offset 4
    OpMemberDecorate %U 2 Offset 20
    OpDecorate %array ArrayStride 4
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %int = OpTypeInt 32 1
    %two = OpConstant %int 2
    %one = OpConstant %int 1
    %vec4 = OpTypeVector %float 4
    %array = OpTypeArray %float %two
    %U = OpTypeStruct %float %vec4 %array
    %uniform = OpTypePointer Uniform %U
    %member = OpTypePointer Uniform %vec4
    %element = OpTypePointer Uniform %float
    %u = OpVariable %uniform Uniform
    %out = OpTypePointer Output %vec4
    %o = OpVariable %out Output
    %main = OpFunction %void None %fn
    %entry = OpLabel
    %p = OpAccessChain %member %u %one
    %v = OpLoad %vec4 %p
    %q = OpAccessChain %element %u %two %one
    %w = OpLoad %float %q
    %value = OpVectorTimesScalar %vec4 %v %w
    OpStore %o %value
    OpReturn
    OpFunctionEnd)");
  Execution run;
  for (const float x : {9.0f, 1.0f, 2.0f, 3.0f, 4.0f, 9.0f, 10.0f, 9.0f})
    run.buffers[{0, 0, 0}].push_back(std::bit_cast<uint32_t>(x));
  run(compile({.stage = Stage::kFragment, .spirv = words, .entry = "main"}));
  EXPECT_EQ(run.output(0), (Vec4{10, 20, 30, 40}));
}

}  // namespace
}  // namespace cutaway::compiler::admission_test
