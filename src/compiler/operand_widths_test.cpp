#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>

#include "compiler/testing/run_text.h"

// Operands whose width or sign differs from that of the result, by the instructions of the SPIR-V grammar
// that allow it. Values are worked out by hand. random_integers_test.cpp tries mixtures of them.
namespace cutaway::compiler {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

uint32_t of(float value) { return std::bit_cast<uint32_t>(value); }

struct Case {
  const char* name;
  std::string type;  // of %r, the result
  std::string body;  // computes %r
  std::string globals;
  std::vector<uint32_t> expected;  // words of each invocation
};

// %x0: -1000, %x1: 3, %x2: 0x12345678, %x3: 1 where the invocation is odd, 0 where it is even.
std::vector<uint32_t> input() {
  std::vector<uint32_t> in;
  for (uint32_t lane = 0; lane < 4; ++lane) in.insert(in.end(), {0u - 1000, 3, 0x12345678, lane % 2});
  return in;
}

void check(const std::vector<Case>& cases) {
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    TextModule module;
    uint32_t words = 0;
    const std::string store = stored(one.type, "%r", words);
    module.results = words;
    module.globals = one.globals;
    module.body = one.body + "\n" + store;
    std::vector<uint32_t> expected;
    for (uint32_t lane = 0; lane < 4; ++lane)
      expected.insert(expected.end(), one.expected.begin(), one.expected.end());
    EXPECT_THAT(module.run(input()), ElementsAreArray(expected));
  }
}

TEST(OperandWidths, Shifts) {
  const std::string a = "%a = OpBitcast %i32 %x0\n";
  check({
      {"by 64 bits",
       "i32",
       a + "%s = OpUConvert %u64 %x1\n%r = OpShiftRightArithmetic %i32 %a %s",
       "",
       {-125u}},
      {"by 16 bits",
       "i32",
       a + "%s = OpSConvert %i16 %x1\n%r = OpShiftRightArithmetic %i32 %a %s",
       "",
       {-125u}},
      {"by 8 bits", "u32", "%s = OpUConvert %u8 %x1\n%r = OpShiftRightLogical %u32 %x0 %s", "", {0x1fffff83}},
      {"8 bits by 64",
       "i8",
       "%b = OpUConvert %u8 %x0\n%c = OpBitcast %i8 %b\n%s = OpUConvert %u64 %x1\n"
       "%r = OpShiftRightArithmetic %i8 %c %s",
       "",
       {0x03}},  // -1000 is 0x18 in 8 bits
      {"16 bits by 64",
       "i16",
       "%b = OpSConvert %i16 %x0\n%s = OpUConvert %u64 %x1\n"
       "%r = OpShiftRightArithmetic %i16 %b %s",
       "",
       {0xff83}},
      {"64 bits by 8",
       "u64",
       "%b = OpUConvert %u64 %x2\n%r = OpShiftLeftLogical %u64 %b %s",
       "%s = OpConstant %u8 4",
       {0x23456780, 1}},
      {"64 bits by 16",
       "u64",
       "%b = OpUConvert %u64 %x2\n%r = OpShiftLeftLogical %u64 %b %s",
       "%s = OpConstant %i16 36",
       {0, 0x23456780}},
      {"vectors",
       "i32v3",
       a + "%v = OpCompositeConstruct %i32v3 %a %a %a\n%r = OpShiftRightArithmetic %i32v3 %v %s",
       "%s1 = OpConstant %u64 1\n%s2 = OpConstant %u64 2\n%s31 = OpConstant %u64 31\n"
       "%s = OpConstantComposite %u64v3 %s1 %s2 %s31",
       {-500u, -250u, ~0u}},
      {"vectors of 16 bits",
       "u16v2",
       "%h = OpUConvert %u16 %x2\n%v = OpCompositeConstruct %u16v2 %h %h\n%r = OpShiftLeftLogical %u16v2 %v %s",
       "%s1 = OpConstant %u64 4\n%s2 = OpConstant %u64 15\n%s = OpConstantComposite %u64v2 %s1 %s2",
       {0x6780, 0}},
  });
}

