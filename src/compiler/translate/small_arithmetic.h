#pragma once

#include "compiler/translate/word_arithmetic.h"

namespace cutaway::compiler {

// Arithmetic of integers of 8 and 16 bits and of halves, computed in words.
class SmallArithmetic final : Part {
 public:
  SmallArithmetic(Translation& t, WordArithmetic& words) : Part(t), words_(words) {}

  // Computes the result of an instruction. False: it is none of these.
  bool translate(const Word& word, Lanes& result);

 private:
  Lanes carry(const Word& word, const Type& scalar);

  WordArithmetic& words_;
};

}  // namespace cutaway::compiler
