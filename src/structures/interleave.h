#pragma once

#include "arch/memory.h"
#include "base/divisor.h"

namespace cutaway::structures {

// Memory interleaved over units, `bytes` at a time. A unit's own addresses are contiguous, without the gaps
// of its share, so that its cache uses all sets.
struct Interleave {
  unsigned units = 1, bytes = 64;

  unsigned unit_of(arch::Address address) const {
    return units == 1 ? 0 : static_cast<unsigned>(remainder_of(quotient_of(address, bytes), units));
  }
  arch::Address own(arch::Address address) const {
    return units == 1
               ? address
               : quotient_of(quotient_of(address, bytes), units) * bytes + remainder_of(address, bytes);
  }
  arch::Address whole(arch::Address own, unsigned unit) const {
    return units == 1 ? own : (quotient_of(own, bytes) * units + unit) * bytes + remainder_of(own, bytes);
  }
};

}  // namespace cutaway::structures
