#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/instruction.h"

namespace cutaway::func {

// The new value of a word after ATOM and its variants.
inline uint32_t atomic_result(isa::AtomicOp op, uint32_t old, uint32_t a, uint32_t b) {
  using enum isa::AtomicOp;
  const auto as_signed = [](uint32_t v) { return static_cast<int32_t>(v); };
  switch (op) {
    case kAdd:
      return old + a;
    case kImin:
      return as_signed(a) < as_signed(old) ? a : old;
    case kUmin:
      return std::min(old, a);
    case kImax:
      return as_signed(a) > as_signed(old) ? a : old;
    case kUmax:
      return std::max(old, a);
    case kAnd:
      return old & a;
    case kOr:
      return old | a;
    case kXor:
      return old ^ a;
    case kExchange:
      return a;
    case kCompareExchange:
      return old == b ? a : old;
  }
  return old;
}

}  // namespace cutaway::func
