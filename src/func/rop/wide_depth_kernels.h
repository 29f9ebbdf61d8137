// Depth tests of whole groups. wide_depth_portable.cpp and wide_depth_avx2.cpp define CUTAWAY_ALU, then
// include this.
#ifndef CUTAWAY_ALU
#error "wide_depth_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/rop/wide_depth.h"
#include "func/shader/lanes8.h"

namespace cutaway::func::CUTAWAY_ALU {

template <class T>
CUTAWAY_INLINE I8 compares(arch::Compare compare, T a, T b) {
  switch (compare) {
    case arch::Compare::kNever:
      return I8{};
    case arch::Compare::kLess:
      return (I8)(a < b);
    case arch::Compare::kEqual:
      return (I8)(a == b);
    case arch::Compare::kLessOrEqual:
      return (I8)(a <= b);
    case arch::Compare::kGreater:
      return (I8)(a > b);
    case arch::Compare::kNotEqual:
      return (I8)(a != b);
    case arch::Compare::kGreaterOrEqual:
      return (I8)(a >= b);
    default:
      return I8{} - 1;
  }
}

inline uint64_t depth_test_wide(const DepthState& state, const float* z, uint32_t lanes, uint64_t covered,
                                uint32_t* element) {
  const auto mask = static_cast<uint32_t>(state.depth_mask);
  const auto scale = static_cast<double>(mask);
  const U8 bits{1, 2, 4, 8, 16, 32, 64, 128};
  uint64_t passed = 0;
  for (uint32_t lane = 0; lane < lanes; lane += 8) {
    const F8 value = (F8)load8(reinterpret_cast<const uint32_t*>(z) + lane);
    const U8 stored = load8(element + lane);
    const I8 on = (I8)((bits & static_cast<uint32_t>(covered >> lane & 255)) != 0);
    // Depths of at most 24 bits are compared as signed numbers.
    const U8 depth = state.depth_float ? (U8)value : to_unorm(value, scale);
    I8 pass = state.depth_float ? compares(state.compare, value, (F8)stored)
                                : compares(state.compare, (I8)depth, (I8)(stored & mask));
    pass &= on;
    if (state.depth_write) {
      const U8 updated = (stored & ~mask) | depth;
      store8(element + lane, (U8)choose(pass, (I8)updated, (I8)stored));
    }
    passed |= static_cast<uint64_t>(mask_of(pass)) << lane;
  }
  return passed;
}

}  // namespace cutaway::func::CUTAWAY_ALU
