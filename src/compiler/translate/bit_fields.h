#pragma once

#include "compiler/translate/part.h"
#include "compiler/translate/wide.h"

namespace cutaway::compiler {

// Bit fields, reversals and counts of bits, of integers of all widths. The offset and the number of bits of a
// field, and the result of a count, have widths of their own.
class BitFields final : Part {
 public:
  explicit BitFields(Translation& t) : Part(t), w(t.builder) {}

  // Computes the result of an instruction. False: it is none of these.
  bool translate(const Word& word, Lanes& result);

 private:
  // The field of an instruction, for each component of the base.
  struct Field {
    Lanes offset, count;
  };
  Field field(const Word& word, size_t first, size_t components);
  Lanes extract(const Word& word, const Type& scalar);
  Lanes insert(const Word& word, const Type& scalar);
  Lanes ones(const Lanes& count);  // as many low bits of 64

  Wide w;
};

}  // namespace cutaway::compiler
