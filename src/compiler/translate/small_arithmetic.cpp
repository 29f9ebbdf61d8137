#include "compiler/translate/small_arithmetic.h"

#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {
namespace {

// Operands that an instruction reads as signed, bit each.
uint32_t signed_operands(uint32_t op) {
  switch (op) {
    case spv::OpSDiv:
    case spv::OpSRem:
    case spv::OpSMod:
    case spv::OpSLessThan:
    case spv::OpSLessThanEqual:
    case spv::OpSGreaterThan:
    case spv::OpSGreaterThanEqual:
    case spv::OpSMulExtended:
      return 3;
    case spv::OpShiftRightArithmetic:
    case spv::OpConvertSToF:
      return 1;
    default:
      return 0;
  }
}

bool is_carry(uint32_t op) {
  return op == spv::OpIAddCarry || op == spv::OpISubBorrow || op == spv::OpUMulExtended ||
         op == spv::OpSMulExtended;
}

}  // namespace

// Sums, differences and products of 16 bits have room in a word, but for the sign of a difference.
Lanes SmallArithmetic::carry(const Word& word, const Type& scalar) {
  const Lanes x = get(arg(word, 0)), y = get(arg(word, 1));
  const size_t n = x.size();
  const auto all = [&](uint32_t value) { return Builder::splat(literal(value), n); };
  Lanes exact;
  if (word.op == spv::OpIAddCarry) exact = b.op2(Opcode::kIadd, x, y);
  else if (word.op == spv::OpISubBorrow) exact = b.op2(Opcode::kIadd, x, b.ineg(y));
  else exact = b.op2(Opcode::kImul, x, y);
  Lanes low = b.op3(Opcode::kUbfe, exact, all(0), all(scalar.bits));
  const bool one = word.op == spv::OpIAddCarry || word.op == spv::OpISubBorrow;
  const Lanes high = b.op3(Opcode::kUbfe, exact, all(scalar.bits), all(one ? 1 : scalar.bits));
  low.insert(low.end(), high.begin(), high.end());
  return low;
}

bool SmallArithmetic::translate(const Word& word, Lanes& result) {
  const uint32_t is_signed = signed_operands(word.op);
  for (size_t i = 0; i < word.words.size() && i < 2; ++i) {
    const Type& scalar = scalar_of(arg(word, i));
    if ((is_signed >> i & 1) && scalar.kind == TypeKind::kInt && is_small(scalar))
      t_.read_as[word.words[i]] = sign_extended(scalar, get(word.words[i]));
  }
  bool found = true;
  if (is_carry(word.op)) result = carry(word, scalar_of(arg(word, 0)));
  else found = words_.translate(word, result);
  t_.read_as.clear();
  // A sign changes nothing that would have to be rounded.
  if (found && word.op != spv::OpFNegate) result = narrowed(word.type, result);
  return found;
}

}  // namespace cutaway::compiler
