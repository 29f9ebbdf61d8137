#pragma once

#include "compiler/translate/doubles.h"
#include "compiler/translate/matrices.h"

namespace cutaway::compiler {

// Arithmetic of floats of 64 bits, and conversions between them and integers.
class DoubleArithmetic final : Part {
 public:
  explicit DoubleArithmetic(Translation& t) : Part(t), matrices_(t), d(t.builder) {}

  // Computes the result of an instruction. False: it is none of these.
  bool translate(const Word& word, Lanes& result);

 private:
  bool comparison(const Word& word, Lanes& result);
  bool conversion(const Word& word, Lanes& result);

  Matrices matrices_;
  Doubles d;
};

}  // namespace cutaway::compiler
