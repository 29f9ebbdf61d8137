#pragma once

#include "arch/registers.h"
#include "func/format/numeric.h"
#include "func/raster/samples.h"

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

// Alpha to coverage (Vulkan "Multisample Coverage"): the samples of n that an alpha keeps, bit each: the
// first round(alpha × n) of them, ties to even, alpha clamped to [0, 1], NaN none. Neither position nor
// primitive has a part in it, and a greater alpha keeps all that a lesser one keeps.
inline uint32_t alpha_samples(uint32_t samples, uint32_t alpha) {
  const float value = bits_float(alpha);
  const float clamped = value > 0 ? (value < 1 ? value : 1.0f) : 0.0f;
  const auto kept = static_cast<uint32_t>(round_even(double{clamped} * samples));
  return (1u << kept) - 1;
}

// What is left of a shaded quad's samples after the program's sample mask (output kOutputDepth .y) and alpha
// to coverage (.w of output 0), in four lanes each. Of either nullptr: it takes nothing away.
inline QuadSamples exported_samples(uint32_t samples, QuadSamples alive, const uint32_t* mask,
                                    const uint32_t* alpha) {
  std::array<uint32_t, 4> kept;
  for (uint32_t l = 0; l < 4; ++l)
    kept[l] = (mask ? mask[l] : ~0u) & (alpha ? alpha_samples(samples, alpha[l]) : ~0u);
  return alive & quad_samples(kept);
}

}  // namespace cutaway::func
