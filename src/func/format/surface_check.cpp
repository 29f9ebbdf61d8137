#include "func/format/surface_check.h"

#include <algorithm>

namespace cutaway::func {

const char* surface_error(const arch::Surface& surface) {
  const auto within = [](uint32_t size) { return size >= 1 && size <= arch::kMaxDimension; };
  const arch::SurfaceType type = surface.surface_type();
  const bool linear = surface.tiling() == arch::Tiling::kLinear;
  if (type == arch::SurfaceType::kNone) return "no surface";
  if (type > arch::SurfaceType::kRawBuffer) return "unknown surface type";
  if (surface.tiling() > arch::Tiling::kTiled) return "unknown tiling";
  if (linear && surface.in_pages()) return "a surface in pages must be tiled";
  if ((surface.type >> 16 & 0xff) > 4) return "more than 16 samples";
  if (surface.type >> 24 > 1) return "unknown aspect";
  if (type != arch::SurfaceType::kRawBuffer && arch::format_info(surface.format).bytes == 0)
    return "unknown format";
  if (is_buffer(type)) return linear && surface.samples() == 1 ? nullptr : "a buffer must be linear";
  if (!within(surface.width) || !within(surface.height) || !within(surface.depth))
    return "width, height or depth is not 1 to 16384";
  if (surface.samples() > 1 && linear) return "a linear surface has one sample";
  if (surface.levels < 1 || surface.levels > kMaxLevels) return "levels are not 1 to 15";
  if (surface.layers < 1 || surface.layers > arch::kMaxDimension) return "layers are not 1 to 16384";
  if (surface.level_count < 1 || uint64_t{surface.base_level} + surface.level_count > surface.levels)
    return "the view's levels are not of the surface";
  if (type == arch::SurfaceType::k3D && surface.layers != 1) return "a 3D surface has one layer";
  const uint32_t slices =
      type == arch::SurfaceType::k3D ? std::max(1u, surface.depth >> surface.base_level) : surface.layers;
  if (surface.layer_count < 1 || uint64_t{surface.base_layer} + surface.layer_count > slices)
    return "the view's layers are not of the surface";
  return nullptr;
}

}  // namespace cutaway::func
