// Depth tests of whole groups. wide_depth_portable.cpp and its like define CUTAWAY_ALU, then include this.
#ifndef CUTAWAY_ALU
#error "wide_depth_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/rop/wide_depth.h"
#include "func/shader/lanes.h"

namespace cutaway::func::CUTAWAY_ALU {

template <class T>
CUTAWAY_INLINE Ints compares(arch::Compare compare, T a, T b) {
  switch (compare) {
    case arch::Compare::kNever:
      return Ints{};
    case arch::Compare::kLess:
      return (Ints)(a < b);
    case arch::Compare::kEqual:
      return (Ints)(a == b);
    case arch::Compare::kLessOrEqual:
      return (Ints)(a <= b);
    case arch::Compare::kGreater:
      return (Ints)(a > b);
    case arch::Compare::kNotEqual:
      return (Ints)(a != b);
    case arch::Compare::kGreaterOrEqual:
      return (Ints)(a >= b);
    default:
      return Ints{} - 1;
  }
}

inline uint64_t depth_test_wide(const DepthState& state, const float* z, uint32_t lanes, uint64_t covered,
                                const uint32_t* stored_elements, uint32_t* element) {
  const auto mask = static_cast<uint32_t>(state.depth_mask);
  const auto scale = static_cast<double>(mask);
  uint64_t passed = 0;
  for (uint32_t lane = 0; lane < lanes; lane += kVector) {
    const Floats value = (Floats)load(reinterpret_cast<const uint32_t*>(z) + lane);
    const Words stored = load(stored_elements + lane);
    const Ints on = lanes_of(static_cast<uint32_t>(covered >> lane & kAllLanes));
    // Depths of at most 24 bits are compared as signed numbers.
    const Words depth = state.depth_float ? (Words)value : to_unorm(value, scale);
    Ints pass = state.depth_float ? compares(state.compare, value, (Floats)stored)
                                  : compares(state.compare, (Ints)depth, (Ints)(stored & mask));
    pass &= on;
    if (state.depth_write) {
      const Words updated = (stored & ~mask) | depth;
      store(element + lane, (Words)choose(pass, (Ints)updated, (Ints)stored));
    }
    passed |= static_cast<uint64_t>(mask_of(pass)) << lane;
  }
  return passed;
}

}  // namespace cutaway::func::CUTAWAY_ALU
