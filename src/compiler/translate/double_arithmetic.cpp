#include "compiler/translate/double_arithmetic.h"

#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {
namespace {

struct Comparison {
  uint16_t op;
  Opcode code;
  bool swap, invert;
};

// An unordered comparison is the inverse of its opposite.
constexpr Comparison kComparisons[] = {
    {spv::OpFOrdLessThan, Opcode::kDlt, false, false},
    {spv::OpFOrdGreaterThan, Opcode::kDlt, true, false},
    {spv::OpFOrdLessThanEqual, Opcode::kDge, true, false},
    {spv::OpFOrdGreaterThanEqual, Opcode::kDge, false, false},
    {spv::OpFUnordLessThan, Opcode::kDge, false, true},
    {spv::OpFUnordGreaterThan, Opcode::kDge, true, true},
    {spv::OpFUnordLessThanEqual, Opcode::kDlt, true, true},
    {spv::OpFUnordGreaterThanEqual, Opcode::kDlt, false, true},
    {spv::OpFOrdEqual, Opcode::kDeq, false, false},
    {spv::OpFUnordNotEqual, Opcode::kDne, false, false},
};

}  // namespace

bool DoubleArithmetic::comparison(const Word& word, Lanes& result) {
  const auto both = [&](Opcode code, Opcode combine, bool swapped) {
    const Lanes x = get(arg(word, 0)), y = get(arg(word, 1));
    return b.op2(combine, d.op(code, swapped ? std::vector{x, y} : std::vector{x, x}),
                 d.op(code, swapped ? std::vector{y, x} : std::vector{y, y}));
  };
  for (const Comparison& row : kComparisons) {
    if (row.op != word.op) continue;
    const Lanes x = get(arg(word, 0)), y = get(arg(word, 1));
    result = row.swap ? d.op(row.code, {y, x}) : d.op(row.code, {x, y});
    if (row.invert) result = b.logical_not(result);
    return true;
  }
  switch (word.op) {
    case spv::OpFOrdNotEqual:
    case spv::OpLessOrGreater:
    case spv::OpFUnordEqual:
      result = both(Opcode::kDlt, Opcode::kOr, true);
      if (word.op == spv::OpFUnordEqual) result = b.logical_not(result);
      return true;
    case spv::OpOrdered:
    case spv::OpUnordered:
      result = both(Opcode::kDne, Opcode::kOr, false);
      if (word.op == spv::OpOrdered) result = b.logical_not(result);
      return true;
    case spv::OpIsNan: {
      const Lanes x = get(arg(word, 0));
      result = d.op(Opcode::kDne, {x, x});
      return true;
    }
    case spv::OpIsInf:
      result = d.is_infinite(get(arg(word, 0)));
      return true;
    default:
      return false;
  }
}

// Converts between doubles and integers of all sizes.
bool DoubleArithmetic::conversion(const Word& word, Lanes& result) {
  const Type &to = m_.scalar(word.type), &from = scalar_of(arg(word, 0));
  const bool is_signed = word.op == spv::OpConvertSToF || word.op == spv::OpConvertFToS;
  switch (word.op) {
    case spv::OpConvertSToF:
    case spv::OpConvertUToF: {
      const Lanes kept = get(arg(word, 0));
      if (from.bits == 64) result = d.of_wide(kept, is_signed);
      else if (is_signed) result = d.op(Opcode::kI2d, {is_small(from) ? sign_extended(from, kept) : kept});
      else result = d.op(Opcode::kU2d, {kept});
      return true;
    }
    case spv::OpConvertFToS:
    case spv::OpConvertFToU: {
      const Lanes x = get(arg(word, 0));
      if (to.bits == 64) result = d.to_wide(x, is_signed);
      else result = narrowed(word.type, d.op(is_signed ? Opcode::kD2i : Opcode::kD2u, {x}));
      return true;
    }
    default:
      return false;
  }
}

bool DoubleArithmetic::translate(const Word& word, Lanes& result) {
  if (comparison(word, result) || conversion(word, result) || matrices_.translate(word, d, result))
    return true;
  const auto a = [&](size_t i) { return get(arg(word, i)); };
  switch (word.op) {
    case spv::OpFNegate:
      result = d.negate(a(0));
      return true;
    case spv::OpFAdd:
      result = d.add(a(0), a(1));
      return true;
    case spv::OpFSub:
      result = d.sub(a(0), a(1));
      return true;
    case spv::OpFMul:
      result = d.mul(a(0), a(1));
      return true;
    case spv::OpFDiv:
      result = d.divide(a(0), a(1));
      return true;
    case spv::OpFRem:
    case spv::OpFMod: {
      const Lanes x = a(0), y = a(1), quotient = d.divide(x, y);
      result = d.sub(x, d.mul(y, word.op == spv::OpFRem ? d.trunc(quotient) : d.floor(quotient)));
      return true;
    }
    default:
      return false;
  }
}

}  // namespace cutaway::compiler
