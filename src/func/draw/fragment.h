#pragma once

#include "arch/registers.h"
#include "func/format/numeric.h"

namespace cutaway::func {

// The depth that a program exports, as the depth test takes it: clamped like interpolated depth to the
// primitive's depth_min and depth_max (Vulkan "Depth Clamping and Range Adjustment"); NaN gives depth_min.
inline float exported_depth(float depth_min, float depth_max, uint32_t bits) {
  const float z = bits_float(bits);
  return !(z > depth_min) ? depth_min : z < depth_max ? z : depth_max;
}

// Where samples_passed counts a fragment: with early tests asked for by the program, when it passes them;
// else when it reaches the color targets, after all tests and discards, whether or not any target is on.
inline bool counts_early(const arch::Registers& registers) {
  return registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags & arch::kShaderEarlyTests;
}

}  // namespace cutaway::func
