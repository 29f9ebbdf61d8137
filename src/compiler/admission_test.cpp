#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spirv/unified1/spirv.hpp>

#include "compiler/refusal.h"
#include "compiler/testing/run_shader.h"

// Modules that are newer than the validator, or older than today's rules, mean what they say.
namespace cutaway::compiler {
namespace {

using arch::Stage;
using testing::HasSubstr;

// The value that a fragment program stores; `declarations` go where the debug instructions stand, `types`
// behind the types, `body` before the store of %value.
struct Parts {
  std::string extensions, modes, declarations, types, body;
};

std::vector<uint32_t> module_of(const Parts& parts = {}) {
  return assemble_spirv("; Version: 1.0\nOpCapability Shader\n" + parts.extensions + R"(
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %o
    OpExecutionMode %main OriginUpperLeft
)" + parts.modes + parts.declarations +
                        R"(
    OpDecorate %o Location 0
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %vec4 = OpTypeVector %float 4
    %out = OpTypePointer Output %vec4
    %o = OpVariable %out Output
    %c = OpConstant %float 77
    %value = OpConstantComposite %vec4 %c %c %c %c
)" + parts.types + "%main = OpFunction %void None %fn\n%entry = OpLabel\n" +
                        parts.body + "\nOpStore %o %value\nOpReturn\nOpFunctionEnd\n");
}

// Position of the first instruction with an operation.
size_t find(const std::vector<uint32_t>& words, uint32_t op) {
  for (size_t at = 5; at < words.size(); at += words[at] >> 16)
    if ((words[at] & 0xffff) == op) return at;
  ADD_FAILURE() << "no instruction " << op;
  return 5;
}

void insert(std::vector<uint32_t>& words, size_t at, std::vector<uint32_t> instruction) {
  instruction[0] |= static_cast<uint32_t>(instruction.size()) << 16;
  words.insert(words.begin() + static_cast<ptrdiff_t>(at), instruction.begin(), instruction.end());
}

void expect_77(const std::vector<uint32_t>& words) {
  Execution run;
  run(compile({.stage = Stage::kFragment, .spirv = words, .entry = "main"}));
  EXPECT_EQ(run.output(0), (Vec4{77, 77, 77, 77}));
}

std::string refusal(Stage stage, const std::vector<uint32_t>& words) {
  try {
    compile({.stage = stage, .spirv = words, .entry = "main"});
  } catch (const UserError& error) { return error.what(); }
  return "taken";
}

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

TEST(Messages, NameTheInstructionAndItsWord) {
  std::vector<uint32_t> words = module_of({.declarations = "OpName %o \"o\"\n"});
  const size_t store = find(words, spv::OpStore);
  words[store + 2] = words[find(words, spv::OpTypeVoid) + 1];  // a type is no value
  EXPECT_THAT(refusal(Stage::kFragment, words),
              HasSubstr(fmt::format("instruction 16 (OpStore at word {})", store)));
  words = module_of();
  words[find(words, spv::OpStore)] += 5 << 16;  // longer than the module
  EXPECT_THAT(refusal(Stage::kFragment, words), HasSubstr("of which the module has"));
}

TEST(Messages, NameWhatIsNotKnown) {
  std::vector<uint32_t> words = module_of();
  insert(words, find(words, spv::OpTypeVoid), {7654, 3});
  EXPECT_THAT(refusal(Stage::kFragment, words), HasSubstr("its opcode is 7654"));
  words = module_of();
  insert(words, 5, {spv::OpCapability, 6029});  // FloatControls2
  EXPECT_THAT(refusal(Stage::kFragment, words), HasSubstr("capability 6029 is not supported"));
  words = module_of();
  words[1] = 0x10700;
  EXPECT_THAT(refusal(Stage::kFragment, words), HasSubstr("SPIR-V version 1.7"));
}

