#pragma once

#include <algorithm>

#include "arch/surface.h"
#include "base/field.h"

namespace cutaway::arch {

constexpr uint32_t kMaxVolumeDimension = 2048;

// Largest images that a chip's units support, in texels. The least are those that every Vulkan device must
// have (Vulkan "Required Limits").
struct ImageSizes {
  unsigned size = kMaxDimension;
  unsigned cube_size = kMaxDimension;
  unsigned volume_size = kMaxVolumeDimension;
  bool operator==(const ImageSizes&) const = default;

  template <class V>
  static void fields(V&& v) {
    using S = ImageSizes;
    v("size", &S::size, "texels", 4096u, kMaxDimension,
      "largest width and height of 1D and 2D textures and of targets");
    v("cube_size", &S::cube_size, "texels", 4096u, kMaxDimension, "largest side of a cube's faces");
    v("volume_size", &S::volume_size, "texels", 256u, kMaxVolumeDimension,
      "largest width, height and depth of 3D textures");
  }

  // The largest side of a surface of this type; buffers have none.
  uint32_t of(SurfaceType type) const {
    switch (type) {
      case SurfaceType::kCube:
        return cube_size;
      case SurfaceType::k3D:
        return volume_size;
      default:
        return size;
    }
  }
};

}  // namespace cutaway::arch
