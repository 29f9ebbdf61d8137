#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "compiler/testing/run_shader.h"

// The execution modes of VK_KHR_shader_float_controls, and the clock of subgroups.
namespace cutaway::compiler {
namespace {

constexpr uint32_t kInfinity = 0x7f800000, kNan = 0x7fc00000, kMinusZero = 0x80000000, kOne = 0x3f800000;
constexpr uint32_t kDenormal = 0x00000123, kMinusDenormal = 0x80000123;

// A fragment program whose output's first component is `body`'s %result of %a and %b, with the modes.
std::string program(const std::string& modes, const std::string& body) {
  std::string capabilities, with;
  for (const char* mode : {"DenormPreserve", "DenormFlushToZero", "SignedZeroInfNanPreserve",
                           "RoundingModeRTE", "RoundingModeRTZ"})
    if (modes.find(mode) != std::string::npos) capabilities += std::string("OpCapability ") + mode + "\n";
  for (size_t at = 0; at < modes.size();) {
    const size_t end = std::min(modes.find(';', at), modes.size());
    with += "OpExecutionMode %main " + modes.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return "OpCapability Shader\n" + capabilities +
         R"(OpExtension "SPV_KHR_float_controls"
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %out
OpExecutionMode %main OriginUpperLeft
)" + with +
         R"(OpDecorate %in Location 0
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%pin = OpTypePointer Input %v4
%pout = OpTypePointer Output %v4
%in = OpVariable %pin Input
%out = OpVariable %pout Output
%zero = OpConstant %float 0
%minus_zero = OpConstant %float -0.0
%one = OpConstant %float 1
%minus_one = OpConstant %float -1
%main = OpFunction %void None %fn
%label = OpLabel
%v = OpLoad %v4 %in
%a = OpCompositeExtract %float %v 0
%b = OpCompositeExtract %float %v 1
)" + body +
         R"(
%o = OpCompositeInsert %v4 %result %v 0
OpStore %out %o
OpReturn
OpFunctionEnd
)";
}

uint32_t result_of(const std::string& modes, const std::string& body, uint32_t a, uint32_t b = kOne) {
  Request request;
  const std::vector<uint32_t> spirv = assemble_spirv(program(modes, body));
  request.stage = arch::Stage::kFragment;
  request.spirv = spirv;
  request.entry = "main";
  Execution run;
  run.set(0, floats({a, b, 0, 0}));
  run(compile(request));
  return run.outputs.at(0)[0][0];
}

// Zeros keep their sign, and infinities and NaNs are what IEEE 754 makes of them, also where a constant seems
// to change nothing.
TEST(FloatControls, SignedZerosInfinitiesAndNansArePreserved) {
  struct Row {
    const char* body;
    uint32_t a, b, result;
  };
  const Row rows[] = {
      {"%result = OpFAdd %float %a %zero", kMinusZero, 0, 0},
      {"%result = OpFAdd %float %zero %a", kMinusZero, 0, 0},
      {"%result = OpFAdd %float %a %minus_zero", kMinusZero, 0, kMinusZero},
      {"%result = OpFSub %float %a %zero", kMinusZero, 0, kMinusZero},
      {"%result = OpFSub %float %zero %a", 0, 0, 0},
      {"%result = OpFNegate %float %a", 0, 0, kMinusZero},
      {"%result = OpFMul %float %a %zero", kInfinity, 0, kNan},
      {"%result = OpFMul %float %a %minus_one", kMinusZero, 0, 0},
      {"%result = OpFMul %float %a %zero", kMinusZero, 0, kMinusZero},
      {"%result = OpFSub %float %a %a", kInfinity, 0, kNan},
      {"%result = OpFAdd %float %a %b", kInfinity, 0xff800000, kNan},
      {"%result = OpFDiv %float %a %b", kOne, kMinusZero, 0xff800000},
      {"%result = OpFDiv %float %a %b", 0, kMinusZero, kNan},
      {"%result = OpFDiv %float %a %b", kOne, 0xff800000, kMinusZero},
      {"%result = OpFMul %float %a %one", 0x7fa00000, 0, kNan},
      {"%result = OpExtInst %float %glsl NMin %a %b", kNan, kOne, kOne},
      {"%result = OpExtInst %float %glsl Sqrt %a", kMinusZero, 0, kMinusZero},
      {"%result = OpExtInst %float %glsl Floor %a", kMinusZero, 0, kMinusZero},
      {"%result = OpExtInst %float %glsl Trunc %a", 0xff800000, 0, 0xff800000},
  };
  for (const Row& row : rows)
    EXPECT_EQ(result_of("SignedZeroInfNanPreserve 32", row.body, row.a, row.b), row.result)
        << row.body << std::hex << " of " << row.a;
}