TEST(Messages, DisassembleWhatIsNotKnown) {
  std::vector<uint32_t> words = module_of();
  insert(words, find(words, spv::OpTypeVoid), {7654, 3});
  const std::vector<std::string> lines = source_lines(words);
  EXPECT_EQ(lines[5], "OpUnknown(7654, 2) 3");
  EXPECT_THAT(lines[6], HasSubstr("OpTypeVoid"));
  // An id that is defined twice.
  words = module_of();
  const size_t at = find(words, spv::OpTypeVoid);
  insert(words, at, {spv::OpTypeVoid, words[at + 1]});
  EXPECT_EQ(source_lines(words)[6], fmt::format("OpUnknown({}, 2) {}", +spv::OpTypeVoid, words[at + 1]));
}

TEST(Messages, NameABuiltInOfAnotherType) {
  EXPECT_THAT(refusal(Stage::kFragment, assemble_spirv(R"(; Version: 1.0
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %i
    OpExecutionMode %main OriginUpperLeft
    OpDecorate %i BuiltIn FragCoord
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %in = OpTypePointer Input %float
    %i = OpVariable %in Input
    %main = OpFunction %void None %fn
    %entry = OpLabel
    OpReturn
    OpFunctionEnd)")),
              HasSubstr("built-in FragCoord"));
}

TEST(Limits, AreNamed) {
  const auto repeated = [](uint32_t times, const std::vector<uint32_t>& instruction) {
    std::vector<uint32_t> words = module_of();
    const size_t at = find(words, spv::OpTypeVoid);
    std::vector<uint32_t> many;
    for (uint32_t i = 0; i < times; ++i) many.insert(many.end(), instruction.begin(), instruction.end());
    words.insert(words.begin() + static_cast<ptrdiff_t>(at), many.begin(), many.end());
    return refusal(Stage::kFragment, words);
  };
  EXPECT_THAT(repeated(300, {4u << 16 | spv::OpEntryPoint, 4, 1, 0x61}),
              HasSubstr("more than 256 entry points"));
  EXPECT_THAT(repeated(5000, {5u << 16 | spv::OpFunction, 1, 1, 0, 1}),
              HasSubstr("more than 4096 functions"));
  EXPECT_THAT(repeated(70000, {2u << 16 | spv::OpLabel, 1}), HasSubstr("more than 65536 blocks"));
  EXPECT_THAT(repeated(70000, {4u << 16 | spv::OpVariable, 1, 1, 6}), HasSubstr("more than 65536 variables"));
  EXPECT_THAT(repeated(300000, {3u << 16 | spv::OpTypeFloat, 1, 32}),
              HasSubstr("more than 262144 instructions"));
  // Instructions without a meaning do not count.
  EXPECT_EQ(repeated(300000, {1u << 16 | spv::OpNop}), "taken");
}

// The compiler relies on blocks: they are checked whatever else is taken.
TEST(Messages, RefuseBrokenBlocks) {
  const auto body = [](const std::string& text) {
    return refusal(Stage::kFragment,
                   module_of({.types = "%bool = OpTypeBool\n%true = OpConstantTrue %bool\n", .body = text}));
  };
  EXPECT_THAT(body("OpBranch %c\n%next = OpLabel\n"), HasSubstr("leads to no block of its function"));
  EXPECT_THAT(body("OpBranch %entry\n%next = OpLabel\n"), HasSubstr("leads to the first block"));
  EXPECT_THAT(body("OpBranch %next\nOpBranch %next\n%next = OpLabel\n"), HasSubstr("lies outside a block"));
  EXPECT_THAT(body("%next = OpLabel\n"), HasSubstr("no terminator"));
  EXPECT_THAT(body("OpBranch %next\n%next = OpLabel\n%p = OpPhi %float %true %entry\n"
                   "%v = OpCompositeConstruct %vec4 %p %p %p %p\nOpStore %o %v\n"),
              testing::AnyOf(HasSubstr("taken"), HasSubstr("OpPhi")));
}

}  // namespace
}  // namespace cutaway::compiler
