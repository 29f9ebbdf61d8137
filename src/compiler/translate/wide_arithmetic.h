#pragma once

#include "compiler/translate/part.h"
#include "compiler/translate/wide.h"

namespace cutaway::compiler {

// Arithmetic of integers of 64 bits.
class WideArithmetic final : Part {
 public:
  explicit WideArithmetic(Translation& t) : Part(t), w(t.builder) {}

  // Computes the result of an instruction. False: it is none of these.
  bool translate(const Word& word, Lanes& result);

 private:
  Lanes second(const Word& word, size_t size);
  Lanes shift_amount(const Word& word, size_t elements);
  bool sums(const Word& word, Lanes& result);
  bool divisions(const Word& word, Lanes& result);
  bool bits(const Word& word, Lanes& result);
  bool comparisons(const Word& word, Lanes& result);
  bool conversions(const Word& word, Lanes& result);
  Lanes carry(uint32_t op, const Lanes& x, const Lanes& y);

  Wide w;
};

}  // namespace cutaway::compiler
