#pragma once

#include <cstdint>

namespace cutaway::arch {

// Values of raster.depth_clamp: the range that depths of fragments are clamped to (Vulkan "Depth Clamping and
// Range Adjustment").
enum class DepthClamp : uint32_t {
  kUnit,       // [0, 1]
  kRange,      // the viewport's depth range, as far as it lies in [0, 1]
  kWideRange,  // with a depth format of floats the viewport's depth range as it is
               // (VK_EXT_depth_range_unrestricted); hierarchical Z must be off. With other formats as kRange
};

}  // namespace cutaway::arch
