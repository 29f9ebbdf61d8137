#pragma once

#include "compiler/translate/part.h"

namespace cutaway::compiler {

// Conversions between sizes of one kind of number, and of bits.
class Conversions final : Part {
 public:
  explicit Conversions(Translation& t) : Part(t) {}

  // Computes the result of an instruction. False: it is none of these.
  bool translate(const Word& word, Lanes& result);

 private:
  Lanes floats(const Word& word);
  Lanes truncated_to_halves(const Type& half, const Lanes& x);
  Lanes truncated_to_words(const Lanes& x);
  Lanes integers(const Word& word);
  Lanes half_bits(const Lanes& halves);
  Lanes halves_of_bits(const Lanes& bits);
};

}  // namespace cutaway::compiler
