#pragma once

#include "arch/memory.h"

namespace cutaway::parts {

// Memory spread over units, `bytes` at a time: a unit's own addresses are those of its share, put together
// without the gaps, so that a cache of it uses all its sets.
struct Interleave {
  unsigned units = 1, bytes = 64;

  unsigned unit_of(arch::Address address) const {
    return units == 1 ? 0 : static_cast<unsigned>(address / bytes % units);
  }
  arch::Address own(arch::Address address) const {
    return units == 1 ? address : address / bytes / units * bytes + address % bytes;
  }
  arch::Address whole(arch::Address own, unsigned unit) const {
    return units == 1 ? own : (own / bytes * units + unit) * bytes + own % bytes;
  }
};

}  // namespace cutaway::parts
