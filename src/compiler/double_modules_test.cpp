#include <bit>
#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/testing/run_arrays.h"

// Tests doubles in modules that glslang does not produce.
namespace cutaway::compiler {
namespace {

using arch::Stage;
using testing::ElementsAre;

// SPIR-V's ratio of indices is a float; glslang produces doubles, which are accepted too.
TEST(DoubleModules, AreRefractedByFloatsToo) {
  for (const std::string type : {"double", "float"}) {
    const isa::Program program = compile({.stage = Stage::kFragment,
                                          .spirv = assemble_spirv(R"(
               OpCapability Shader
               OpCapability Float64
        %glsl = OpExtInstImport "GLSL.std.450"
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main "main" %o
               OpExecutionMode %main OriginUpperLeft
               OpDecorate %o Location 0
        %void = OpTypeVoid
          %fn = OpTypeFunction %void
       %float = OpTypeFloat 32
      %double = OpTypeFloat 64
        %uint = OpTypeInt 32 0
       %uvec4 = OpTypeVector %uint 4
       %dvec2 = OpTypeVector %double 2
         %out = OpTypePointer Output %uvec4
           %o = OpVariable %out Output
         %eta = OpConstant %)" + type + R"( 0.75
           %x = OpConstant %double 0.6
           %y = OpConstant %double -0.8
        %zero = OpConstant %double 0
         %one = OpConstant %double 1
           %i = OpConstantComposite %dvec2 %x %y
           %n = OpConstantComposite %dvec2 %zero %one
        %main = OpFunction %void None %fn
       %begin = OpLabel
     %through = OpExtInst %dvec2 %glsl Refract %i %n %eta
        %bits = OpBitcast %uvec4 %through
               OpStore %o %bits
               OpReturn
               OpFunctionEnd)"),
                                          .entry = "main"});
    Execution run;
    run(program);
    const double y = 0.75 * -0.8 - (0.75 * -0.8 + std::sqrt(1 - 0.75 * 0.75 * (1 - 0.8 * 0.8)));
    EXPECT_THAT(values_of<double>({run.outputs.at(0)[0].begin(), run.outputs.at(0)[0].end()}),
                ElementsAre(0.75 * 0.6, y))
        << type;
  }
}

// Operations on specialization constants are folded.
TEST(DoubleModules, OfSpecializationConstants) {
  const auto spirv = assemble_spirv(R"(
               OpCapability Shader
               OpCapability Float64
               OpCapability Float16
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main "main" %o %p
               OpExecutionMode %main OriginUpperLeft
               OpDecorate %o Location 0
               OpDecorate %p Location 1
               OpDecorate %w SpecId 1
               OpDecorate %f SpecId 2
               OpDecorate %c SpecId 3
        %void = OpTypeVoid
          %fn = OpTypeFunction %void
        %bool = OpTypeBool
        %half = OpTypeFloat 16
       %float = OpTypeFloat 32
      %double = OpTypeFloat 64
       %dvec2 = OpTypeVector %double 2
        %uint = OpTypeInt 32 0
       %uvec2 = OpTypeVector %uint 2
       %uvec4 = OpTypeVector %uint 4
         %out = OpTypePointer Output %uvec4
           %o = OpVariable %out Output
           %p = OpVariable %out Output
           %w = OpSpecConstant %double 0.1
           %f = OpSpecConstant %float 0.3
           %c = OpSpecConstantTrue %bool
      %narrow = OpSpecConstantOp %float FConvert %w
        %wide = OpSpecConstantOp %double FConvert %f
        %tiny = OpSpecConstantOp %half FConvert %w
        %back = OpSpecConstantOp %double FConvert %tiny
      %chosen = OpSpecConstantOp %double Select %c %w %wide
        %both = OpSpecConstantComposite %dvec2 %chosen %back
      %second = OpSpecConstantOp %double CompositeExtract %both 1
        %main = OpFunction %void None %fn
       %begin = OpLabel
           %v = OpCompositeConstruct %dvec2 %wide %chosen
           %a = OpBitcast %uvec4 %v
               OpStore %o %a
           %n = OpBitcast %uint %narrow
           %s = OpBitcast %uvec2 %second
           %b = OpCompositeConstruct %uvec4 %n %n %s
               OpStore %p %b
               OpReturn
               OpFunctionEnd)");
  const auto bytes = [](auto value) {
    std::vector<std::byte> all(sizeof value);
    std::memcpy(all.data(), &value, sizeof value);
    return all;
  };
  for (const bool other : {false, true}) {
    Request request{.stage = Stage::kFragment, .spirv = spirv, .entry = "main"};
    const double w = other ? -1 - 0x1p-11 - 0x1p-40 : 0.1;
    if (other) request.specializations = {{1, bytes(w)}, {2, bytes(1e30f)}, {3, bytes(0u)}};
    const double wide = other ? 1e30f : 0.3f;
    Execution run;
    run(compile(request));
    const Bits4 o = run.outputs.at(0)[0], p = run.outputs.at(1)[0];
    EXPECT_THAT(values_of<double>({o.begin(), o.end()}), ElementsAre(wide, other ? wide : w));
    EXPECT_EQ(std::bit_cast<float>(p[0]), static_cast<float>(w));
    EXPECT_THAT(values_of<double>({p[2], p[3]}), ElementsAre(other ? -1 - 0x1p-10 : 0x1.998p-4));
  }
}

}  // namespace
}  // namespace cutaway::compiler
