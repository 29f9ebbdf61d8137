#pragma once

#include <cstdint>

#include "func/rop/depth_stencil.h"
#include "func/shader/micro_op.h"
#include "func/shader/wide_step.h"

// The depth test of many pixels at once: bit-identical to depth_stencil() for states without stencil and
// depth bounds on 32-bit elements.
namespace cutaway::func {

bool can_test_wide(const DepthState& state);

// Tests z of lanes 0 to lanes - 1, a multiple of kWideStep and at most 64, against `stored` elements, and if
// the state writes, writes them updated to `element`, the same or others. covered: one bit per lane; only
// covered lanes pass or change. Returns the lanes that pass.
uint64_t depth_test_wide(const DepthState& state, const float* z, uint32_t lanes, uint64_t covered,
                         const uint32_t* stored, uint32_t* element);

// For a given instruction set, for tests.
decltype(&depth_test_wide) depth_test_wide_function(AluPath path);

namespace portable {
decltype(&depth_test_wide) depth_test_wide_function();
}
namespace avx2 {
decltype(&depth_test_wide) depth_test_wide_function();
}
namespace avx512 {
decltype(&depth_test_wide) depth_test_wide_function();
}

}  // namespace cutaway::func
