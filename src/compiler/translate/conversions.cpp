#include "compiler/translate/conversions.h"

#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/doubles.h"
#include "compiler/translate/wide.h"

namespace cutaway::compiler {
namespace {

// The half before a number, or the number, as a float's bits.
uint32_t truncated_to_half(uint32_t bits) {
  constexpr uint32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;
  const uint32_t nearest = nearest_half(bits);
  const bool is_nan = (bits & kMagnitude) > kInfinity;
  const bool beyond = !is_nan && (float_of_half(nearest) & kMagnitude) > (bits & kMagnitude);
  return float_of_half(nearest - beyond);
}

}  // namespace

bool Conversions::translate(const Word& word, Lanes& result) {
  switch (word.op) {
    case spv::OpConvertUToPtr:
    case spv::OpConvertPtrToU:
      result = get(arg(word, 0));
      result.resize(m_.type(word.type).components, literal(0));
      return true;
    case spv::OpFConvert:
      result = floats(word);
      return true;
    case spv::OpUConvert:
    case spv::OpSConvert:
      result = integers(word);
      return true;
    case spv::OpBitcast: {
      const Type &to = m_.scalar(word.type), &from = scalar_of(arg(word, 0));
      const Lanes kept = get(arg(word, 0));
      if (to.bits == from.bits && to.kind == from.kind) result = kept;
      else if (to.bits == 16 && from.bits == 16)
        result = to.kind == TypeKind::kFloat ? halves_of_bits(kept) : half_bits(kept);
      else result = unpacked(to, packed(from, kept), m_.type(word.type).components);
      return true;
    }
    default:
      return false;
  }
}

// Converts component by component, so that bits that are moved and read as halves again need no instruction.
Lanes Conversions::half_bits(const Lanes& halves) {
  Lanes result;
  for (const Ref& half : halves) {
    if (half.is_literal()) {
      result.push_back(literal(nearest_half(half.index)));
      continue;
    }
    result.push_back(packed({.kind = TypeKind::kFloat, .bits = 16}, {half})[0]);
    if (half.is_value()) t_.half_of_bits[result.back()] = half;
  }
  return result;
}

Lanes Conversions::halves_of_bits(const Lanes& bits) {
  Lanes result;
  for (const Ref& word : bits) {
    const auto known = t_.half_of_bits.find(word);
    if (known != t_.half_of_bits.end()) result.push_back(known->second);
    else result.push_back(unpacked({.kind = TypeKind::kFloat, .bits = 16}, {word}, 1)[0]);
  }
  return result;
}

// Rounds to nearest even, or toward zero where the result is decorated so.
Lanes Conversions::floats(const Word& word) {
  Doubles d(b);
  const Type &to = m_.scalar(word.type), &from = scalar_of(arg(word, 0));
  const Lanes kept = get(arg(word, 0));
  const bool truncate = m_.decoration(word.result).rounding == spv::FPRoundingModeRTZ;
  if (is_double(to)) return is_double(from) ? kept : d.op(Opcode::kF2d, {kept});
  if (!is_small(to)) {
    if (!is_double(from)) return kept;
    return truncate ? truncated_to_words(kept) : d.op(Opcode::kD2f, {kept});
  }
  if (!is_double(from)) return truncate ? truncated_to_halves(to, kept) : narrowed(word.type, kept);
  const Lanes floats = d.to_float_of_half(kept);
  if (!truncate) return narrowed(word.type, floats);
  // Numbers that a float cannot hold end at the largest half, infinity does not.
  const size_t n = floats.size();
  const auto all = [&](uint32_t bits) { return Builder::splat(literal(bits), n); };
  const Lanes infinite = b.op2(Opcode::kIeq, b.op2(Opcode::kAnd, floats, all(0x7fffffff)), all(0x7f800000));
  const Lanes beyond = b.op2(Opcode::kAnd, infinite, b.logical_not(d.is_infinite(kept)));
  return truncated_to_halves(to, b.op2(Opcode::kIadd, floats, beyond));
}

// Takes the nearest half, and where that is beyond the number, the one before it: one less as an integer,
// also at the borders to denormals and to infinity.
Lanes Conversions::truncated_to_halves(const Type& half, const Lanes& x) {
  const Lanes nearest = b.op1(Opcode::kRoundHalf, x);
  const Lanes beyond = b.op2(Opcode::kFlt, Builder::absolute(x), Builder::absolute(nearest));
  Lanes result;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i].is_literal()) {
      result.push_back(literal(truncated_to_half(x[i].index)));
      continue;
    }
    const Lanes one = b.op2(Opcode::kAnd, {beyond[i]}, {literal(1)});
    const Lanes bits = b.op2(Opcode::kIadd, packed(half, {nearest[i]}), b.ineg(one));
    result.push_back(unpacked(half, bits, 1)[0]);
  }
  return result;
}

// The same of doubles and floats.
Lanes Conversions::truncated_to_words(const Lanes& x) {
  Doubles d(b);
  const Lanes nearest = d.op(Opcode::kD2f, {x});
  const Lanes beyond = d.op(Opcode::kDlt, {d.absolute(x), d.absolute(d.op(Opcode::kF2d, {nearest}))});
  return b.op2(Opcode::kIadd, nearest, beyond);  // true is -1
}

Lanes Conversions::integers(const Word& word) {
  Wide wide(b);
  const Type &to = m_.scalar(word.type), &from = scalar_of(arg(word, 0));
  const Lanes kept = get(arg(word, 0));
  const bool is_signed = word.op == spv::OpSConvert;
  Lanes words = from.bits == 64 ? Wide::low(kept) : kept;
  if (is_signed && is_small(from)) words = sign_extended(from, kept);
  if (to.bits != 64) return narrowed(word.type, words);
  if (from.bits == 64) return kept;
  return is_signed ? wide.sign_extended(words) : wide.zero_extended(words);
}

}  // namespace cutaway::compiler
