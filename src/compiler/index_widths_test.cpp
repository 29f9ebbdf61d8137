#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "compiler/testing/width_cases.h"

// Indices, selectors and identifiers of invocations of any width.
namespace cutaway::compiler::index_widths_test {
namespace {

using namespace width_test;
using testing::ElementsAre;

TEST(IndexWidths, IndicesOfVectors) {
  const std::string v = "%v = OpCompositeConstruct %u32v4 %x0 %x1 %x2 %c5\n";
  check({
      {"extract, 64", "u32", v + "%n = OpUConvert %u64 %x1\n%r = OpVectorExtractDynamic %u32 %v %n", "", {5}},
      {"extract, 8",
       "u32",
       v + "%n = OpUConvert %u8 %c2\n%r = OpVectorExtractDynamic %u32 %v %n",
       "",
       {0x12345678}},
      {"insert, 64",
       "u32v4",
       v + "%n = OpUConvert %u64 %x1\n%r = OpVectorInsertDynamic %u32v4 %v %c8 %n",
       "",
       {-1000u, 3, 0x12345678, 8}},
      {"insert of 64 bits, 16",
       "u64v2",
       "%w = OpUConvert %u64 %x2\n%v = OpCompositeConstruct %u64v2 %w %w\n%z = OpUConvert %u64 %x1\n"
       "%r = OpVectorInsertDynamic %u64v2 %v %z %n",
       "%n = OpConstant %i16 1",
       {0x12345678, 0, 3, 0}},
      {"extract of booleans, 64",
       "bool",
       "%p = OpIEqual %bool %x1 %c3\n%q = OpIEqual %bool %x1 %c4\n%b = OpCompositeConstruct %boolv2 %q %p\n"
       "%r = OpVectorExtractDynamic %bool %b %n",
       "%n = OpConstant %u64 1",
       {1}},
  });
}

TEST(IndexWidths, IndicesOfAccessChains) {
  const std::string types = R"(
%four = OpTypeArray %u32 %length
%length_again = OpConstant %u32 4
%inner = OpTypeStruct %u32 %four %u32v4
%inner_ptr = OpTypePointer Function %inner
%ptr = OpTypePointer Function %u32
%member0 = OpConstant %u8 0
%member1 = OpConstant %u64 1
%member2 = OpConstant %i16 2
%null = OpConstantNull %inner
)";
  for (const std::string length :
       {"%length = OpConstant %u64 4", "%length = OpConstant %i16 4", "%length = OpSpecConstant %u8 4",
        "%half = OpSpecConstant %u64 2\n%length = OpSpecConstantOp %u64 IAdd %half %half"}) {
    TextModule module;
    module.globals = length + types;
    module.variables = "%var = OpVariable %inner_ptr Function %null";
    module.body = R"(
%n8 = OpUConvert %u8 %x1
%n16 = OpUConvert %u16 %x3
%n64 = OpUConvert %u64 %x1
%p0 = OpAccessChain %ptr %var %member0
%p1 = OpAccessChain %ptr %var %member1 %n64
%p2 = OpAccessChain %ptr %var %member2 %n8
%p3 = OpAccessChain %ptr %var %member1 %n16
OpStore %p0 %c5
OpStore %p1 %c6
OpStore %p2 %c7
OpStore %p3 %c8
%q1 = OpAccessChain %ptr %var %member1 %c3
%q2 = OpAccessChain %ptr %var %member2 %c3
%q3 = OpAccessChain %ptr %var %member1 %c1
%v0 = OpLoad %u32 %p0
%v1 = OpLoad %u32 %q1
%v2 = OpLoad %u32 %q2
%v3 = OpLoad %u32 %q3
OpStore %out0 %v0
OpStore %out1 %v1
OpStore %out2 %v2
OpStore %out3 %v3
)";
    EXPECT_THAT(module.run(input()), ElementsAre(5, 6, 7, 0, 5, 6, 7, 8, 5, 6, 7, 0, 5, 6, 7, 8)) << length;
  }
}

TEST(IndexWidths, IndicesOfBuffers) {
  TextModule module;
  module.capabilities = "OpCapability VariablePointers";
  module.interface = "%shared";
  module.decorations = "OpDecorate %word_ptr ArrayStride 4";
  module.globals = R"(
%zero64 = OpConstant %i64 0
%zero8 = OpConstant %u8 0
%back = OpConstant %i8 -1
%forth = OpSpecConstant %u64 1
%eight = OpTypeArray %u32 %c8
%eight_ptr = OpTypePointer Workgroup %eight
%shared_ptr = OpTypePointer Workgroup %u32
%shared = OpVariable %eight_ptr Workgroup
)";
  module.body = R"(
