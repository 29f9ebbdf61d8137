#pragma once

#include <cstdint>

#include "func/rop/blend.h"
#include "func/shader/micro_op.h"
#include "func/shader/wide_step.h"

// Color of many pixels at once, for targets of four 8-bit unorm channels or four halves that are written
// completely: bit-identical to write_pixel (blend.h).
namespace cutaway::func {

bool can_blend_wide(const TargetState& target);

// Replaces `element` of lanes 0 to lanes - 1, a multiple of kWideStep; an element has target.bytes.
// source[component]: fragment outputs, one word per lane. Elements are not read unless the target needs them.
// Returns false if pixels must be written one by one, with elements undefined: blending halves gave a NaN,
// whose sign depends on the order of operands.
bool blend_wide(const TargetState& target, const uint32_t* const source[4], uint32_t lanes,
                uint32_t* element);

// For a given instruction set, for tests.
decltype(&blend_wide) blend_wide_function(AluPath path);

namespace portable {
decltype(&blend_wide) blend_wide_function();
}
namespace avx2 {
decltype(&blend_wide) blend_wide_function();
}
namespace avx512 {
decltype(&blend_wide) blend_wide_function();
}

}  // namespace cutaway::func
