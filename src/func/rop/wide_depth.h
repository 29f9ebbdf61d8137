#pragma once

#include <cstdint>

#include "func/rop/depth_stencil.h"
#include "func/shader/micro_op.h"
#include "func/shader/wide_step.h"

// Depth and stencil tests of many pixels at once: bit-identical to depth_stencil() for states without depth
// bounds on elements of 32 bits, or of 16 bits that are in words here.
namespace cutaway::func {

// True for depth_test_wide(), which knows no stencil test.
bool can_test_wide(const DepthState& state);
// True for stencil_test_wide().
bool can_test_stencil_wide(const DepthState& state);

// Tests z of lanes 0 to lanes - 1, a multiple of kWideStep and at most 64, against `stored` elements, and if
// the state writes, writes them updated to `element`, the same or others. covered: one bit per lane; only
// covered lanes pass or change. Returns the lanes that pass.
uint64_t depth_test_wide(const DepthState& state, const float* z, uint32_t lanes, uint64_t covered,
                         const uint32_t* stored, uint32_t* element);

// The same with the stencil test of a face, and its reference of the registers, in kTestAndWrite. Covered
// lanes that fail may change too.
uint64_t stencil_test_wide(const DepthState& state, bool front_facing, const float* z, uint32_t lanes,
                           uint64_t covered, const uint32_t* stored, uint32_t* element);

// The same functions for a given instruction set, for tests.
struct WideDepth {
  decltype(&depth_test_wide) depth;
  decltype(&stencil_test_wide) stencil;
};
const WideDepth& wide_depth(AluPath path);

namespace portable {
const WideDepth& wide_depth();
}
namespace avx2 {
const WideDepth& wide_depth();
}
namespace avx512 {
const WideDepth& wide_depth();
}

}  // namespace cutaway::func
