#include "compiler/translate/conversions.h"

#include <spirv/unified1/spirv.hpp>

#include "compiler/translate/doubles.h"
#include "compiler/translate/wide.h"

namespace cutaway::compiler {

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
      else result = unpacked(to, packed(from, kept), m_.type(word.type).components);
      return true;
    }
    default:
      return false;
  }
}

Lanes Conversions::floats(const Word& word) {
  Doubles d(b);
  const Type &to = m_.scalar(word.type), &from = scalar_of(arg(word, 0));
  const Lanes kept = get(arg(word, 0));
  if (is_double(to)) return is_double(from) ? kept : d.op(Opcode::kF2d, {kept});
  if (!is_double(from)) return narrowed(word.type, kept);
  if (is_small(to)) return narrowed(word.type, d.to_float_of_half(kept));
  return d.op(Opcode::kD2f, {kept});
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
