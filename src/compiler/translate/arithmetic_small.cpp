#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/arithmetic.h"
#include "compiler/translate/wide.h"

// Integers of 8 and 16 bits and halves: computed in words, and conversions between all sizes.
namespace cutaway::compiler {
namespace {

// Operands, bit by bit, that an instruction reads as signed.
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
Lanes Arithmetic::small_carry(const Word& word, const Type& scalar) {
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

bool Arithmetic::small(const Word& word, Lanes& result) {
  const uint32_t is_signed = signed_operands(word.op);
  for (size_t i = 0; i < word.words.size() && i < 2; ++i) {
    const Type& scalar = scalar_of(arg(word, i));
    if ((is_signed >> i & 1) && scalar.kind == TypeKind::kInt && is_small(scalar))
      t_.read_as[word.words[i]] = sign_extended(scalar, get(word.words[i]));
  }
  bool found = true;
  if (is_carry(word.op)) result = small_carry(word, scalar_of(arg(word, 0)));
  else found = of_words(word, result);
  t_.read_as.clear();
  // Signs change nothing that is to be rounded.
  if (found && word.op != spv::OpFNegate) result = narrowed(word.type, result);
  return found;
}

// Conversions between sizes of one kind, and of bits.
bool Arithmetic::convert(const Word& word, Lanes& result) {
  if (word.op == spv::OpConvertUToPtr || word.op == spv::OpConvertPtrToU) {
    result = get(arg(word, 0));
    result.resize(m_.type(word.type).components, literal(0));
    return true;
  }
  if (word.op != spv::OpBitcast && word.op != spv::OpUConvert && word.op != spv::OpSConvert &&
      word.op != spv::OpFConvert)
    return false;
  const Type &to = m_.scalar(word.type), &from = scalar_of(arg(word, 0));
  const Lanes kept = get(arg(word, 0));
  if (word.op == spv::OpFConvert) {
    result = convert_float(word);
    return true;
  }
  if (word.op == spv::OpBitcast) {
    if (to.bits == from.bits && to.kind == from.kind) result = kept;
    else result = unpacked(to, packed(from, kept), m_.type(word.type).components);
    return true;
  }
  Wide wide(b);
  const bool is_signed = word.op == spv::OpSConvert;
  Lanes words = from.bits == 64 ? Wide::low(kept) : kept;
  if (is_signed && is_small(from)) words = sign_extended(from, kept);
  if (to.bits != 64) result = narrowed(word.type, words);
  else if (from.bits == 64) result = kept;
  else result = is_signed ? wide.sign_extended(words) : wide.zero_extended(words);
  return true;
}

}  // namespace cutaway::compiler
