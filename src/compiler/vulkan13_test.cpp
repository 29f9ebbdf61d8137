#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "compiler/testing/run_shader.h"

// Tests Vulkan 1.3's requirements on shaders.
namespace cutaway::compiler::vulkan13_test {
namespace {

using arch::Stage;
using testing::ElementsAre;

constexpr const char* kHead = R"(
    OpCapability Shader
    OpCapability DotProduct
    OpCapability DotProductInputAll
    OpCapability DotProductInput4x8BitPacked
    OpExtension "SPV_KHR_integer_dot_product"
    OpExtension "SPV_KHR_storage_buffer_storage_class"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %in %out
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %words ArrayStride 4
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %block Block
    OpDecorate %in DescriptorSet 0
    OpDecorate %in Binding 0
    OpDecorate %out DescriptorSet 0
    OpDecorate %out Binding 1
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %u = OpTypeInt 32 0
    %i = OpTypeInt 32 1
    %v3 = OpTypeVector %i 3
    %n8 = OpConstant %u 8
    %c0 = OpConstant %u 0
    %c1 = OpConstant %u 1
    %c2 = OpConstant %u 2
    %words = OpTypeArray %u %n8
    %block = OpTypeStruct %words
    %pb = OpTypePointer StorageBuffer %block
    %pu = OpTypePointer StorageBuffer %u
    %in = OpVariable %pb StorageBuffer
    %out = OpVariable %pb StorageBuffer
    %main = OpFunction %void None %fn
    %l = OpLabel
    %p0 = OpAccessChain %pu %in %c0 %c0
    %p1 = OpAccessChain %pu %in %c0 %c1
    %p2 = OpAccessChain %pu %in %c0 %c2
    %q = OpAccessChain %pu %out %c0 %c0
    %x = OpLoad %u %p0
    %y = OpLoad %u %p1
    %z = OpLoad %u %p2
)";
constexpr const char* kTail = R"(
    OpStore %q %r
    OpReturn
    OpFunctionEnd
)";

uint32_t dot(const std::string& body, uint32_t x, uint32_t y, uint32_t z = 0) {
  const isa::Program program =
      compile({.stage = Stage::kCompute, .spirv = assemble_spirv(kHead + body + kTail), .entry = "main"});
  Execution run;
  run.buffers[{0, 0, 0}] = {x, y, z, 0, 0, 0, 0, 0};
  run.buffers[{0, 1, 0}] = std::vector<uint32_t>(8);
  run(program);
  return run.buffers[{0, 1, 0}][0];
}

TEST(IntegerDot, OfPackedBytes) {
  const char* const format = " PackedVectorFormat4x8Bit";
  const auto of = [&](const std::string& op) { return "%r = " + op + " %u %x %y" + format; };
  // Bytes 255, 2, 128, 1 and 3, 250, 2, 127, lowest first.
  const uint32_t x = 0x018002ff, y = 0x7f02fa03;
  EXPECT_EQ(dot(of("OpUDotKHR"), x, y), 255u * 3 + 2 * 250 + 128 * 2 + 127);
  EXPECT_EQ(dot(of("OpSDotKHR"), x, y), static_cast<uint32_t>(-1 * 3 + 2 * -6 + -128 * 2 + 127));
  EXPECT_EQ(dot(of("OpSUDotKHR"), x, y), static_cast<uint32_t>(-1 * 3 + 2 * 250 + -128 * 2 + 127));
}

TEST(IntegerDot, SumsThatSaturate) {
  const char* const format = " PackedVectorFormat4x8Bit";
  const auto of = [&](const std::string& op) { return "%r = " + op + " %u %x %y %z" + format; };
  EXPECT_EQ(dot(of("OpUDotAccSatKHR"), 0x0202, 0x0101, 0xfffffffb), 0xffffffffu);
  EXPECT_EQ(dot(of("OpUDotAccSatKHR"), 0x0202, 0x0101, 0xfffffffc), 0xffffffffu);
  EXPECT_EQ(dot(of("OpUDotAccSatKHR"), 0x0202, 0x0101, 0x7ffffffe), 0x80000002u);
  EXPECT_EQ(dot(of("OpSDotAccSatKHR"), 0x0202, 0x0101, 0x7ffffffc), 0x7fffffffu);
  EXPECT_EQ(dot(of("OpSDotAccSatKHR"), 0x0202, 0x0101, 0x7ffffffb), 0x7fffffffu);
  EXPECT_EQ(dot(of("OpSDotAccSatKHR"), 0xfefe, 0x0101, 0x80000003), 0x80000000u);
  EXPECT_EQ(dot(of("OpSDotAccSatKHR"), 0xfefe, 0x0101, 0x80000005), 0x80000001u);
  EXPECT_EQ(dot(of("OpSUDotAccSatKHR"), 0xfe, 0xff, 600), 600u - 510);
}

