#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spirv-tools/libspirv.hpp>

#include "base/error.h"
#include "compiler/testing/run_shader.h"

// Tests a module's parts outside functions: entry points, decorations, constants, id numbers.
namespace cutaway::compiler {
namespace {

using arch::Stage;
using testing::HasSubstr;

// A fragment shader that writes %value, a vector of four unsigned integers.
std::string fragment(const std::string& constants, const std::string& body = "",
                     const std::string& decorations = "OpDecorate %o Location 0") {
  return "; Version: 1.0\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n"
         "OpEntryPoint Fragment %main \"main\" %o\nOpExecutionMode %main OriginUpperLeft\n" +
         decorations + R"(
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%uvec2 = OpTypeVector %uint 2
%uvec4 = OpTypeVector %uint 4
%vec4 = OpTypeVector %float 4
%out = OpTypePointer Output %uvec4
%o = OpVariable %out Output
)" + constants +
         "\n%main = OpFunction %void None %fn\n%entry = OpLabel\n" + body +
         "\nOpStore %o %value\nOpReturn\nOpFunctionEnd\n";
}

Bits4 run_fragment(const std::string& text, std::vector<Specialization> specializations = {}) {
  const std::vector<uint32_t> spirv = assemble_spirv(text);
  Execution run;
  run(compile({.stage = Stage::kFragment,
               .spirv = spirv,
               .entry = "main",
               .specializations = std::move(specializations)}));
  return run.outputs.at(0)[0];
}

Specialization specialization(uint32_t id, uint32_t value) {
  const auto bytes = std::bit_cast<std::array<std::byte, 4>>(value);
  return {id, {bytes.begin(), bytes.end()}};
}

TEST(SpecConstantOp, ScalarOperations) {
  struct Case {
    const char* operation;
    uint32_t a, b, result;
  };
  const auto negative = [](int v) { return static_cast<uint32_t>(v); };
  for (const Case& c :
       std::initializer_list<Case>{{"%uint IAdd %a %b", 7, 9, 16},
                                   {"%uint ISub %a %b", 7, 9, negative(-2)},
                                   {"%uint IMul %a %b", 7, 9, 63},
                                   {"%uint UDiv %a %b", 100, 7, 14},
                                   {"%uint UMod %a %b", 100, 7, 2},
                                   {"%uint SDiv %a %b", negative(-100), 7, negative(-14)},
                                   {"%uint SRem %a %b", negative(-100), 7, negative(-2)},
                                   {"%uint SMod %a %b", negative(-100), 7, 5},
                                   {"%uint SNegate %a", 7, 0, negative(-7)},
                                   {"%uint Not %a", 7, 0, ~7u},
                                   {"%uint ShiftLeftLogical %a %b", 7, 3, 56},
                                   {"%uint ShiftRightLogical %a %b", negative(-8), 1, 0x7ffffffc},
                                   {"%uint ShiftRightArithmetic %a %b", negative(-8), 1, negative(-4)},
                                   {"%uint BitwiseAnd %a %b", 12, 10, 8},
                                   {"%uint BitwiseOr %a %b", 12, 10, 14},
                                   {"%uint BitwiseXor %a %b", 12, 10, 6},
                                   {"%uint Select %yes %a %b", 12, 10, 12},
                                   {"%bool IEqual %a %b", 4, 4, 1},
                                   {"%bool INotEqual %a %b", 4, 4, 0},
                                   {"%bool ULessThan %a %b", 4, negative(-4), 1},
                                   {"%bool SLessThan %a %b", 4, negative(-4), 0},
                                   {"%bool UGreaterThanEqual %a %b", 4, negative(-4), 0},
                                   {"%bool SGreaterThan %a %b", 4, negative(-4), 1},
                                   {"%bool LogicalAnd %yes %no", 0, 0, 0},
                                   {"%bool LogicalOr %yes %no", 0, 0, 1},
                                   {"%bool LogicalNot %no", 0, 0, 1},
                                   {"%bool LogicalNotEqual %yes %no", 0, 0, 1}}) {
    SCOPED_TRACE(c.operation);
    const bool boolean = std::string(c.operation).starts_with("%bool");
    const std::string text = fragment(
        std::string("%yes = OpSpecConstantTrue %bool\n%no = OpSpecConstantFalse %bool\n"
                    "%zero = OpConstant %uint 0\n%one = OpConstant %uint 1\n"
                    "%a = OpSpecConstant %uint 0\n%b = OpSpecConstant %uint 0\n%r = OpSpecConstantOp ") +
            c.operation + "\n%u = OpSpecConstantOp %uint " +
            (boolean ? "Select %r %one %zero" : "IAdd %r %zero") +
            "\n%value = OpSpecConstantComposite %uvec4 %u %a %b %u",
        "", "OpDecorate %o Location 0\nOpDecorate %a SpecId 3\nOpDecorate %b SpecId 4");
    EXPECT_EQ(run_fragment(text, {specialization(3, c.a), specialization(4, c.b)}),
              (Bits4{c.result, c.a, c.b, c.result}));
  }
}

TEST(SpecConstantOp, Composites) {
  const std::string text = fragment(R"(
    %two = OpConstant %uint 2
    %a = OpSpecConstant %uint 5
    %b = OpSpecConstantOp %uint IMul %a %two
    %ab = OpSpecConstantComposite %uvec2 %a %b
    %twice = OpSpecConstantOp %uvec2 IAdd %ab %ab
    %all = OpSpecConstantOp %uvec4 VectorShuffle %ab %twice 3 0 2 0xffffffff
    %third = OpSpecConstantOp %uint CompositeExtract %all 2
    %changed = OpSpecConstantOp %uvec4 CompositeInsert %b %all 3
    %value = OpSpecConstantOp %uvec4 CompositeInsert %third %changed 1)",
                                    "", "OpDecorate %o Location 0\nOpDecorate %a SpecId 1");
  EXPECT_EQ(run_fragment(text), (Bits4{20, 10, 10, 10}));
  EXPECT_EQ(run_fragment(text, {specialization(1, 7)}), (Bits4{28, 14, 14, 14}));
}