%i64_ = OpUConvert %u64 %i
%i8_ = OpUConvert %u8 %i
%a = OpAccessChain %word_ptr %In %zero64 %i64_
%b = OpAccessChain %word_ptr %In %zero8 %i8_
%c = OpPtrAccessChain %word_ptr %a %forth
%d = OpPtrAccessChain %word_ptr %c %back
%va = OpLoad %u32 %a
%vb = OpLoad %u32 %b
%vc = OpLoad %u32 %c
%vd = OpLoad %u32 %d
%s = OpAccessChain %shared_ptr %shared %i64_
OpStore %s %vc
%vs = OpLoad %u32 %s
OpStore %out0 %va
OpStore %out1 %vb
OpStore %out2 %vs
OpStore %out3 %vd
)";
  std::vector<uint32_t> in(16);
  std::iota(in.begin(), in.end(), 100);
  EXPECT_THAT(module.run(in),
              ElementsAre(100, 100, 101, 100, 101, 101, 102, 101, 102, 102, 103, 102, 103, 103, 104, 103));
}

TEST(IndexWidths, SelectorsOf8Bits) {
  TextModule module;
  module.body = R"(
%n = OpUConvert %u8 %x0
%s = OpBitcast %i8 %n
OpSelectionMerge %merge None
OpSwitch %s %default -128 %low 127 %high
%low = OpLabel
OpBranch %merge
%high = OpLabel
OpBranch %merge
%default = OpLabel
OpBranch %merge
%merge = OpLabel
%r = OpPhi %u32 %c1 %low %c2 %high %c3 %default
OpStore %out0 %r
)";
  const std::vector<uint32_t> out =
      module.run({0x80, 0, 0, 0, 0x7f, 0, 0, 0, 0x1ff, 0, 0, 0, 0xffffff80, 0, 0, 0});
  EXPECT_THAT((std::vector{out[0], out[4], out[8], out[12]}), ElementsAre(1, 2, 3, 1));
}

TEST(IndexWidths, OperandsOfSubgroups) {
  TextModule module;
  module.capabilities = R"(
OpCapability GroupNonUniform
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformClustered
OpCapability GroupNonUniformQuad
)";
  module.globals =
      "%u64_1 = OpConstant %u64 1\n%u16_2 = OpConstant %u16 2\n%u8_1 = OpConstant %u8 1\n"
      "%odd_lanes = OpConstantComposite %u32v4 %c6 %c0 %c0 %c0\n%yes = OpConstantTrue %bool";
  module.results = 12;
  module.body = R"(
%far = OpBitwiseXor %u32 %i %c3
%far64 = OpUConvert %u64 %far
%far8 = OpUConvert %u8 %far
%r0 = OpGroupNonUniformShuffle %u32 %c3 %i %far64
%r1 = OpGroupNonUniformShuffle %u32 %c3 %i %far8
%r2 = OpGroupNonUniformBroadcast %u32 %c3 %i %u16_2
%r3 = OpGroupNonUniformShuffleXor %u32 %c3 %i %u64_1
%b = OpGroupNonUniformBallot %u32v4 %c3 %yes
%n64 = OpGroupNonUniformBallotBitCount %u64 %c3 Reduce %b
%r4 = OpUConvert %u32 %n64
%n8 = OpGroupNonUniformBallotFindMSB %u8 %c3 %b
%r5 = OpUConvert %u32 %n8
%bit = OpGroupNonUniformBallotBitExtract %bool %c3 %odd_lanes %u64_1
%r6 = OpSelect %u32 %bit %c1 %c0
%r7 = OpGroupNonUniformIAdd %u32 %c3 ClusteredReduce %i %c2
%r8 = OpGroupNonUniformQuadBroadcast %u32 %c3 %i %u64_1
%low64 = OpGroupNonUniformBallotFindLSB %u64 %c3 %odd_lanes
%high = OpShiftRightLogical %u64 %low64 %c8
%h = OpIAdd %u64 %high %low64
%r9 = OpUConvert %u32 %h
%up = OpGroupNonUniformShuffleXor %u32 %c3 %i %u8_1
%r10 = OpIAdd %u32 %up %c0
)";
  for (int k = 0; k <= 10; ++k) {
    const std::string n = std::to_string(k);
    module.body += "OpStore %out" + n + " %r" + n + "\n";
  }
  const std::vector<uint32_t> out = module.run(input());
  for (uint32_t lane = 0; lane < 4; ++lane)
    EXPECT_THAT(std::vector(out.begin() + 12 * lane, out.begin() + 12 * lane + 11),
                ElementsAre(3 - lane, 3 - lane, 2, lane ^ 1, 4, 3, 1, lane < 2 ? 1 : 5, 1, 1, lane ^ 1))
        << lane;
}

}  // namespace
}  // namespace cutaway::compiler::index_widths_test
