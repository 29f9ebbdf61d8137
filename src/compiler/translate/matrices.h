#pragma once

#include "compiler/translate/floats.h"
#include "compiler/translate/part.h"

namespace cutaway::compiler {

// Products of vectors and matrices of floats, for floats of any size.
class Matrices final : Part {
 public:
  explicit Matrices(Translation& t) : Part(t) {}

  // Computes the result of an instruction with `f`. False: it is none of these.
  bool translate(const Word& word, Floats& f, Lanes& result);
};

}  // namespace cutaway::compiler