TEST(SpecConstantOp, SizesArrays) {
  const std::string text = fragment(R"(
    %two = OpConstant %uint 2
    %a = OpSpecConstant %uint 5
    %ab = OpSpecConstantComposite %uvec2 %two %a
    %ba = OpSpecConstantOp %uvec2 VectorShuffle %ab %ab 1 0
    %length = OpSpecConstantOp %uint CompositeExtract %ba 0
    %array = OpTypeArray %uint %length
    %kept = OpTypePointer Private %array
    %kept_element = OpTypePointer Private %uint
    %p = OpVariable %kept Private
    %last = OpSpecConstantOp %uint ISub %length %two)",
                                    R"(
    %at = OpAccessChain %kept_element %p %last
    OpStore %at %length
    %read = OpLoad %uint %at
    %value = OpCompositeConstruct %uvec4 %read %last %a %two)",
                                    "OpDecorate %o Location 0\nOpDecorate %a SpecId 1");
  EXPECT_EQ(run_fragment(text, {specialization(1, 9)}), (Bits4{9, 7, 9, 2}));
}

TEST(SpecConstantOp, ChainsTakeNoLongerThanTheyAre) {
  std::string constants = "%c0 = OpSpecConstant %uint 1\n";
  for (int i = 1; i < 3000; ++i)
    constants += "%c" + std::to_string(i) + " = OpSpecConstantOp %uint IAdd %c" + std::to_string(i - 1) +
                 " %c" + std::to_string(i - 1) + "\n";
  constants += "%value = OpSpecConstantComposite %uvec4 %c31 %c32 %c4 %c2999";
  EXPECT_EQ(run_fragment(fragment(constants)), (Bits4{1u << 31, 0, 16, 0}));
}

// SPIR-V, OpQuantizeToF16: values too small for a normal half become zero.
TEST(QuantizeToF16, ConstantsLikeValues) {
  const std::pair<float, float> cases[] = {
      {0x1.8p-15f, 0},         {-0x1p-24f, -0.0f},       {0x1p-14f, 0x1p-14f},   {-0x1.ffcp-15f, -0.0f},
      {1.0f / 3, 0x1.554p-2f}, {65519, 65504},           {65520, INFINITY},      {-1e9f, -INFINITY},
      {0x1.002p0f, 1},         {0x1.006p0f, 0x1.008p0f}, {-INFINITY, -INFINITY}, {0, 0}};
  for (const auto& [from, to] : cases) {
    SCOPED_TRACE(from);
    const uint32_t bits = std::bit_cast<uint32_t>(from);
    // Tests an operation on a specialization constant, on a constant, and on a value.
    const std::string text = fragment(R"(
    %s = OpSpecConstant %float 1
    %q = OpSpecConstantOp %float QuantizeToF16 %s
    %c = OpConstant %float )" + fmt::format("{:a}", std::isinf(from) ? 0.0f : from),
                                      R"(
    %d = OpQuantizeToF16 %float %c
    %e = OpQuantizeToF16 %float %s
    %all = OpCompositeConstruct %vec4 %q %d %e %s
    %value = OpBitcast %uvec4 %all)",
                                      "OpDecorate %o Location 0\nOpDecorate %s SpecId 0");
    const uint32_t expected = std::bit_cast<uint32_t>(to);
    const Bits4 got = run_fragment(text, {specialization(0, bits)});
    EXPECT_EQ(got, (Bits4{expected, std::isinf(from) ? 0 : expected, expected, bits}));
  }
}

