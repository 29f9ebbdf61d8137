#pragma once

#include "arch/registers.h"

namespace cutaway::arch {

// A promise of a program that exports depth: on which sides of the interpolated depth, after its clamp, the
// exported one may lie (SPIR-V DepthGreater, DepthLess, DepthUnchanged). A depth on another side is replaced
// by the interpolated one. The promise holds with one sample per pixel; with several, exported depth is free.
struct DepthPromise {
  bool not_less = false, not_greater = false;
};

constexpr DepthPromise depth_promise(const Registers& registers) {
  const uint32_t flags = registers.shader[static_cast<uint32_t>(Stage::kFragment)].flags;
  if (!(flags & kShaderWritesDepth) || registers.raster.samples > 1) return {};
  return {(flags & kShaderDepthNotLess) != 0, (flags & kShaderDepthNotGreater) != 0};
}

// True if a fragment fails the depth comparison if its interpolated depth fails it, whatever depth the
// program exports.
constexpr bool interpolated_depth_rejects(const Registers& registers) {
  const uint32_t flags = registers.shader[static_cast<uint32_t>(Stage::kFragment)].flags;
  if (!(flags & kShaderWritesDepth)) return true;
  const DepthPromise promise = depth_promise(registers);
  switch (static_cast<Compare>(registers.depth.depth_compare)) {
    case Compare::kLess:
    case Compare::kLessOrEqual:
      return promise.not_less;
    case Compare::kGreater:
    case Compare::kGreaterOrEqual:
      return promise.not_greater;
    default:
      return promise.not_less && promise.not_greater;
  }
}

}  // namespace cutaway::arch