TEST(IntegerDot, OfVectors) {
  EXPECT_EQ(dot(R"(
    %a = OpBitcast %i %x
    %b = OpBitcast %i %y
    %c = OpBitcast %i %z
    %v = OpCompositeConstruct %v3 %a %b %c
    %w = OpCompositeConstruct %v3 %c %c %b
    %s = OpSDotKHR %i %v %w
    %r = OpBitcast %u %s)",
                70000, 0xfffffffe, 5),
            static_cast<uint32_t>(70000 * 5 + -2 * 5 + 5 * -2));
}

// Initial helpers, and demoted lanes.
TEST(Helpers, AFragmentKnowsThatItIsOne) {
  const isa::Program program = compile_glsl(Stage::kFragment, R"(#version 450
    #extension GL_EXT_demote_to_helper_invocation : require
    layout(location=0) flat in int i;
    layout(location=0) out vec4 o;
    void main() {
      float before = helperInvocationEXT() ? 1.0 : 0.0;
      if (i > 1) demote;
      float after = helperInvocationEXT() ? 1.0 : 0.0;
      o = vec4(before, after, dFdx(before), dFdx(after));
    })");
  Execution run;
  for (uint32_t lane = 0; lane < 4; ++lane) {
    run.inputs[0][lane] = {lane};
    run.inputs[arch::kInputFragment][lane] = {0, 0, lane == 1 ? 0u : 1u, 0};
  }
  run(program);
  EXPECT_EQ(run.output(0, 0)[0], 0);
  EXPECT_EQ(run.output(0, 0)[1], 0);
  EXPECT_EQ(run.output(0, 1)[0], 1);
  EXPECT_EQ(run.output(0, 1)[1], 1);
  EXPECT_EQ(run.output(0, 2)[0], 0);
  EXPECT_EQ(run.output(0, 2)[1], 1);
}

constexpr const char* kHelpers = R"(
    OpCapability Shader
    OpCapability DemoteToHelperInvocation
    OpExtension "SPV_EXT_demote_to_helper_invocation"
    OpExtension "SPV_KHR_terminate_invocation"
    OpMemoryModel Logical GLSL450
    OpEntryPoint Fragment %main "main" %in %helper %out
    OpExecutionMode %main OriginUpperLeft
    OpDecorate %in Location 0
    OpDecorate %in Flat
    OpDecorate %helper BuiltIn HelperInvocation
    OpDecorate %out Location 0
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %bool = OpTypeBool
    %i = OpTypeInt 32 1
    %f = OpTypeFloat 32
    %pi = OpTypePointer Input %i
    %pb = OpTypePointer Input %bool
    %pf = OpTypePointer Output %f
    %c1 = OpConstant %i 1
    %zero = OpConstant %f 0
    %one = OpConstant %f 1
    %in = OpVariable %pi Input
    %helper = OpVariable %pb Input
    %out = OpVariable %pf Output
    %main = OpFunction %void None %fn
    %l = OpLabel
    %x = OpLoad %i %in
    %is1 = OpIEqual %bool %x %c1
    OpSelectionMerge %m1 None
    OpBranchConditional %is1 %end %m1
    %end = OpLabel
    OpTerminateInvocation
    %m1 = OpLabel
    %more = OpSGreaterThan %bool %x %c1
    OpSelectionMerge %m2 None
    OpBranchConditional %more %demote %m2
    %demote = OpLabel
    OpDemoteToHelperInvocationEXT
    OpBranch %m2
    %m2 = OpLabel
    %h = OpLoad %bool %helper Volatile
    %r = OpSelect %f %h %one %zero
    OpStore %out %r
    OpReturn
    OpFunctionEnd
)";

