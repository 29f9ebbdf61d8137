#include <bit>
#include <gtest/gtest.h>

#include "compiler/testing/width_cases.h"

// Operands whose width or sign differs from that of the result, by the instructions of the SPIR-V grammar
// that allow it. Values are worked out by hand. random_integers_test.cpp tries mixtures of them.
namespace cutaway::compiler::operand_widths_test {
namespace {

using namespace width_test;

uint32_t of(float value) { return std::bit_cast<uint32_t>(value); }

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

// Indices of structures are constants of any width; array and vector indices are values of any width.
// In storage buffers, push constants and workgroup memory; by OpPtrAccessChain the element too.
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

}  // namespace
}  // namespace cutaway::compiler::operand_widths_test
