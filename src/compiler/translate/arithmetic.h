#pragma once

#include "compiler/translate/bit_fields.h"
#include "compiler/translate/conversions.h"
#include "compiler/translate/double_arithmetic.h"
#include "compiler/translate/integer_dot.h"
#include "compiler/translate/small_arithmetic.h"
#include "compiler/translate/wide_arithmetic.h"
#include "compiler/translate/word_arithmetic.h"

namespace cutaway::compiler {

// Arithmetic, comparison, conversion, matrices and derivatives: instructions whose result depends on nothing
// but their operands and the lanes beside them. A part for each size of operand does them.
class Arithmetic final : Part {
 public:
  explicit Arithmetic(Translation& t)
      : Part(t), conversions_(t), dots_(t), fields_(t), words_(t), small_(t, words_), wide_(t), doubles_(t) {}

  // Computes the result of an instruction. False: it is none of these.
  bool translate(const Word& word, Lanes& result);

 private:
  Conversions conversions_;
  IntegerDot dots_;
  BitFields fields_;
  WordArithmetic words_;
  SmallArithmetic small_;
  WideArithmetic wide_;
  DoubleArithmetic doubles_;
};

}  // namespace cutaway::compiler