// The conformance suite has these of all widths.
TEST(OperandWidths, OperationsOnConstants) {
  check({
      {"shift of 64 bits by 32",
       "i64",
       "%r = OpCopyObject %i64 %s",
       "%a = OpSpecConstant %i64 -1000\n%b = OpSpecConstant %u32 3\n"
       "%s = OpSpecConstantOp %i64 ShiftRightArithmetic %a %b",
       {-125u, ~0u}},
      {"shift of 32 bits by 64",
       "i32",
       "%r = OpCopyObject %i32 %s",
       "%a = OpSpecConstant %i32 -1000\n%b = OpSpecConstant %i64 3\n"
       "%s = OpSpecConstantOp %i32 ShiftRightArithmetic %a %b",
       {-125u}},
      {"shift of 16 bits by 8",
       "i16",
       "%r = OpCopyObject %i16 %s",
       "%a = OpSpecConstant %i16 -1000\n%b = OpSpecConstant %i8 3\n"
       "%s = OpSpecConstantOp %i16 ShiftLeftLogical %a %b",
       {0xe0c0}},  // -8000
      {"division of 64 bits",
       "i64",
       "%r = OpCopyObject %i64 %s",
       "%a = OpSpecConstant %i64 -1000000000007\n%b = OpSpecConstant %i64 1000000\n"
       "%s = OpSpecConstantOp %i64 SDiv %a %b",
       {-1000000u, ~0u}},
      {"remainder of 64 bits",
       "i64",
       "%r = OpCopyObject %i64 %s",
       "%a = OpSpecConstant %i64 -1000000000007\n%b = OpSpecConstant %i64 10000000000\n"
       "%s = OpSpecConstantOp %i64 SRem %a %b",
       {-7u, ~0u}},
      {"modulus of 64 bits",
       "i64",
       "%r = OpCopyObject %i64 %s",
       "%a = OpSpecConstant %i64 -1000000000007\n%b = OpSpecConstant %i64 10000000000\n"
       "%s = OpSpecConstantOp %i64 SMod %a %b",
       {1410065401, 2}},  // 9999999993
      {"product of 64 bits",
       "u64",
       "%r = OpCopyObject %u64 %s",
       "%a = OpSpecConstant %u64 4294967295\n%b = OpSpecConstant %u64 4294967297\n"
       "%s = OpSpecConstantOp %u64 IMul %a %b",
       {~0u, ~0u}},
      {"signed 8 bits",
       "i8",
       "%r = OpCopyObject %i8 %s",
       "%a = OpSpecConstant %i8 -100\n%b = OpSpecConstant %i8 7\n%s = OpSpecConstantOp %i8 SDiv %a %b",
       {0xf2}},
      {"conversion",
       "i64",
       "%r = OpCopyObject %i64 %s",
       "%a = OpSpecConstant %i8 -100\n%s = OpSpecConstantOp %i64 SConvert %a",
       {-100u, ~0u}},
  });
}

TEST(OperandWidths, BitFields) {
  check({
      {"insert, 64 bits",
       "u32",
       "%o = OpUConvert %u64 %x1\n%r = OpBitFieldInsert %u32 %x2 %x0 %o %o",
       "",
       {0x12345640}},  // the bits 000 at bit 3
      {"insert, 16 and 8 bits",
       "u32",
       "%o = OpUConvert %u16 %x1\n%c = OpUConvert %u8 %x1\n%r = OpBitFieldInsert %u32 %x2 %x1 %o %c",
       "",
       {0x12345658}},  // 011 at bit 3
      {"unsigned",
       "u32",
       "%r = OpBitFieldUExtract %u32 %x2 %o %n",
       "%o = OpConstant %i64 4\n%n = OpConstant %i8 12",
       {0x567}},
      {"signed",
       "i32",
       "%b = OpBitcast %i32 %x0\n%r = OpBitFieldSExtract %i32 %b %o %n",
       "%o = OpConstant %i16 2\n%n = OpConstant %u64 8",
       {6}},  // -1000 is ...0000 0110 00: 0x06
      {"vectors",
       "u32v2",
       "%v = OpCompositeConstruct %u32v2 %x2 %x0\n%o = OpUConvert %u64 %x1\n"
       "%r = OpBitFieldUExtract %u32v2 %v %o %o",
       "",
       {7, 3}},
      {"whole word",
       "u32",
       "%r = OpBitFieldInsert %u32 %x2 %x0 %o %n",
       "%o = OpConstant %u64 0\n%n = OpConstant %u64 32",
       {-1000u}},
      {"no bits",
       "u32",
       "%r = OpBitFieldInsert %u32 %x2 %x0 %o %n",
       "%o = OpConstant %u64 32\n%n = OpConstant %u64 0",
       {0x12345678}},
      {"count to 64 bits", "u64", "%r = OpBitCount %u64 %x0", "", {24, 0}},
      {"count to 8 bits", "i8", "%r = OpBitCount %i8 %x2", "", {13}},
      {"count to 16 bits",
       "u16v2",
       "%v = OpCompositeConstruct %u32v2 %x1 %x2\n%r = OpBitCount %u16v2 %v",
       "",
       {2, 13}},
  });
}

