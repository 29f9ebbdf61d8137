#include "func/rop/wide_depth.h"

namespace cutaway::func {

bool can_test_wide(const DepthState& state) {
  const bool fixed = !state.depth_float && state.depth_bits > 0 && state.depth_bits <= 24;
  const bool number = state.depth_float && state.depth_bits == 32;
  const bool words = state.element_bytes == 4 || (state.element_bytes == 2 && state.depth_bits == 16);
  return words && !state.stencil_test && !state.bounds_test && (fixed || number);
}

bool can_test_stencil_wide(const DepthState& state) {
  return state.element_bytes == 4 && state.stencil_test && !state.bounds_test && !state.depth_float &&
         state.depth_bits == 24 && state.stencil_offset == 24;
}

const WideDepth& wide_depth(AluPath path) {
  return of_path(path, portable::wide_depth, avx2::wide_depth, avx512::wide_depth)();
}

uint64_t depth_test_wide(const DepthState& state, const float* z, uint32_t lanes, uint64_t covered,
                         const uint32_t* stored, uint32_t* element) {
  static const auto function = wide_depth(AluPath::kBest).depth;
  return function(state, z, lanes, covered, stored, element);
}

uint64_t stencil_test_wide(const DepthState& state, bool front_facing, const float* z, uint32_t lanes,
                           uint64_t covered, const uint32_t* stored, uint32_t* element) {
  static const auto function = wide_depth(AluPath::kBest).stencil;
  return function(state, front_facing, z, lanes, covered, stored, element);
}

}  // namespace cutaway::func
