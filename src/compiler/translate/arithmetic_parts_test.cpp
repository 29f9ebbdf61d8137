#include <cmath>
#include <gmock/gmock.h>
#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/bit_fields.h"
#include "compiler/translate/conversions.h"
#include "compiler/translate/double_arithmetic.h"
#include "compiler/translate/integer_dot.h"
#include "compiler/translate/matrices.h"
#include "compiler/translate/part_for_test.h"
#include "compiler/translate/small_arithmetic.h"
#include "compiler/translate/wide_arithmetic.h"
#include "compiler/translate/word_arithmetic.h"

// Arithmetic of each size alone. Constants fold: results are literals.
namespace cutaway::compiler {
namespace {

using namespace part_test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr uint32_t kByte = 100, kLong = 101, kDouble = 102, kMatrix = 103, kPair = 104;

struct ArithmeticPartTest : PartTest {
  ArithmeticPartTest() {
    module.types[kByte] = {.kind = TypeKind::kInt, .bits = 8, .components = 1};
    module.types[kLong] = {.kind = TypeKind::kInt, .bits = 64, .components = 2};
    module.types[kDouble] = {.kind = TypeKind::kFloat, .bits = 64, .components = 2};
    module.types[kMatrix] = {.kind = TypeKind::kMatrix, .element = kVec3, .count = 2, .components = 6};
    module.types[kPair] = {.kind = TypeKind::kVector, .element = kInt, .count = 2, .components = 2};
  }
  uint32_t integer(uint32_t x) { return value(kInt, {literal(x)}); }
  uint32_t byte(uint32_t x) { return value(kByte, {literal(x)}); }
  uint32_t unknown(uint32_t type) { return value(type, {{.kind = RefKind::kInput, .index = next}}); }
  // A value of two words.
  uint32_t unknown_pair(uint32_t type) {
    Lanes lanes;
    for (uint8_t lane = 0; lane < 2; ++lane)
      lanes.push_back({.kind = RefKind::kInput, .lane = lane, .index = next});
    return value(type, lanes);
  }
  uint32_t wide(uint64_t x) {
    return value(kLong, {literal(static_cast<uint32_t>(x)), literal(static_cast<uint32_t>(x >> 32))});
  }
  // The literals that a part makes of an instruction.
  template <class P>
  std::vector<uint32_t> made(P& part, uint32_t op, uint32_t type, std::vector<uint32_t> words) {
    Lanes result;
    EXPECT_TRUE(part.translate(word(op, type, 99, std::move(words)), result)) << op;
    return literals(result);
  }
};

TEST_F(ArithmeticPartTest, WordsCompareAndDivide) {
  WordArithmetic words(t);
  EXPECT_THAT(made(words, spv::OpSMod, kInt, {integer(-7u), integer(3)}), ElementsAre(2));
  EXPECT_THAT(made(words, spv::OpSRem, kInt, {integer(-7u), integer(3)}), ElementsAre(-1u));
  EXPECT_THAT(made(words, spv::OpSGreaterThan, kBool, {integer(1), integer(-1u)}), ElementsAre(~0u));
  EXPECT_THAT(made(words, spv::OpIAddCarry, kInt, {integer(~0u), integer(6)}), ElementsAre(5, 1));
  EXPECT_THAT(made(words, spv::OpQuantizeToF16, kFloat, {number(1.0001f)}), ElementsAre(bits(1)));
  Lanes none;
  EXPECT_FALSE(words.translate(word(spv::OpImageRead, kVec3, 99, {}), none));
}

// An unordered comparison is the inverse of its opposite.
TEST_F(ArithmeticPartTest, WordsCompareUnordered) {
  WordArithmetic words(t);
  Lanes result;
  ASSERT_TRUE(words.translate(word(spv::OpFUnordLessThan, kBool, 99, {input(1), input(1)}), result));
  ASSERT_EQ(t.builder.ir.insts.size(), 2u);
  EXPECT_EQ(t.builder.ir.insts[0].op, Opcode::kFge);
  EXPECT_EQ(t.builder.ir.insts[1].op, Opcode::kNot);
}

// The amount of a shift has a width of its own.
TEST_F(ArithmeticPartTest, ShiftsByAmountsOfOtherWidths) {
  WordArithmetic words(t);
  SmallArithmetic small(t, words);
  WideArithmetic wides(t);
  EXPECT_THAT(made(words, spv::OpShiftRightArithmetic, kInt, {integer(-1000u), wide(3)}), ElementsAre(-125u));
  EXPECT_THAT(made(words, spv::OpShiftLeftLogical, kInt, {integer(5), byte(30)}), ElementsAre(1u << 30));
  EXPECT_THAT(made(small, spv::OpShiftRightArithmetic, kByte, {byte(0x80), wide(3)}), ElementsAre(0xf0));
  EXPECT_THAT(made(small, spv::OpShiftLeftLogical, kByte, {byte(0x81), integer(1)}), ElementsAre(2));
  EXPECT_THAT(made(wides, spv::OpShiftRightLogical, kLong, {wide(uint64_t{1} << 63), byte(62)}),
              ElementsAre(2, 0));
  Lanes none;
  EXPECT_THROW(
      words.translate(
          word(spv::OpShiftLeftLogical, kPair, 99, {value(kPair, {literal(1), literal(1)}), byte(1)}), none),
      InvalidShader);
}

TEST_F(ArithmeticPartTest, SmallIntegersWrapAtTheirSize) {
  WordArithmetic words(t);
  SmallArithmetic small(t, words);
  EXPECT_THAT(made(small, spv::OpIAdd, kByte, {byte(200), byte(100)}), ElementsAre(44));
  EXPECT_THAT(made(small, spv::OpULessThan, kBool, {byte(255), byte(1)}), ElementsAre(0));
  EXPECT_TRUE(t.builder.ir.insts.empty());
  made(small, spv::OpSLessThan, kBool, {unknown(kByte), unknown(kByte)});
  ASSERT_EQ(t.builder.ir.insts.size(), 3u) << "signs are extended before they are compared";
  EXPECT_EQ(t.builder.ir.insts[0].op, Opcode::kIbfe);
  EXPECT_EQ(t.builder.ir.insts[1].op, Opcode::kIbfe);
  EXPECT_EQ(t.builder.ir.insts[2].op, Opcode::kIlt);
  EXPECT_TRUE(t.read_as.empty());
}

TEST_F(ArithmeticPartTest, WideIntegersCarryBetweenWords) {
  WideArithmetic wides(t);
  EXPECT_THAT(made(wides, spv::OpIAdd, kLong, {wide(0xffffffff), wide(1)}), ElementsAre(0, 1));
  EXPECT_THAT(made(wides, spv::OpShiftLeftLogical, kLong, {wide(3), integer(33)}), ElementsAre(0, 6));
  EXPECT_THAT(made(wides, spv::OpUGreaterThan, kBool, {wide(1ull << 40), wide(~0u)}), ElementsAre(~0u));
  Lanes result;
  EXPECT_THAT(
      [&] {
        wides.translate(word(spv::OpIAdd, kLong, 99, {wide(1), integer(1)}), result);
      },
      ThrowsMessage<InvalidShader>(HasSubstr("operands of different sizes")));
}

TEST_F(ArithmeticPartTest, DoublesAreComputedByTheMachine) {
  DoubleArithmetic doubles(t);
  const auto variable = [&] { return unknown_pair(kDouble); };
  Lanes result;
  ASSERT_TRUE(doubles.translate(word(spv::OpFMul, kDouble, 99, {variable(), variable()}), result));
  EXPECT_EQ(result.size(), 2u);
  ASSERT_FALSE(t.builder.ir.insts.empty());
  EXPECT_EQ(t.builder.ir.insts.back().op, Opcode::kDmul);
  ASSERT_TRUE(doubles.translate(word(spv::OpFOrdLessThan, kBool, 99, {variable(), variable()}), result));
  EXPECT_EQ(t.builder.ir.insts.back().op, Opcode::kDlt);
}

// An unordered comparison is the inverse of its opposite: of a NaN it is true.
TEST_F(ArithmeticPartTest, DoublesCompareUnordered) {
  for (const auto& [op, inverse] : {std::pair(spv::OpFUnordLessThan, Opcode::kDge),
                                    {spv::OpFUnordGreaterThan, Opcode::kDge},
                                    {spv::OpFUnordLessThanEqual, Opcode::kDlt},
                                    {spv::OpFUnordGreaterThanEqual, Opcode::kDlt}}) {
    DoubleArithmetic doubles(t);
    t.builder.ir.insts.clear();
    Lanes result;
    ASSERT_TRUE(
        doubles.translate(word(op, kBool, 99, {unknown_pair(kDouble), unknown_pair(kDouble)}), result));
    ASSERT_EQ(t.builder.ir.insts.size(), 2u) << op;
    EXPECT_EQ(t.builder.ir.insts[0].op, inverse) << op;
    EXPECT_EQ(t.builder.ir.insts[1].op, Opcode::kNot) << op;
  }
}

// Toward zero: the number before, also at the borders to denormals and to infinity.
TEST_F(ArithmeticPartTest, ConversionsRoundTowardZero) {
  constexpr uint32_t kHalf = 105;
  module.types[kHalf] = {.kind = TypeKind::kFloat, .bits = 16, .components = 1};
  module.decorations[99].rounding = spv::FPRoundingModeRTZ;
  Conversions conversions(t);
  const auto half = [&](float x) {
    return nearest_half(made(conversions, spv::OpFConvert, kHalf, {number(x)}).at(0));
  };
  EXPECT_EQ(half(65504), 0x7bffu);
  EXPECT_EQ(half(65520), 0x7bffu);
  EXPECT_EQ(half(-1e30f), 0xfbffu);
  EXPECT_EQ(half(INFINITY), 0x7c00u);
  EXPECT_EQ(half(-INFINITY), 0xfc00u);
  EXPECT_EQ(half(NAN) & 0x7fff, 0x7e00u);
  EXPECT_EQ(half(1.99999f), 0x3fffu);
  EXPECT_EQ(half(-1.99999f), 0xbfffu);
  EXPECT_EQ(half(0x1.fffp-15f), 0x03ffu) << "the largest denormal";
  EXPECT_EQ(half(0x1.8p-24f), 0x0001u);
  EXPECT_EQ(half(-0x1.fp-25f), 0x8000u);
  EXPECT_EQ(half(0), 0u);
  // 1 + 2^-24 + 2^-52 is nearer to the float above 1.
  const uint32_t near_one = value(kDouble, {literal(0x10000001), literal(0x3ff00000)});
  EXPECT_THAT(made(conversions, spv::OpFConvert, kFloat, {near_one}), ElementsAre(0x3f800000));
  module.decorations[99].rounding = spv::FPRoundingModeRTE;
  EXPECT_THAT(made(conversions, spv::OpFConvert, kFloat, {near_one}), ElementsAre(0x3f800001));
  EXPECT_EQ(half(65520), 0x7c00u);
  EXPECT_EQ(half(65519.99f), 0x7bffu);
}

TEST_F(ArithmeticPartTest, ConversionsExtendByTheirSign) {
  Conversions conversions(t);
  EXPECT_THAT(made(conversions, spv::OpSConvert, kLong, {integer(-2u)}), ElementsAre(-2u, ~0u));
  EXPECT_THAT(made(conversions, spv::OpUConvert, kLong, {byte(0xfe)}), ElementsAre(0xfe, 0));
  EXPECT_THAT(made(conversions, spv::OpUConvert, kByte, {wide(0x1234567890)}), ElementsAre(0x90));
  EXPECT_THAT(made(conversions, spv::OpBitcast, kInt, {number(1)}), ElementsAre(bits(1)));
  Lanes none;
  EXPECT_FALSE(conversions.translate(word(spv::OpIAdd, kInt, 99, {integer(1), integer(1)}), none));
}

// Fields, reversals and counts of each width; offset, number of bits and result have other widths.
TEST_F(ArithmeticPartTest, BitFieldsOfAllWidths) {
  BitFields fields(t);
  const auto extracted = [&](uint32_t op, uint32_t type, uint32_t base, uint64_t offset, uint32_t count) {
    return made(fields, op, type, {base, wide(offset), byte(count)});
  };
  constexpr uint32_t kU = spv::OpBitFieldUExtract, kS = spv::OpBitFieldSExtract;
  EXPECT_THAT(extracted(kU, kByte, byte(0xb4), 2, 4), ElementsAre(0xd));
  EXPECT_THAT(extracted(kS, kByte, byte(0xb4), 2, 4), ElementsAre(0xfd));
  EXPECT_THAT(extracted(kS, kInt, integer(0xf0), 4, 4), ElementsAre(~0u));
  EXPECT_THAT(extracted(kU, kInt, integer(0x80000001), 0, 32), ElementsAre(0x80000001));
  EXPECT_THAT(extracted(kU, kInt, integer(~0u), 32, 0), ElementsAre(0));
  const uint32_t x = wide(0x8123456789abcdef);
  EXPECT_THAT(extracted(kU, kLong, x, 28, 12), ElementsAre(0x678, 0));
  EXPECT_THAT(extracted(kS, kLong, x, 28, 12), ElementsAre(0x678, 0));
  EXPECT_THAT(extracted(kS, kLong, x, 24, 8), ElementsAre(0xffffff89, ~0u));
  EXPECT_THAT(extracted(kU, kLong, x, 0, 64), ElementsAre(0x89abcdef, 0x81234567));
  EXPECT_THAT(extracted(kS, kLong, x, 32, 32), ElementsAre(0x81234567, ~0u));
  EXPECT_THAT(extracted(kS, kLong, x, 64, 0), ElementsAre(0, 0));
  const auto inserted = [&](uint32_t type, uint32_t base, uint32_t insert, uint32_t offset, uint64_t count) {
    return made(fields, spv::OpBitFieldInsert, type, {base, insert, byte(offset), wide(count)});
  };
  EXPECT_THAT(inserted(kByte, byte(0xff), byte(0), 2, 3), ElementsAre(0xe3));
  EXPECT_THAT(inserted(kInt, integer(0), integer(~0u), 31, 1), ElementsAre(1u << 31));
  EXPECT_THAT(inserted(kInt, integer(1), integer(~0u), 0, 32), ElementsAre(~0u));
  EXPECT_THAT(inserted(kInt, integer(7), integer(~0u), 32, 0), ElementsAre(7));
  EXPECT_THAT(inserted(kLong, x, wide(0xfff), 28, 8), ElementsAre(0xf9abcdef, 0x8123456f));
  EXPECT_THAT(inserted(kLong, x, wide(5), 0, 64), ElementsAre(5, 0));
  EXPECT_THAT(made(fields, spv::OpBitReverse, kByte, {byte(0x13)}), ElementsAre(0xc8));
  EXPECT_THAT(made(fields, spv::OpBitReverse, kLong, {wide(0x3)}), ElementsAre(0, 0xc0000000));
  EXPECT_THAT(made(fields, spv::OpBitCount, kByte, {x}), ElementsAre(33));
  EXPECT_THAT(made(fields, spv::OpBitCount, kLong, {byte(0xf1)}), ElementsAre(5, 0));
}

TEST_F(ArithmeticPartTest, DotProductsSaturate) {
  IntegerDot dots(t);
  const auto vector = [&](uint32_t x, uint32_t y) { return value(kPair, {literal(x), literal(y)}); };
  EXPECT_THAT(made(dots, spv::OpUDot, kInt, {vector(2, 3), vector(4, 5)}), ElementsAre(23));
  EXPECT_THAT(made(dots, spv::OpUDotAccSat, kInt, {vector(2, 3), vector(4, 5), integer(~0u - 3)}),
              ElementsAre(~0u));
  EXPECT_THAT(made(dots, spv::OpSDotAccSat, kInt, {vector(-2u, 3), vector(4, 0), integer(1u << 31)}),
              ElementsAre(1u << 31));
  Lanes result;
  EXPECT_THAT(
      [&] {
        dots.translate(word(spv::OpUDot, kInt, 99, {vector(2, 3), integer(4)}), result);
      },
      ThrowsMessage<InvalidShader>(HasSubstr("operands of different sizes")));
}

// Four bytes of a word each.
TEST_F(ArithmeticPartTest, DotProductsUnpackBytes) {
  IntegerDot dots(t);
  Lanes result;
  ASSERT_TRUE(dots.translate(word(spv::OpSUDot, kInt, 99, {unknown(kInt), unknown(kInt), 0}), result));
  EXPECT_EQ(t.builder.ir.insts[0].op, Opcode::kIbfe) << "the first is signed";
  EXPECT_EQ(t.builder.ir.insts[4].op, Opcode::kUbfe) << "the second is not";
}

TEST_F(ArithmeticPartTest, MatricesTimesVectors) {
  Matrices matrices(t);
  Singles singles(t.builder);
  Lanes m;
  for (const float x : {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}) m.push_back(literal_float(x));
  const uint32_t matrix = value(kMatrix, m);
  const uint32_t vector = value(kVec3, {literal_float(10), literal_float(100)});
  Lanes result;
  ASSERT_TRUE(
      matrices.translate(word(spv::OpMatrixTimesVector, kVec3, 99, {matrix, vector}), singles, result));
  EXPECT_THAT(literals(result), ElementsAre(bits(410), bits(520), bits(630)));
}

}  // namespace
}  // namespace cutaway::compiler
