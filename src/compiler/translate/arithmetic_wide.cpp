#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/arithmetic.h"
#include "compiler/translate/wide.h"

// Integers of 64 bits.
namespace cutaway::compiler {
namespace {

Lanes joined(Lanes first, const Lanes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// What the machine does to the words of 64 bits one by one.
bool by_words(uint32_t op, Opcode& code) {
  switch (op) {
    case spv::OpBitwiseAnd:
      code = Opcode::kAnd;
      return true;
    case spv::OpBitwiseOr:
      code = Opcode::kOr;
      return true;
    case spv::OpBitwiseXor:
      code = Opcode::kXor;
      return true;
    default:
      return false;
  }
}

// A structure of the low and the high result.
Lanes wide_carry(Builder& b, uint32_t op, const Lanes& x, const Lanes& y) {
  Wide w(b);
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

}  // namespace

bool Arithmetic::wide(const Word& word, Lanes& result) {
  Wide w(b);
  const Lanes x = get(arg(word, 0));
  const auto y = [&] {
    const Lanes other = get(arg(word, 1));
    if (other.size() != x.size()) invalid(word, "has operands of different sizes");
    return other;
  };
  // The amount of a shift has a size of its own.
  const auto amount = [&] {
    const Lanes kept = get(arg(word, 1));
    const Lanes words = scalar_of(arg(word, 1)).bits == 64 ? Wide::low(kept) : kept;
    if (words.size() != x.size() / 2) invalid(word, "has operands of different sizes");
    return words;
  };
  Opcode code;
  if (by_words(word.op, code)) {
    result = b.op2(code, x, y());
    return true;
  }
  switch (word.op) {
    case spv::OpNot:
      result = b.logical_not(x);
      return true;
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
    case spv::OpShiftLeftLogical:
      result = w.shift_left(x, amount());
      return true;
    case spv::OpShiftRightLogical:
    case spv::OpShiftRightArithmetic:
      result = w.shift_right(x, amount(), word.op == spv::OpShiftRightArithmetic);
      return true;
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
    case spv::OpIAddCarry:
    case spv::OpISubBorrow:
    case spv::OpUMulExtended:
    case spv::OpSMulExtended:
      result = wide_carry(b, word.op, x, y());
      return true;
    case spv::OpConvertUToF:
    case spv::OpConvertSToF:
      result = narrowed(word.type, w.to_float(x, word.op == spv::OpConvertSToF));
      return true;
    case spv::OpConvertFToU:
    case spv::OpConvertFToS:
      result = w.of_float(x, word.op == spv::OpConvertFToS);
      return true;
    default:
      return integer_dot(word, result);
  }
}

}  // namespace cutaway::compiler
