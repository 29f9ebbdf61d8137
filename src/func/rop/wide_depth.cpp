#include "func/rop/wide_depth.h"

namespace cutaway::func {

bool can_test_wide(const DepthState& state) {
  const bool fixed = !state.depth_float && state.depth_bits > 0 && state.depth_bits <= 24;
  const bool number = state.depth_float && state.depth_bits == 32;
  return state.element_bytes == 4 && !state.stencil_test && !state.bounds_test && (fixed || number);
}

decltype(&depth_test_wide) depth_test_wide_function(AluPath path) {
  return of_path(path, portable::depth_test_wide_function, avx2::depth_test_wide_function,
                 avx512::depth_test_wide_function)();
}

uint64_t depth_test_wide(const DepthState& state, const float* z, uint32_t lanes, uint64_t covered,
                         const uint32_t* stored, uint32_t* element) {
  static const auto function = depth_test_wide_function(AluPath::kBest);
  return function(state, z, lanes, covered, stored, element);
}

}  // namespace cutaway::func
