#pragma once

#include "compiler/translate/floats.h"
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
  bool of_words(const Word& word, Lanes& result);  // whose operands and results are words
  // Of other sizes (arithmetic_small.cpp, arithmetic_wide.cpp, arithmetic_double.cpp).
  bool convert(const Word& word, Lanes& result);
  bool small(const Word& word, Lanes& result);
  Lanes small_carry(const Word& word, const Type& scalar);
  bool wide(const Word& word, Lanes& result);
  bool of_doubles(const Word& word, Lanes& result);
  bool compare_doubles(const Word& word, Lanes& result);
  bool convert_doubles(const Word& word, Lanes& result);
  Lanes convert_float(const Word& word);
  bool comparison(const Word& word, Lanes& result);
  bool integer(const Word& word, Lanes& result);
  bool matrix(const Word& word, Floats& f, Lanes& result);
  bool integer_dot(const Word& word, Lanes& result);
  Lanes dot_operand(uint32_t id, bool is_packed, bool is_signed);
  Lanes wide_dot(const Word& word, const Lanes& x, const Lanes& y);
  Lanes clamped(const Type& scalar, const Lanes& sum, bool is_signed);
  Lanes saturating_add(const Lanes& x, const Lanes& y, bool is_signed);
  Lanes carry(const Word& word, const Lanes& x, const Lanes& y);
};

}  // namespace cutaway::compiler
