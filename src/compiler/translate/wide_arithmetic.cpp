#include "compiler/translate/wide_arithmetic.h"

#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {
namespace {

Lanes joined(Lanes first, const Lanes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

bool WideArithmetic::translate(const Word& word, Lanes& result) {
  return sums(word, result) || divisions(word, result) || bits(word, result) || comparisons(word, result) ||
         conversions(word, result);
}

// The second operand, which has the size of the first.
Lanes WideArithmetic::second(const Word& word, size_t size) {
  const Lanes other = get(arg(word, 1));
  if (other.size() != size) invalid(word, "has operands of different sizes");
  return other;
}

// The amount of a shift as words: it has a size of its own.
Lanes WideArithmetic::shift_amount(const Word& word, size_t elements) {
  const Lanes words = low_words(arg(word, 1));
  if (words.size() != elements) invalid(word, "has operands of different sizes");
  return words;
}

bool WideArithmetic::sums(const Word& word, Lanes& result) {
  const Lanes x = get(arg(word, 0));
  const auto y = [&] { return second(word, x.size()); };
  switch (word.op) {
    case spv::OpIAdd:
      result = w.add(x, y());
      return true;
    case spv::OpISub:
      result = w.sub(x, y());
      return true;
    case spv::OpSNegate:
      result = w.negate(x);
      return true;
    case spv::OpIMul:
      result = w.mul(x, y());
      return true;
    case spv::OpIAddCarry:
    case spv::OpISubBorrow:
    case spv::OpUMulExtended:
    case spv::OpSMulExtended:
      result = carry(word.op, x, y());
      return true;
    default:
      return false;
  }
}

// OpIAddCarry and its like: a structure of the low and the high result.
Lanes WideArithmetic::carry(uint32_t op, const Lanes& x, const Lanes& y) {
  const Lanes ones = Builder::splat(literal(1), x.size() / 2);
  const auto one_where = [&](const Lanes& condition) {
    return w.zero_extended(b.op2(Opcode::kAnd, condition, ones));
  };
  switch (op) {
    case spv::OpIAddCarry: {
      const Lanes sum = w.add(x, y);
      return joined(sum, one_where(w.less(sum, x, false)));
    }
    case spv::OpISubBorrow:
      return joined(w.sub(x, y), one_where(w.less(x, y, false)));
    default: {
      Lanes high = w.mul_high(x, y);
      const Lanes zero(x.size(), literal(0));
      if (op == spv::OpSMulExtended) {
        high = w.sub(high, w.select(w.is_negative(x), y, zero));
        high = w.sub(high, w.select(w.is_negative(y), x, zero));
      }
      return joined(w.mul(x, y), high);
    }
  }
}

bool WideArithmetic::divisions(const Word& word, Lanes& result) {
  const Lanes x = get(arg(word, 0));
  const auto y = [&] { return second(word, x.size()); };
  switch (word.op) {
    case spv::OpUDiv:
      result = w.divide(x, y()).quotient;
      return true;
    case spv::OpUMod:
      result = w.divide(x, y()).rest;
      return true;
    case spv::OpSDiv:
      result = w.divide_signed(x, y()).quotient;
      return true;
    case spv::OpSRem:
      result = w.divide_signed(x, y()).rest;
      return true;
    case spv::OpSMod: {  // the sign of the divisor
      const Lanes by = y(), rest = w.divide_signed(x, by).rest;
      const Lanes other = b.op2(Opcode::kXor, w.is_negative(rest), w.is_negative(by));
      const Lanes zero(x.size(), literal(0));
      const Lanes wrong = b.op2(Opcode::kAnd, other, b.logical_not(w.equal(rest, zero)));
      result = w.add(rest, w.select(wrong, by, zero));
      return true;
    }
    default:
      return false;
  }
}

bool WideArithmetic::bits(const Word& word, Lanes& result) {
  const Lanes x = get(arg(word, 0));
  const auto by_words = [&](Opcode code) { return b.op2(code, x, second(word, x.size())); };
  switch (word.op) {
    case spv::OpBitwiseAnd:
      result = by_words(Opcode::kAnd);
      return true;
    case spv::OpBitwiseOr:
      result = by_words(Opcode::kOr);
      return true;
    case spv::OpBitwiseXor:
      result = by_words(Opcode::kXor);
      return true;
    case spv::OpNot:
      result = b.logical_not(x);
      return true;
    case spv::OpShiftLeftLogical:
      result = w.shift_left(x, shift_amount(word, x.size() / 2));
      return true;
    case spv::OpShiftRightLogical:
    case spv::OpShiftRightArithmetic:
      result = w.shift_right(x, shift_amount(word, x.size() / 2), word.op == spv::OpShiftRightArithmetic);
      return true;
    default:
      return false;
  }
}

bool WideArithmetic::comparisons(const Word& word, Lanes& result) {
  const Lanes x = get(arg(word, 0));
  const auto y = [&] { return second(word, x.size()); };
  switch (word.op) {
    case spv::OpIEqual:
      result = w.equal(x, y());
      return true;
    case spv::OpINotEqual:
      result = b.logical_not(w.equal(x, y()));
      return true;
    case spv::OpULessThan:
    case spv::OpSLessThan:
      result = w.less(x, y(), word.op == spv::OpSLessThan);
      return true;
    case spv::OpUGreaterThan:
    case spv::OpSGreaterThan:
      result = w.less(y(), x, word.op == spv::OpSGreaterThan);
      return true;
    case spv::OpULessThanEqual:
    case spv::OpSLessThanEqual:
      result = b.logical_not(w.less(y(), x, word.op == spv::OpSLessThanEqual));
      return true;
    case spv::OpUGreaterThanEqual:
    case spv::OpSGreaterThanEqual:
      result = b.logical_not(w.less(x, y(), word.op == spv::OpSGreaterThanEqual));
      return true;
    default:
      return false;
  }
}

bool WideArithmetic::conversions(const Word& word, Lanes& result) {
  switch (word.op) {
    case spv::OpConvertUToF:
    case spv::OpConvertSToF:
      result = narrowed(word.type, w.to_float(get(arg(word, 0)), word.op == spv::OpConvertSToF));
      return true;
    case spv::OpConvertFToU:
    case spv::OpConvertFToS:
      result = w.of_float(get(arg(word, 0)), word.op == spv::OpConvertFToS);
      return true;
    default:
      return false;
  }
}

}  // namespace cutaway::compiler
