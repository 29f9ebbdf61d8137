#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/testing/run_text.h"

// Image and memory operands that do not change a result, on every instruction that may have them.
namespace cutaway::compiler::hint_operands_test {
namespace {

using testing::ElementsAreArray;

// A fragment program that computes %r, of the type `result`, from images and the input %a.
isa::Program with_images(const std::string& result, const std::string& body) {
  const std::vector<uint32_t> spirv = assemble_spirv(R"(; Version: 1.6
OpCapability Shader
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpCapability ImageGatherExtended
OpCapability ImageQuery
OpCapability SampledBuffer
OpCapability StorageImageExtendedFormats
OpCapability VulkanMemoryModel
OpCapability VulkanMemoryModelDeviceScope
OpMemoryModel Logical Vulkan
OpEntryPoint Fragment %main "main" %in %out %t %u %d %m %b %s %S
OpExecutionMode %main OriginUpperLeft
OpDecorate %in Location 0
OpDecorate %out Location 0
OpDecorate %t DescriptorSet 0
OpDecorate %t Binding 0
OpDecorate %u DescriptorSet 0
OpDecorate %u Binding 1
OpDecorate %d DescriptorSet 0
OpDecorate %d Binding 2
OpDecorate %m DescriptorSet 0
OpDecorate %m Binding 3
OpDecorate %b DescriptorSet 0
OpDecorate %b Binding 4
OpDecorate %s DescriptorSet 0
OpDecorate %s Binding 5
OpDecorate %S DescriptorSet 0
OpDecorate %S Binding 6
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%i8 = OpTypeInt 8 1
%i16 = OpTypeInt 16 1
%u64 = OpTypeInt 64 0
%vec2 = OpTypeVector %float 2
%vec3 = OpTypeVector %float 3
%vec4 = OpTypeVector %float 4
%ivec2 = OpTypeVector %int 2
%ivec4 = OpTypeVector %int 4
%uvec4 = OpTypeVector %uint 4
%i8v2 = OpTypeVector %i8 2
%i16v2 = OpTypeVector %i16 2
%u64v2 = OpTypeVector %u64 2
%f0 = OpConstant %float 0
%f2 = OpConstant %float 2
%n0 = OpConstant %int 0
%n1 = OpConstant %int 1
%n2 = OpConstant %int 2
%n3 = OpConstant %int -3
%device = OpConstant %uint 1
%u64_1 = OpConstant %u64 1
%u64_2 = OpConstant %u64 2
%i16_1 = OpConstant %i16 1
%i8_1 = OpConstant %i8 1
%i8_3 = OpConstant %i8 -3
%four = OpConstant %uint 4
%offset = OpConstantComposite %ivec2 %n1 %n3
%offset8 = OpConstantComposite %i8v2 %i8_1 %i8_3
%offsets_type = OpTypeArray %ivec2 %four
%offsets = OpConstantComposite %offsets_type %offset %offset %offset %offset
%offsets8_type = OpTypeArray %i8v2 %four
%offsets8 = OpConstantComposite %offsets8_type %offset8 %offset8 %offset8 %offset8
%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown
%u_image = OpTypeImage %uint 2D 0 0 0 1 Unknown
%d_image = OpTypeImage %float 2D 1 0 0 1 Unknown
%m_image = OpTypeImage %float 2D 0 0 1 1 Unknown
%b_image = OpTypeImage %float Buffer 0 0 0 1 Unknown
%s_image = OpTypeImage %uint 2D 0 0 0 2 R32ui
%S_image = OpTypeImage %int 2D 0 0 0 2 R32i
%t_type = OpTypeSampledImage %t_image
%u_type = OpTypeSampledImage %u_image
%d_type = OpTypeSampledImage %d_image
%t_ptr = OpTypePointer UniformConstant %t_type
%u_ptr = OpTypePointer UniformConstant %u_type
%d_ptr = OpTypePointer UniformConstant %d_type
%m_ptr = OpTypePointer UniformConstant %m_image
%b_ptr = OpTypePointer UniformConstant %b_image
%s_ptr = OpTypePointer UniformConstant %s_image
%S_ptr = OpTypePointer UniformConstant %S_image
%in_ptr = OpTypePointer Input %vec4
%out_ptr = OpTypePointer Output %)" + result + R"(
%in = OpVariable %in_ptr Input
%out = OpVariable %out_ptr Output
%t = OpVariable %t_ptr UniformConstant
%u = OpVariable %u_ptr UniformConstant
%d = OpVariable %d_ptr UniformConstant
%m = OpVariable %m_ptr UniformConstant
%b = OpVariable %b_ptr UniformConstant
%s = OpVariable %s_ptr UniformConstant
%S = OpVariable %S_ptr UniformConstant
%main = OpFunction %void None %main_type
%entry = OpLabel
%a = OpLoad %vec4 %in
%xy = OpVectorShuffle %vec2 %a %a 0 1
%xyz = OpVectorShuffle %vec3 %a %a 0 1 2
%at = OpConvertFToS %ivec2 %xy
%at16 = OpConvertFToS %i16v2 %xy
%at64 = OpConvertFToU %u64v2 %xy
%at_byte = OpConvertFToS %int %f2
%T = OpLoad %t_type %t
%TI = OpImage %t_image %T
%U = OpLoad %u_type %u
%UI = OpImage %u_image %U
%D = OpLoad %d_type %d
%M = OpLoad %m_image %m
%B = OpLoad %b_image %b
%R = OpLoad %s_image %s
%Q = OpLoad %S_image %S
)" + body + R"(
OpStore %out %r
OpReturn
OpFunctionEnd
)");
  return compile({.stage = arch::Stage::kFragment, .spirv = spirv, .entry = "main"});
}

struct Row {
  const char* result;
  std::string instruction;  // without operands
  std::string operands;     // of the access, without hints: "Lod %n2"
};

const std::vector<Row>& rows() {
  static const std::vector<Row>& all = *new std::vector<Row>{
      {"vec4", "%r = OpImageSampleImplicitLod %vec4 %T %xy", ""},
      {"vec4", "%r = OpImageSampleImplicitLod %vec4 %T %xy", "Bias %f2"},
      {"vec4", "%r = OpImageSampleImplicitLod %vec4 %T %xy", "ConstOffset %offset"},
      {"vec4", "%r = OpImageSampleExplicitLod %vec4 %T %xy", "Lod %f2"},
      {"vec4", "%r = OpImageSampleExplicitLod %vec4 %T %xy", "Grad %xy %xy"},
      {"vec4", "%r = OpImageSampleExplicitLod %vec4 %T %xy", "Grad|ConstOffset %xy %xy %offset"},
      {"float", "%r = OpImageSampleDrefImplicitLod %float %D %xy %f2", ""},
      {"float", "%r = OpImageSampleDrefExplicitLod %float %D %xy %f2", "Lod %f0"},
      {"vec4", "%r = OpImageSampleProjImplicitLod %vec4 %T %xyz", ""},
      {"vec4", "%r = OpImageSampleProjExplicitLod %vec4 %T %xyz", "Lod %f2"},
      {"float", "%r = OpImageSampleProjDrefImplicitLod %float %D %xyz %f2", ""},
      {"float", "%r = OpImageSampleProjDrefExplicitLod %float %D %xyz %f2", "Lod %f0"},
      {"vec4", "%r = OpImageGather %vec4 %T %xy %n1", ""},
      {"vec4", "%r = OpImageGather %vec4 %T %xy %n1", "ConstOffset %offset"},
      {"vec4", "%r = OpImageGather %vec4 %T %xy %n1", "Offset %at"},
      {"vec4", "%r = OpImageGather %vec4 %T %xy %n1", "ConstOffsets %offsets"},
      {"vec4", "%r = OpImageDrefGather %vec4 %D %xy %f2", ""},
      {"vec4", "%r = OpImageFetch %vec4 %TI %at", ""},
      {"vec4", "%r = OpImageFetch %vec4 %TI %at", "Lod %n2"},
      {"vec4", "%r = OpImageFetch %vec4 %TI %at", "Lod|ConstOffset %n2 %offset"},
      {"vec4", "%r = OpImageFetch %vec4 %M %at", "Sample %n1"},
      {"vec4", "%r = OpImageFetch %vec4 %B %n2", ""},
      {"uvec4", "%r = OpImageFetch %uvec4 %UI %at", "Lod %n0"},
      {"uvec4", "%r = OpImageSampleExplicitLod %uvec4 %U %xy", "Lod %f0"},
      {"uvec4", "%r = OpImageRead %uvec4 %R %at", ""},
      {"ivec4", "%r = OpImageRead %ivec4 %Q %at", ""},
  };
  return all;
}

// The operands with a hint added, in the order of their bits.
std::string joined(const std::string& operands, const std::string& hint) {
  const size_t mask = operands.find(' ');
  if (operands.empty()) return hint;
  const size_t of_hint = hint.find(' ');
  return operands.substr(0, mask) + "|" + hint.substr(0, of_hint) + operands.substr(mask) +
         (of_hint == std::string::npos ? "" : hint.substr(of_hint));
}

TEST(HintOperands, OfImagesChangeNothing) {
  for (const Row& row : rows()) {
    const isa::Program plain = with_images(row.result, row.instruction + " " + row.operands);
    const bool reads = row.instruction.find("ImageRead") != std::string::npos;
    std::vector<std::string> hints = {"Nontemporal"};
    for (const char* hint : {"NonPrivateTexel", "VolatileTexel", "NonPrivateTexel|VolatileTexel|Nontemporal",
                             "MakeTexelVisible|NonPrivateTexel %device"})
      if (reads) hints.push_back(hint);
    if (std::string(row.result) != "vec4" && std::string(row.result) != "float")
      hints.insert(hints.end(), {"ZeroExtend", "SignExtend", "SignExtend|Nontemporal"});
    for (const std::string& hint : hints) {
      const std::string text = row.instruction + " " + joined(row.operands, hint);
      SCOPED_TRACE(text);
      EXPECT_EQ(isa::disassemble(with_images(row.result, text).code), isa::disassemble(plain.code));
    }
  }
}

TEST(HintOperands, OfImageWritesChangeNothing) {
  const auto written = [](const std::string& operands) {
    return isa::disassemble(
        with_images("uvec4", "%r = OpImageRead %uvec4 %R %at\nOpImageWrite %R %at %r " + operands).code);
  };
  const std::string plain = written("");
  for (const char* hint : {"Nontemporal", "NonPrivateTexel", "VolatileTexel", "ZeroExtend", "SignExtend",
                           "MakeTexelAvailable|NonPrivateTexel %device",
                           "MakeTexelAvailable|NonPrivateTexel|VolatileTexel|Nontemporal %device"})
    EXPECT_EQ(written(hint), plain) << hint;
}

// Coordinates, levels, offsets and samples of any width.
TEST(HintOperands, OfImagesMayHaveAnyWidth) {
  const std::vector<std::array<std::string, 2>> pairs = {
      {"%r = OpImageFetch %vec4 %TI %at Lod %n2", "%r = OpImageFetch %vec4 %TI %at Lod %u64_2"},
      {"%r = OpImageFetch %vec4 %TI %at Lod|ConstOffset %n2 %offset",
       "%r = OpImageFetch %vec4 %TI %at Lod|ConstOffset %n2 %offset8"},
      {"%r = OpImageFetch %vec4 %M %at Sample %n1", "%r = OpImageFetch %vec4 %M %at Sample %i16_1"},
      {"%r = OpImageSampleExplicitLod %vec4 %T %xy Lod|ConstOffset %f2 %offset",
       "%r = OpImageSampleExplicitLod %vec4 %T %xy Lod|ConstOffset %f2 %offset8"},
      {"%r = OpImageGather %vec4 %T %xy %n1 ConstOffsets %offsets",
       "%r = OpImageGather %vec4 %T %xy %n1 ConstOffsets %offsets8"},
      {"%r = OpImageGather %vec4 %T %xy %n1 Offset %offset",
       "%r = OpImageGather %vec4 %T %xy %n1 Offset %offset8"},
      {"%r = OpImageFetch %vec4 %B %n2", "%r = OpImageFetch %vec4 %B %u64_2"},
  };
  for (const auto& [word, other] : pairs)
    EXPECT_EQ(isa::disassemble(with_images("vec4", other).code),
              isa::disassemble(with_images("vec4", word).code))
        << other;
}

TEST(HintOperands, CoordinatesOfAnyWidth) {
  for (const char* at : {"%at", "%at16", "%at64"}) {
    Execution run;
    run.set(0, {3, 2, 0, 0});
    run.texture = [](const isa::Instruction&, const std::array<Bits4, 3>& s) {
      return Bits4{s[0][0], s[0][1], s[1][0], 7};
    };
    run(with_images("vec4", std::string("%r = OpImageFetch %vec4 %TI ") + at + " Lod %u64_2"));
    EXPECT_EQ(run.outputs.at(0)[0], (Bits4{3, 2, 2, 7})) << at;
  }
}

TEST(HintOperands, QueriesOfAnyWidth) {
  for (const std::string body : {"%r = OpImageQuerySizeLod %ivec2 %TI %n1",
                                 "%q = OpImageQuerySizeLod %i16v2 %TI %u64_1\n%r = OpSConvert %ivec2 %q",
                                 "%q = OpImageQuerySizeLod %u64v2 %TI %i8_1\n%r = OpSConvert %ivec2 %q"}) {
    Execution run;
    run.set(0, {3, 2, 0, 0});
    run.texture = [](const isa::Instruction&, const std::array<Bits4, 3>& s) {
      return Bits4{300 + s[0][0], 200, 1, 9};
    };
    run(with_images("ivec2", body));
    EXPECT_EQ(run.outputs.at(0)[0][0], 301u) << body;
    EXPECT_EQ(run.outputs.at(0)[0][1], 200u) << body;
  }
}

std::vector<uint32_t> input() {
  std::vector<uint32_t> in(16);
  for (uint32_t i = 0; i < 16; ++i) in[i] = 100 + i;
  return in;
}

isa::Program with_memory(const std::string& body, TextModule& module) {
  module.version = "1.6";
  module.capabilities = "OpCapability VulkanMemoryModel\nOpCapability VulkanMemoryModelDeviceScope";
  module.memory_model = "Logical Vulkan";
  module.results = 1;
  module.body = body;
  const std::vector<uint32_t> spirv = assemble_spirv(module.text());
  return compile({.stage = arch::Stage::kCompute, .spirv = spirv, .entry = "main"});
}

TEST(HintOperands, OfMemoryChangeNoValue) {
  const char* kHints[] = {"",
                          "Nontemporal",
                          "Aligned 4",
                          "Aligned|Nontemporal 4",
                          "Volatile",
                          "Volatile|Aligned|Nontemporal 4",
                          "NonPrivatePointer",
                          "Aligned|Nontemporal|NonPrivatePointer 4"};
  const std::vector<uint32_t> expected = {102, 106, 110, 114};
  TextModule module;
  const auto values = [&](const std::string& body) {
    const isa::Program program = with_memory(body, module);
    return module.run(program, input());
  };
  for (const std::string hint : kHints) {
    EXPECT_THAT(values("%v = OpLoad %u32 %in2 " + hint + "\nOpStore %out0 %v"), ElementsAreArray(expected))
        << hint;
    EXPECT_THAT(values("OpStore %out0 %x2 " + hint), ElementsAreArray(expected)) << hint;
    EXPECT_THAT(values("OpCopyMemory %out0 %in2 " + hint), ElementsAreArray(expected)) << hint;
    for (const std::string second : kHints) {
      if (hint.empty() || second.empty()) continue;
      EXPECT_THAT(values("OpCopyMemory %out0 %in2 " + hint + " " + second), ElementsAreArray(expected))
          << hint << ", " << second;
    }
  }
  for (const std::string body :
       {"%v = OpLoad %u32 %in2 MakePointerVisible|NonPrivatePointer %c1\nOpStore %out0 %v",
        "%v = OpLoad %u32 %in2 Aligned|MakePointerVisible|NonPrivatePointer 4 %c1\nOpStore %out0 %v",
        "OpStore %out0 %x2 MakePointerAvailable|NonPrivatePointer %c1",
        "OpCopyMemory %out0 %in2 Aligned|MakePointerAvailable|NonPrivatePointer 4 %c1 "
        "Aligned|MakePointerVisible|NonPrivatePointer 4 %c1"})
    EXPECT_THAT(values(body), ElementsAreArray(expected)) << body;
}

// The first set of OpCopyMemory is that of the target, the second that of the source, and a single one that
// of both: it decides whether the load sees the stores of others.
TEST(HintOperands, OfCopiesAreThoseOfEachPointer) {
  const auto cached = [](const std::string& operands) {
    TextModule module;
    const isa::Program program = with_memory("OpCopyMemory %out0 %in2 " + operands, module);
    const auto load = std::find_if(program.code.begin(), program.code.end(),
                                   [](const isa::Instruction& i) { return i.op == isa::Opcode::kLdb; });
    return load != program.code.end() && load->access.cached;
  };
  EXPECT_TRUE(cached(""));
  EXPECT_TRUE(cached("Aligned 4"));
  EXPECT_FALSE(cached("Volatile"));
  EXPECT_TRUE(cached("Volatile Nontemporal"));
  EXPECT_FALSE(cached("Nontemporal Volatile"));
  EXPECT_TRUE(cached("Aligned|MakePointerAvailable|NonPrivatePointer 4 %c1 Aligned 4"));
  EXPECT_FALSE(cached("Aligned 4 Aligned|MakePointerVisible|NonPrivatePointer 4 %c1"));
}

}  // namespace
}  // namespace cutaway::compiler::hint_operands_test