// Operands and results that are denormal are zeros of their sign, also where only a sign changes.
TEST(FloatControls, DenormalsBecomeZeros) {
  for (const auto& [body, plus, minus] :
       {std::array<const char*, 3>{"%result = OpFNegate %float %a", "-", "+"},
        {"%result = OpExtInst %float %glsl FAbs %a", "+", "+"},
        {"%result = OpFMul %float %a %one", "+", "-"},
        {"%result = OpFAdd %float %a %a", "+", "-"},
        {"%result = OpFAdd %float %a %minus_zero", "+", "-"},
        {"%result = OpExtInst %float %glsl FMax %a %a", "+", "-"}}) {
    const auto zero = [](const char* sign) { return *sign == '-' ? kMinusZero : 0u; };
    EXPECT_EQ(result_of("DenormFlushToZero 32", body, kDenormal), zero(plus)) << body;
    EXPECT_EQ(result_of("DenormFlushToZero 32", body, kMinusDenormal), zero(minus)) << body;
  }
  // Results of normal operands.
  EXPECT_EQ(result_of("DenormFlushToZero 32", "%result = OpFMul %float %a %b", 0x00800000, 0x3f000000), 0u);
  EXPECT_EQ(result_of("DenormFlushToZero 32", "%result = OpFSub %float %a %b", 0x00800000, 0x00800001),
            kMinusZero);
}

// 1 + 2^-24 is a tie, 1 + 3 2^-24 another.
TEST(FloatControls, ResultsAreRoundedToNearestEven) {
  const char* sum = "%result = OpFAdd %float %a %b";
  EXPECT_EQ(result_of("RoundingModeRTE 32", sum, kOne, std::bit_cast<uint32_t>(0x1p-24f)), kOne);
  EXPECT_EQ(result_of("RoundingModeRTE 32", sum, kOne, std::bit_cast<uint32_t>(0x3p-24f)), kOne + 2);
}

TEST(FloatControls, ModesThatTheMachineLacksAreRefusedByName) {
  const auto refusal = [](const std::string& modes) -> std::string {
    try {
      result_of(modes, "%result = OpFAdd %float %a %b", 0);
    } catch (const std::exception& error) { return error.what(); }
    return "";
  };
  EXPECT_NE(refusal("DenormPreserve 32").find("execution mode DenormPreserve 32"), std::string::npos);
  EXPECT_NE(refusal("RoundingModeRTZ 32").find("RoundingModeRTZ"), std::string::npos);
}

// An invocation's clock counts its own instructions: the lanes of a loop of 0 to 3 rounds differ by equal
// steps.
TEST(Clock, CountsTheInstructionsOfTheInvocation) {
  const isa::Program program = compile_glsl(arch::Stage::kFragment, R"(
    #extension GL_ARB_shader_clock : require
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    void main() {
      const uvec2 start = clock2x32ARB();
      float sum = 0;
      for (int i = 0; i < int(a.x); i++) sum += a.y * float(i);
      const uvec2 middle = clock2x32ARB();
      const uvec2 end = clock2x32ARB();
      o = vec4(float(middle.x - start.x), float(end.x - middle.x), float(start.y | middle.y | end.y), sum);
    })");
  Execution run;
  run.set_lanes(0, {Vec4{0, 1, 0, 0}, Vec4{1, 1, 0, 0}, Vec4{2, 1, 0, 0}, Vec4{3, 1, 0, 0}});
  run(program);
  const float step = run.output(0, 1)[0] - run.output(0, 0)[0];
  EXPECT_GE(step, 4);
  for (uint32_t lane = 0; lane < 4; ++lane) {
    EXPECT_EQ(run.output(0, lane)[0], run.output(0, 0)[0] + step * static_cast<float>(lane));
    EXPECT_GE(run.output(0, lane)[1], 1);
    EXPECT_EQ(run.output(0, lane)[2], 0);
  }
  EXPECT_GE(run.output(0, 0)[0], 4);
}

// A function's instructions count where it is called, and clocks never run backwards.
TEST(Clock, GoesOnThroughFunctionsAndBranches) {
  const isa::Program program = compile_glsl(arch::Stage::kFragment, R"(
    #extension GL_ARB_shader_clock : require
    #extension GL_ARB_gpu_shader_int64 : require
    layout(location=0) in vec4 a; layout(location=0) out vec4 o;
    uint f(float x) { if (x > 1) { return clock2x32ARB().x; } return clock2x32ARB().x; }
    void main() {
      const uint64_t first = clockARB();
      const uint inside = f(a.x), again = f(a.y);
      const uint64_t last = clockARB();
      o = vec4(inside > uint(first), again > inside, last > uint64_t(again), 1);
    })");
  Execution run;
  run.set_lanes(0, {Vec4{0, 0, 0, 0}, Vec4{0, 2, 0, 0}, Vec4{2, 0, 0, 0}, Vec4{2, 2, 0, 0}});
  run(program);
  for (uint32_t lane = 0; lane < 4; ++lane) EXPECT_EQ(run.output(0, lane), (Vec4{1, 1, 1, 1})) << lane;
}

}  // namespace
}  // namespace cutaway::compiler
