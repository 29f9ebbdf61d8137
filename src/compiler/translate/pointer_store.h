#pragma once

#include "compiler/translate/value.h"

namespace cutaway::compiler {

// Stores the second result of instructions that have one.
class PointerStore {
 public:
  virtual void store(const Pointer& pointer, const Lanes& value) = 0;

 protected:
  ~PointerStore() = default;
};

}  // namespace cutaway::compiler
