#pragma once

#include "compiler/module.h"

namespace cutaway::compiler {

// Strides, in bytes, that the type of a pointer into a buffer does not tell. Decorations of block members do,
// so a pointer has them from the access chain that made it.
struct PointerLayout {
  static constexpr uint32_t kMixed = ~0u;  // different ones reach the pointer

  uint32_t matrix_stride = 0;     // of the matrices that it points to
  uint32_t component_stride = 0;  // of the vector that it points to; 0: components without gaps
  uint32_t array_stride = 0;      // of the array that it points into; 0: into none
  bool row_major = false;

  bool operator==(const PointerLayout&) const = default;

  // Steps from an object of this type to a member or an element. Returns the stride of the elements.
  uint32_t step(const Module& module, uint32_t type, std::optional<uint32_t> member);
  // Takes up the layout of another source. Returns true if something changed.
  bool join(const PointerLayout& other);
};

}  // namespace cutaway::compiler
