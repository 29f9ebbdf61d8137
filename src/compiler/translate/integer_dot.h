#pragma once

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// Dot products of integers: OpSDot and its like (SPV_KHR_integer_dot_product), of vectors or of four bytes in
// a word.
class IntegerDot final : Part {
 public:
  explicit IntegerDot(Translation& t) : Part(t) {}

  // Computes the result of an instruction. False: it is none of these.
  bool translate(const Word& word, Lanes& result);

 private:
  Lanes operand(uint32_t id, bool is_packed, bool is_signed);
  Lanes words(const Word& word, const Lanes& x, const Lanes& y);
  Lanes wide(const Word& word, const Lanes& x, const Lanes& y);
  Lanes clamped(const Type& scalar, const Lanes& sum, bool is_signed);
  Lanes saturating_add(const Lanes& x, const Lanes& y, bool is_signed);
};

}  // namespace cutaway::compiler
