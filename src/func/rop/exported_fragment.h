#pragma once

#include "arch/depth_promise.h"
#include "arch/registers.h"
#include "func/format/numeric.h"
#include "func/raster/samples.h"

namespace cutaway::func {

// Converts an exported depth to the depth test's input: clamped like interpolated depth to the primitive's
// depth_min and depth_max (Vulkan "Depth Clamping and Range Adjustment"); NaN gives depth_min.
inline float exported_depth(float depth_min, float depth_max, uint32_t bits) {
  const float z = bits_float(bits);
  return !(z > depth_min) ? depth_min : z < depth_max ? z : depth_max;
}

// The exported depth that keeps the promise of its program. A NaN of either keeps the interpolated one.
inline float promised_depth(const arch::DepthPromise& promise, float interpolated, float exported) {
  if (promise.not_less && !(exported >= interpolated)) return interpolated;
  if (promise.not_greater && !(exported <= interpolated)) return interpolated;
  return exported;
}

// True if samples_passed counts fragments at the early tests, because the program requests early tests.
// Otherwise it counts them on reaching the color targets, after all tests and discards, even if no target is
// on.
inline bool counts_early(const arch::Registers& registers) {
  return registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags & arch::kShaderEarlyTests;
}

// Alpha to coverage (Vulkan "Multisample Coverage"): the samples out of n that an alpha keeps, one bit each:
// the first round(alpha × n) of them, ties to even, alpha clamped to [0, 1], none for NaN. The result does
// not depend on position or primitive, and a greater alpha keeps all samples that a smaller one keeps.
inline uint32_t alpha_samples(uint32_t samples, uint32_t alpha) {
  const float value = bits_float(alpha);
  const float clamped = value > 0 ? (value < 1 ? value : 1.0f) : 0.0f;
  const auto kept = static_cast<uint32_t>(round_even(double{clamped} * samples));
  return (1u << kept) - 1;
}

// The remaining samples of a shaded quad after the program's sample mask (output kOutputDepth .y) and alpha
// to coverage (.w of output 0), four lanes each. nullptr: no effect.
inline QuadSamples exported_samples(uint32_t samples, QuadSamples alive, const uint32_t* mask,
                                    const uint32_t* alpha) {
  std::array<uint32_t, 4> kept;
  for (uint32_t l = 0; l < 4; ++l)
    kept[l] = (mask ? mask[l] : ~0u) & (alpha ? alpha_samples(samples, alpha[l]) : ~0u);
  return alive & quad_samples(kept);
}

}  // namespace cutaway::func
