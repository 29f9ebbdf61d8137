#include "compiler/translate/arithmetic.h"

#include <spirv/unified1/spirv.hpp>

namespace cutaway::compiler {

bool Arithmetic::translate(const Word& word, Lanes& result) {
  if (word.result == 0) return false;
  if (conversions_.translate(word, result) || dots_.translate(word, result) ||
      fields_.translate(word, result))
    return true;
  const Type &to = m_.scalar(word.type), &from = scalar_of(word.words.empty() ? 0 : word.words[0]);
  if (word.op == spv::OpSelect || (to.bits == 32 && from.bits == 32)) return words_.translate(word, result);
  if (is_double(to) || is_double(from)) return doubles_.translate(word, result);
  if (to.bits == 64 || from.bits == 64) return wide_.translate(word, result);
  return small_.translate(word, result);
}

}  // namespace cutaway::compiler
