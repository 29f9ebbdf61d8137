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

// stencil_op() of depth_stencil.cpp.
CUTAWAY_INLINE Ints stencil_op(uint32_t op, Ints stored, int32_t reference) {
  switch (static_cast<arch::StencilOp>(op)) {
    case arch::StencilOp::kZero:
      return Ints{};
    case arch::StencilOp::kReplace:
      return Ints{} + (reference & 255);
    case arch::StencilOp::kIncrementClamp:
      return least(stored + 1, Ints{} + 255);
    case arch::StencilOp::kDecrementClamp:
      return most(stored - 1, Ints{});
    case arch::StencilOp::kInvert:
      return ~stored & 255;
    case arch::StencilOp::kIncrementWrap:
      return (stored + 1) & 255;
    case arch::StencilOp::kDecrementWrap:
      return (stored - 1) & 255;
    default:
      return stored;
  }
}

inline uint64_t stencil_test_wide(const DepthState& state, bool front_facing, const float* z, uint32_t lanes,
                                  uint64_t covered, const uint32_t* stored_elements, uint32_t* element) {
  constexpr uint32_t kStencilShift = 24, kDepths = (1u << kStencilShift) - 1;
  const arch::StencilFace& face = state.face[front_facing ? 0 : 1];
  const auto reference = static_cast<int32_t>(face.reference);
  const auto read_mask = static_cast<int32_t>(face.read_mask & 255);
  const auto write_mask = static_cast<int32_t>(face.write_mask & 255);
  uint64_t passed = 0;
  for (uint32_t lane = 0; lane < lanes; lane += kVector) {
    const Floats value = (Floats)load(reinterpret_cast<const uint32_t*>(z) + lane);
    const Words stored = load(stored_elements + lane);
    const Ints on = lanes_of(static_cast<uint32_t>(covered >> lane & kAllLanes));
    const Ints stencil = (Ints)(stored >> kStencilShift);
    const Words depth = to_unorm(value, kDepths);
    const Ints stencil_pass = compares(static_cast<arch::Compare>(face.compare),
                                       Ints{} + (reference & read_mask), stencil & read_mask);
    const Ints pass = on & stencil_pass & compares(state.compare, (Ints)depth, (Ints)(stored & kDepths));
    const Ints failed = choose(stencil_pass, stencil_op(face.depth_fail, stencil, reference),
                               stencil_op(face.fail, stencil, reference));
    const Ints next = choose(pass, stencil_op(face.pass, stencil, reference), failed);
    const Ints updated = (stencil & ~write_mask) | (next & write_mask);
    const Ints written = pass & (Ints{} - int32_t{state.depth_write});
    const Ints depths = choose(written, (Ints)depth, (Ints)(stored & kDepths));
    store(element + lane, (Words)choose(on, depths | updated << kStencilShift, (Ints)stored));
    passed |= static_cast<uint64_t>(mask_of(pass)) << lane;
  }
  return passed;
}

constexpr WideDepth kWideDepth = {depth_test_wide, stencil_test_wide};

}  // namespace cutaway::func::CUTAWAY_ALU
