#pragma once

#include "compiler/translate/value.h"

namespace cutaway::compiler {

// Where instructions that have a second result leave it.
class PointerStore {
 public:
  virtual void store(const Pointer& pointer, const Lanes& value) = 0;

 protected:
  ~PointerStore() = default;
};

}  // namespace cutaway::compiler