// A discard and a load of gl_HelperInvocation in SPIR-V 1.6: lane 1 ends, lanes 2 and 3 become helpers.
TEST(Helpers, TheBuiltInIsLoadedAnew) {
  const isa::Program program =
      compile({.stage = Stage::kFragment, .spirv = assemble_spirv(kHelpers), .entry = "main"});
  Execution run;
  for (uint32_t lane = 0; lane < 4; ++lane) {
    run.inputs[0][lane] = {lane};
    run.inputs[arch::kInputFragment][lane] = {0, 0, 1, 0};
  }
  run(program);
  EXPECT_EQ(run.output(0, 0)[0], 0);
  EXPECT_EQ(run.output(0, 2)[0], 1);
  EXPECT_EQ(run.output(0, 3)[0], 1);
}

// Zink 22.3 declares the extension but not the capability.
TEST(Helpers, OfModulesThatLeaveOutTheCapability) {
  std::string text = kHelpers;
  constexpr std::string_view kCapability = "OpCapability DemoteToHelperInvocation";
  text.erase(text.find(kCapability), kCapability.size());
  EXPECT_NO_THROW(compile({.stage = Stage::kFragment, .spirv = assemble_spirv(text), .entry = "main"}));
}

// The machine's workgroup memory starts as zeros, so nothing must be written.
TEST(WorkgroupMemory, BeginsWithZeros) {
  const isa::Program program = compile_glsl(Stage::kCompute, R"(#version 450
    #extension GL_EXT_null_initializer : require
    layout(local_size_x = 4) in;
    layout(set=0, binding=0) buffer B { uint o[4]; };
    shared uint s[2000] = {};
    void main() { atomicAdd(s[7], 3); barrier(); o[gl_LocalInvocationIndex] = s[7] + s[1999]; })");
  EXPECT_LT(program.code.size(), 20u);
  Execution run;
  for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[arch::kInputLocalId][lane] = {lane, 0, 0, lane};
  run.buffers[{0, 0, 0}] = std::vector<uint32_t>(4);
  run(program);
  EXPECT_EQ(run.buffers.begin()->second[3], 12u);
}

// Walks a linked list by addresses, in a loop and in a function; the null address ends it. All memory is one
// buffer.
TEST(Addresses, AListIsWalked) {
  const isa::Program program = compile_glsl(Stage::kCompute, R"(#version 450
    #extension GL_EXT_buffer_reference : require
    #extension GL_EXT_buffer_reference_uvec2 : require
    layout(local_size_x = 4) in;
    layout(buffer_reference) buffer Node;
    layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { uint value[2]; Node next; mat2x3 m; };
    layout(set=0, binding=0) buffer B { uint o[4]; uvec2 first; };
    uint take(Node n, uint i) { return n.value[i]; }
    void main() {
      Node n = Node(first);
      uint sum = 0;
      while (uvec2(n).x != 0) {
        sum += take(n, gl_LocalInvocationIndex & 1) * uint(n.m[1].z) + 1000 * uvec2(n.next).y;
        n.m[0][gl_LocalInvocationIndex & 1] = float(sum);
        n = n.next;
      }
      o[gl_LocalInvocationIndex] = sum;
      atomicAdd(Node(first).value[0], 100);
    })");
  Execution run;
  for (uint32_t lane = 0; lane < 4; ++lane) run.inputs[arch::kInputLocalId][lane] = {lane, 0, 0, lane};
  run.buffers[{0, 0, 0}] = {0, 0, 0, 0, 64, 0};
  std::vector<uint32_t>& all = run.buffers[{isa::SlotBinding::kAllMemory, 0, 0}];
  all.resize(100);
  const auto node = [&](uint32_t at, std::array<uint32_t, 2> value, uint32_t next, float factor) {
    all[at / 4] = value[0], all[at / 4 + 1] = value[1], all[at / 4 + 2] = next;
    all[at / 4 + 10] = std::bit_cast<uint32_t>(factor);  // columns begin 16 bytes apart
  };
  node(64, {1, 2}, 256, 3);
  node(256, {10, 20}, 0, 5);
  run(program);
  EXPECT_EQ(run.buffers[(std::array<uint32_t, 3>{0, 0, 0})][0], 1u * 3 + 10 * 5);
  EXPECT_EQ(run.buffers[(std::array<uint32_t, 3>{0, 0, 0})][3], 2u * 3 + 20 * 5);
  EXPECT_EQ(all[64 / 4], 401u);
  EXPECT_EQ(std::bit_cast<float>(all[256 / 4 + 4 + 1]), 106);
}

}  // namespace
}  // namespace cutaway::compiler::vulkan13_test