TEST(Decorations, OfGroups) {
  const std::vector<uint32_t> spirv = assemble_spirv(R"(; Version: 1.0
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %a %b %o
    OpExecutionMode %main OriginUpperLeft
    OpDecorate %flat Flat
    OpDecorate %flat Location 4
    %flat = OpDecorationGroup
    OpGroupDecorate %flat %a
    OpDecorate %three Location 3
    %three = OpDecorationGroup
    OpGroupDecorate %three %o %b
    OpDecorate %second Offset 16
    %second = OpDecorationGroup
    OpMemberDecorate %U 0 Offset 0
    OpGroupMemberDecorate %second %U 1
    OpDecorate %U Block
    OpDecorate %u DescriptorSet 0
    OpDecorate %u Binding 0
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %int = OpTypeInt 32 1
    %one = OpConstant %int 1
    %vec4 = OpTypeVector %float 4
    %in = OpTypePointer Input %float
    %out = OpTypePointer Output %vec4
    %U = OpTypeStruct %float %float
    %uniform = OpTypePointer Uniform %U
    %member = OpTypePointer Uniform %float
    %a = OpVariable %in Input
    %b = OpVariable %in Input
    %o = OpVariable %out Output
    %u = OpVariable %uniform Uniform
    %main = OpFunction %void None %fn
    %entry = OpLabel
    %x = OpLoad %float %a
    %y = OpLoad %float %b
    %p = OpAccessChain %member %u %one
    %z = OpLoad %float %p
    %v = OpCompositeConstruct %vec4 %x %y %z %x
    OpStore %o %v
    OpReturn
    OpFunctionEnd)");
  const isa::Program program = compile({.stage = Stage::kFragment, .spirv = spirv, .entry = "main"});
  ASSERT_EQ(program.inputs.size(), 2u);
  EXPECT_EQ(program.inputs[0].location, 3u);
  EXPECT_EQ(program.inputs[0].mode, arch::Interpolation::kPerspective);
  EXPECT_EQ(program.inputs[1].location, 4u);
  EXPECT_EQ(program.inputs[1].mode, arch::Interpolation::kFlat);
  ASSERT_EQ(program.outputs.size(), 1u);
  EXPECT_EQ(program.outputs[0].location, 3u);
  ASSERT_EQ(program.constants.size(), 1u);
  EXPECT_EQ(program.constants[0].offset, 16u);
}

// Two stages in one module: each has its own inputs, outputs, memory, and functions that the other does not
// use.
constexpr const char* kTwoStages = R"(; Version: 1.0
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %vertex "main" %id %position %passed
    OpEntryPoint Fragment %fragment "main" %coordinate %got %color
    OpEntryPoint GLCompute %compute "main" %group
    OpExecutionMode %fragment OriginUpperLeft
    OpExecutionMode %compute LocalSize 4 1 1
    OpDecorate %id BuiltIn VertexIndex
    OpDecorate %position BuiltIn Position
    OpDecorate %passed Location 0
    OpDecorate %coordinate BuiltIn FragCoord
    OpDecorate %got Location 0
    OpDecorate %color Location 0
    OpDecorate %group BuiltIn WorkgroupId
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %int = OpTypeInt 32 1
    %uint = OpTypeInt 32 0
    %uvec3 = OpTypeVector %uint 3
    %vec4 = OpTypeVector %float 4
    %many = OpConstant %uint 8000
    %array = OpTypeArray %uint %many
    %in_int = OpTypePointer Input %int
    %in_uvec3 = OpTypePointer Input %uvec3
    %in_vec4 = OpTypePointer Input %vec4
    %out_vec4 = OpTypePointer Output %vec4
    %shared = OpTypePointer Workgroup %array
    %shared_uint = OpTypePointer Workgroup %uint
    %id = OpVariable %in_int Input
    %position = OpVariable %out_vec4 Output
    %passed = OpVariable %out_vec4 Output
    %coordinate = OpVariable %in_vec4 Input
    %got = OpVariable %in_vec4 Input
    %color = OpVariable %out_vec4 Output
    %group = OpVariable %in_uvec3 Input
    %memory = OpVariable %shared Workgroup
    %vertex = OpFunction %void None %fn
    %v0 = OpLabel
    %i = OpLoad %int %id
    %f = OpConvertSToF %float %i
    %p = OpCompositeConstruct %vec4 %f %f %f %f
    OpStore %position %p
    OpStore %passed %p
    OpReturn
    OpFunctionEnd
    %fragment = OpFunction %void None %fn
    %f0 = OpLabel
    %called = OpFunctionCall %void %end
    %c = OpLoad %vec4 %coordinate
    %g = OpLoad %vec4 %got
    %s = OpFAdd %vec4 %c %g
    OpStore %color %s
    OpReturn
    OpFunctionEnd
    %compute = OpFunction %void None %fn
    %k0 = OpLabel
    %w = OpLoad %uvec3 %group
    %x = OpCompositeExtract %uint %w 0
    %to = OpAccessChain %shared_uint %memory %x
    OpStore %to %x
    OpReturn
    OpFunctionEnd
    %end = OpFunction %void None %fn
    %e0 = OpLabel
    OpKill
    OpFunctionEnd)";

