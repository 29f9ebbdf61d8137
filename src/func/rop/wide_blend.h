#pragma once

#include <cstdint>

#include "func/rop/blend.h"
#include "func/shader/micro_op.h"

// Color of many pixels at once for targets of four 8-bit unorm channels or four halves that are written
// whole: the bits of write_pixel (blend.h).
namespace cutaway::func {

bool can_blend_wide(const TargetState& target);

// Replaces `element` of lanes 0 to lanes - 1, a multiple of 8; an element has target.bytes.
// source[component]: fragment outputs, a word a lane. Where the target does not read its elements they are
// not looked at. False: nothing is said of the elements, pixels must be written one by one: blending halves
// has given a NaN, whose sign hangs on the order of operands.
bool blend_wide(const TargetState& target, const uint32_t* const source[4], uint32_t lanes,
                uint32_t* element);

// With the instruction set named, for tests.
decltype(&blend_wide) blend_wide_function(AluPath path);

namespace portable {
decltype(&blend_wide) blend_wide_function();
}
namespace avx2 {
decltype(&blend_wide) blend_wide_function();
}

}  // namespace cutaway::func