TEST(OperandWidths, IndicesOfVectors) {
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

// Indices of structures are constants of any width; array and vector indices are values of any width.
TEST(OperandWidths, IndicesOfAccessChains) {
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

// In storage buffers, push constants and workgroup memory; by OpPtrAccessChain the element too.
TEST(OperandWidths, IndicesOfBuffers) {
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

TEST(OperandWidths, SelectorsOf8Bits) {
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

// Signs of operands and results need not agree.
TEST(OperandWidths, Signs) {
  check({
      {"SDiv of unsigned", "u32", "%r = OpSDiv %u32 %x0 %x1", "", {-333u}},
      {"SRem of unsigned", "i32", "%r = OpSRem %i32 %x0 %x1", "", {-1u}},
      {"SMod of unsigned", "i32", "%r = OpSMod %i32 %x0 %x1", "", {2}},
      {"SDiv of unsigned 16 bits",
       "i16",
       "%a = OpUConvert %u16 %x0\n%b = OpUConvert %u16 %x1\n%r = OpSDiv %i16 %a %b",
       "",
       {0xfeb3}},
      {"SRem of unsigned 8 bits",
       "u8",
       "%r = OpSRem %u8 %a %b",
       "%a = OpConstant %u8 156\n%b = OpConstant %i8 7",
       {0xfe}},  // -100 % 7
      {"SDiv of unsigned 64 bits",
       "u64",
       "%a = OpSConvert %i64 %x0\n%b = OpUConvert %u64 %x1\n"
       "%r = OpSDiv %u64 %a %b",
       "",
       {-333u, ~0u}},
      {"comparison", "bool", "%a = OpBitcast %i32 %x0\n%r = OpULessThan %bool %a %x1", "", {0}},
      {"signed comparison of unsigned", "bool", "%r = OpSLessThan %bool %x0 %x1", "", {1}},
      {"signed comparison of bytes",
       "bool",
       "%r = OpSLessThan %bool %a %b",
       "%a = OpConstant %u8 200\n%b = OpConstant %i8 1",
       {1}},
      {"sum", "i8", "%a = OpUConvert %u8 %x2\n%b = OpSConvert %i8 %x1\n%r = OpIAdd %i8 %a %b", "", {0x7b}},
  });
}

TEST(OperandWidths, ExtendedResults) {
  const auto pair = [](const std::string& type) { return "%pair = OpTypeStruct %" + type + " %" + type; };
  const std::string bytes = "\n%a = OpConstant %u8 200\n%b = OpConstant %u8 100";
  check({
      {"carry of bytes",
       "u8",
       "%p = OpIAddCarry %pair %a %b\n%r = OpCompositeExtract %u8 %p 1",
       pair("u8") + bytes,
       {1}},
      {"sum of bytes",
       "u8",
       "%p = OpIAddCarry %pair %a %b\n%r = OpCompositeExtract %u8 %p 0",
       pair("u8") + bytes,
       {44}},
      {"borrow of bytes",
       "u8",
       "%p = OpISubBorrow %pair %b %a\n%r = OpCompositeExtract %u8 %p 1",
       pair("u8") + bytes,
       {1}},
      {"high of 16 bits",
       "u16",
       "%a = OpUConvert %u16 %x2\n%p = OpUMulExtended %pair %a %a\n%r = OpCompositeExtract %u16 %p 1",
       pair("u16"),
       {0x1d34}},  // 0x5678^2 = 0x1d34d840
      {"high of 64 bits",
       "u64",
       "%w = OpCompositeConstruct %u32v2 %x0 %x2\n%a = OpBitcast %u64 %w\n%p = OpUMulExtended %pair %a %b\n"
       "%r = OpCompositeExtract %u64 %p 1",
       pair("u64") + "\n%b = OpConstant %u64 4294967296",
       {0x12345678, 0}},
      {"signed high of 64 bits",
       "i64",
       "%a = OpSConvert %i64 %x0\n%p = OpSMulExtended %pair %a %b\n%r = OpCompositeExtract %i64 %p 1",
       pair("i64") + "\n%b = OpConstant %i64 1099511627776",
       {~0u, ~0u}},
  });
}

TEST(OperandWidths, Conversions) {
  check({
      {"float to 8 bits",
       "i8",
       "%f = OpConvertSToF %f32 %x0\n%g = OpFDiv %f32 %f %ten\n%r = OpConvertFToS %i8 %g",
       "%ten = OpConstant %f32 10",
       {0x9c}},
      {"half to 64 bits", "i64", "%r = OpConvertFToS %i64 %h\n", "%h = OpConstant %f16 -1000", {-1000u, ~0u}},
      {"double to 16 bits", "u16", "%d = OpConvertUToF %f64 %x1\n%r = OpConvertFToU %u16 %d", "", {3}},
      {"8 bits to double", "f64", "%b = OpSConvert %i8 %x0\n%r = OpConvertSToF %f64 %b", "", {0, 0x40380000}},
      {"64 bits to half", "f16", "%b = OpSConvert %i64 %x0\n%r = OpConvertSToF %f16 %b", "", {0xe3d0}},
      {"16 unsigned bits as signed",
       "f32",
       "%b = OpUConvert %u16 %x0\n%r = OpConvertSToF %f32 %b",
       "",
       {of(-1000)}},
      {"64 to 8 bits", "u8", "%w = OpUConvert %u64 %x2\n%r = OpUConvert %u8 %w", "", {0x78}},
  });
}

// Exponents of another width than the number.
TEST(OperandWidths, Exponents) {
  check({
      {"8 bits",
       "f32",
       "%r = OpExtInst %f32 %glsl Ldexp %f %e",
       "%f = OpConstant %f32 1.5\n%e = OpConstant %i8 -2",
       {of(0.375f)}},
      {"16 bits",
       "f64",
       "%r = OpExtInst %f64 %glsl Ldexp %f %e",
       "%f = OpConstant %f64 1.5\n%e = OpConstant %i16 1",
       {0, 0x40080000}},
      {"64 bits",
       "f32v2",
       "%w = OpUConvert %u64 %x1\n%e = OpCompositeConstruct %u64v2 %w %w\n"
       "%r = OpExtInst %f32v2 %glsl Ldexp %f %e",
       "%g = OpConstant %f32 1.5\n%f = OpConstantComposite %f32v2 %g %g",
       {of(12), of(12)}},
      {"64 bits of a half",
       "f16",
       "%w = OpUConvert %u64 %x1\n%r = OpExtInst %f16 %glsl Ldexp %f %w",
       "%f = OpConstant %f16 1.5",
       {0x4a00}},
  });
}

TEST(OperandWidths, SelectsOfComposites) {
  check({
      {"structure by one condition",
       "u64",
       "%c = OpIEqual %bool %x1 %c3\n%w = OpUConvert %u64 %x2\n%p = OpCompositeConstruct %pair %x0 %w\n"
       "%q = OpCompositeConstruct %pair %x1 %null\n%s = OpSelect %pair %c %p %q\n%r = OpCompositeExtract %u64 %s 1",
       "%pair = OpTypeStruct %u32 %u64\n%null = OpConstantNull %u64",
       {0x12345678, 0}},
      {"vector of 64 bits by a vector",
       "u64v2",
       "%c = OpIEqual %bool %x1 %c3\n%n = OpLogicalNot %bool %c\n%b = OpCompositeConstruct %boolv2 %c %n\n"
       "%w = OpUConvert %u64 %x2\n%p = OpCompositeConstruct %u64v2 %w %w\n%r = OpSelect %u64v2 %b %p %null",
       "%null = OpConstantNull %u64v2",
       {0x12345678, 0, 0, 0}},
      {"vector by one condition",
       "i16v3",
       "%c = OpIEqual %bool %x1 %c3\n%h = OpSConvert %i16 %x0\n%p = OpCompositeConstruct %i16v3 %h %h %h\n"
       "%r = OpSelect %i16v3 %c %p %null",
       "%null = OpConstantNull %i16v3",
       {0xfc18, 0xfc18, 0xfc18}},
  });
}

// Identifiers, distances and counts of invocations have widths of their own.
TEST(OperandWidths, OperandsOfSubgroups) {
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
}  // namespace cutaway::compiler
