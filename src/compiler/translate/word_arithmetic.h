#pragma once

#include "compiler/translate/matrices.h"
#include "compiler/translate/part.h"

namespace cutaway::compiler {

// Arithmetic whose operands and results are words: floats and integers of 32 bits, and booleans.
class WordArithmetic final : Part {
 public:
  explicit WordArithmetic(Translation& t) : Part(t), matrices_(t) {}

  // Computes the result of an instruction. False: it is none of these.
  bool translate(const Word& word, Lanes& result);

 private:
  bool by_table(const Word& word, Lanes& result);
  bool comparison(const Word& word, Lanes& result);
  bool integer(const Word& word, Lanes& result);
  Lanes carry(const Word& word, const Lanes& x, const Lanes& y);
  bool floats(const Word& word, Lanes& result);
  Lanes quantized(const Lanes& x);
  bool logical(const Word& word, Lanes& result);

  Matrices matrices_;
};

}  // namespace cutaway::compiler
