#pragma once

#include "compiler/translate/arithmetic.h"
#include "compiler/translate/composites.h"

namespace cutaway::compiler {

// Evaluates operations on constants (OpSpecConstantOp) by translating them and folding.
class SpecConstants {
 public:
  SpecConstants(const Request& request, const Module& module)
      : t_(request, module), composites_(t_), arithmetic_(t_) {}

  // Components of the constant that an operation computes.
  std::vector<uint32_t> evaluate(const Word& word);

 private:
  Translation t_;
  Composites composites_;
  Arithmetic arithmetic_;
};

}  // namespace cutaway::compiler
