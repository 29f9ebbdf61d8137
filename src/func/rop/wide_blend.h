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
// At most 32 lanes. Returns those, one bit each, whose elements are made; others must be written one by one:
// blending halves gave a NaN, whose sign depends on the order of operands.
uint32_t blend_wide(const TargetState& target, const uint32_t* const source[4], uint32_t lanes,
                    uint32_t* element);

// A sector of a tile: 16 elements, row after row, at its first word. Its quads have the lanes from `lane` on;
// alive: one bit for each of these lanes that is written.
struct SectorPlace {
  uint32_t* elements;
  uint32_t lane, alive;
};
// The same for sectors. Returns one bit for each that is written; nothing is written to the others.
uint32_t blend_sectors(const TargetState& target, const uint32_t* const source[4], const SectorPlace* sectors,
                       uint32_t count);

// The functions of an instruction set.
struct WideBlend {
  decltype(&blend_wide) wide;
  decltype(&blend_sectors) sectors;
};
const WideBlend& wide_blend(AluPath path);

namespace portable {
const WideBlend& wide_blend();
}
namespace avx2 {
const WideBlend& wide_blend();
}
namespace avx512 {
const WideBlend& wide_blend();
}

}  // namespace cutaway::func
