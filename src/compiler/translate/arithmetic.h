#pragma once

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// Arithmetic, comparison, conversion, matrices and derivatives: instructions whose result depends on nothing
// but their operands and the lanes beside them.
class Arithmetic final : Part {
 public:
  explicit Arithmetic(Translation& t) : Part(t) {}

  // Computes an instruction's result. False: it is none of these.
  bool translate(const Word& word, Lanes& result);

 private:
  bool comparison(const Word& word, Lanes& result);
  bool integer(const Word& word, Lanes& result);
  bool matrix(const Word& word, Lanes& result);
  bool integer_dot(const Word& word, Lanes& result);
  Lanes dot_operand(const Lanes& operand, bool is_packed, bool is_signed);
  Lanes saturating_add(const Lanes& x, const Lanes& y, bool is_signed);
  Lanes carry(const Word& word, const Lanes& x, const Lanes& y);
  Lanes linear_combination(const Lanes& columns, const Lanes& factors);
};

}  // namespace cutaway::compiler
