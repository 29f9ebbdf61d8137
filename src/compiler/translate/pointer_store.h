#pragma once

#include "compiler/translate/value.h"

namespace cutaway::compiler {

// Stores the second result of instructions that have one.
class PointerStore {
 public:
  // The target of an operand. InvalidShader: it is not a pointer.
  virtual Pointer pointer_of(const Word& word, size_t operand) const = 0;
  virtual void store(const Pointer& pointer, const Lanes& value) = 0;

 protected:
  ~PointerStore() = default;
};

}  // namespace cutaway::compiler
