#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir.h"

namespace cutaway::compiler {

// An integer as a sum: Σ ref × scale + offset, modulo 2^32.
struct Affine {
  struct Term {
    Ref ref;
    uint32_t scale = 1;
    auto operator<=>(const Term&) const = default;
  };
  std::vector<Term> terms;  // sorted, each component once
  uint32_t offset = 0;

  // True if every scale and the offset are multiples of 2^bits.
  bool is_multiple(uint32_t bits) const;
};

// Writes an integer as a sum of components that no addition, shift or multiplication by a literal computes.
// A shift right is divided out where it drops only zeros: the sum may then differ by multiples of 2^(32 - n)
// from the shifted value, where the unshifted one wrapped.
Affine affine_of(const Ir& ir, const Ref& ref);

}  // namespace cutaway::compiler
