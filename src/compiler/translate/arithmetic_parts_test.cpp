#include <gmock/gmock.h>
#include <spirv/unified1/spirv.hpp>

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

TEST_F(ArithmeticPartTest, SmallIntegersWrapAtTheirSize) {
  WordArithmetic words(t);
  SmallArithmetic small(t, words);
  EXPECT_THAT(made(small, spv::OpIAdd, kByte, {byte(200), byte(100)}), ElementsAre(44));
  EXPECT_THAT(made(small, spv::OpULessThan, kBool, {byte(255), byte(1)}), ElementsAre(0));
  EXPECT_TRUE(t.builder.ir.insts.empty());
  made(small, spv::OpSLessThan, kBool, {byte(255), byte(1)});
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
  const auto variable = [&] {
    Lanes lanes;
    for (uint8_t lane = 0; lane < 2; ++lane)
      lanes.push_back({.kind = RefKind::kInput, .lane = lane, .index = 0});
    return value(kDouble, lanes);
  };
  Lanes result;
  ASSERT_TRUE(doubles.translate(word(spv::OpFMul, kDouble, 99, {variable(), variable()}), result));
  EXPECT_EQ(result.size(), 2u);
  ASSERT_FALSE(t.builder.ir.insts.empty());
  EXPECT_EQ(t.builder.ir.insts.back().op, Opcode::kDmul);
  ASSERT_TRUE(doubles.translate(word(spv::OpFOrdLessThan, kBool, 99, {variable(), variable()}), result));
  EXPECT_EQ(t.builder.ir.insts.back().op, Opcode::kDlt);
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
  ASSERT_TRUE(dots.translate(word(spv::OpSUDot, kInt, 99, {integer(0xff), integer(1), 0}), result));
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
