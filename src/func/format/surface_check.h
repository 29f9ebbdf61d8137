#pragma once

#include <cstdint>

#include "arch/surface.h"

namespace cutaway::func {

constexpr uint32_t kMaxLevels = 15;  // levels of an image of 16384 texels

// Returns the error of a descriptor, or nullptr: unknown type or tiling, sizes out of range, levels or layers
// in view that the image does not have. Descriptors are untrusted.
const char* surface_error(const arch::Surface& surface);

constexpr bool is_buffer(arch::SurfaceType type) {
  return type == arch::SurfaceType::kTexelBuffer || type == arch::SurfaceType::kRawBuffer;
}

}  // namespace cutaway::func