TEST(EntryPoints, ShareAModule) {
  const std::vector<uint32_t> spirv = assemble_spirv(kTwoStages);
  const isa::Program vertex = compile({.stage = Stage::kVertex, .spirv = spirv, .entry = "main"});
  EXPECT_EQ(vertex.outputs.size(), 1u);
  EXPECT_TRUE(vertex.inputs.empty());
  EXPECT_EQ(vertex.shared_bytes, 0u);
  const isa::Program fragment = compile({.stage = Stage::kFragment, .spirv = spirv, .entry = "main"});
  EXPECT_EQ(fragment.inputs.size(), 1u);
  EXPECT_TRUE(fragment.flags & arch::kShaderReadsFragCoord);
  EXPECT_TRUE(fragment.flags & arch::kShaderKills);
  const isa::Program compute = compile({.stage = Stage::kCompute, .spirv = spirv, .entry = "main"});
  EXPECT_EQ(compute.shared_bytes, 32000u);
  EXPECT_EQ(compute.local_size[0], 4u);
}

std::vector<uint32_t> with_numbers(const std::string& text) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_0);
  std::vector<uint32_t> spirv;
  EXPECT_TRUE(tools.Assemble(text, &spirv, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS));
  return spirv;
}

// Tables must not grow with the greatest id.
TEST(Ids, MayBeFarApart) {
  std::vector<uint32_t> spirv = with_numbers(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %4194302 "main" %4000000000
    OpExecutionMode %4194302 OriginUpperLeft
    OpDecorate %4000000000 Location 0
    %2 = OpTypeVoid
    %77777 = OpTypeFunction %2
    %1000000000 = OpTypeFloat 32
    %3999999999 = OpTypeVector %1000000000 4
    %5 = OpTypePointer Output %3999999999
    %4000000000 = OpVariable %5 Output
    %123456789 = OpConstant %1000000000 2
    %8 = OpConstantComposite %3999999999 %123456789 %123456789 %123456789 %123456789
    %4194302 = OpFunction %2 None %77777
    %3000000000 = OpLabel
    OpStore %4000000000 %8
    OpReturn
    OpFunctionEnd)");
  EXPECT_EQ(spirv[3], 4000000001u);
  Execution run;
  run(compile({.stage = Stage::kFragment, .spirv = spirv, .entry = "main"}));
  EXPECT_EQ(run.output(0), (Vec4{2, 2, 2, 2}));
  // One that is not below the bound.
  spirv[3] = 4000000000u;
  EXPECT_THROW(compile({.stage = Stage::kFragment, .spirv = spirv, .entry = "main"}), UserError);
}

// Many more instructions than a program can have, most of them unused.
TEST(Size, TranslatedCodeMayExceedTheProgramLimit) {
  std::string text = "layout(location=0) in vec4 a; layout(location=0) out vec4 o;\nvec4 f(vec4 x) {\n";
  for (int i = 0; i < 500; ++i) text += "x += a;\n";
  text += "return x; }\nvoid main() { vec4 unused = a;\n";
  for (int i = 0; i < 280; ++i) text += "unused = f(unused);\n";
  Execution run;
  run.set(0, {2, 3, 4, 5});
  run(compile_glsl(Stage::kFragment, text + "o = a + a; }"));
  EXPECT_EQ(run.output(0), (Vec4{4, 6, 8, 10}));
}

}  // namespace
}  // namespace cutaway::compiler
