#include "arch/surface.h"

#include <algorithm>

#include "base/round_up.h"

namespace cutaway::arch {
namespace {

constexpr uint32_t level_extent(uint32_t extent, uint32_t level) {
  return level < 32 ? std::max(1u, extent >> level) : 1;
}

// Shape of one level, without its offset.
LevelLayout level_shape(const Surface& surface, uint32_t level) {
  const FormatInfo& format = format_info(surface.format);
  LevelLayout shape;
  shape.width = level_extent(surface.width, level);
  shape.height = level_extent(surface.height, level);
  shape.depth = level_extent(surface.depth, level);
  shape.columns = static_cast<uint32_t>(round_up(shape.width, format.block_width) / format.block_width);
  shape.rows = static_cast<uint32_t>(round_up(shape.height, format.block_height) / format.block_height);
  if (surface.tiling() == Tiling::kTiled) {
    shape.columns = static_cast<uint32_t>(round_up(shape.columns, kTileSize));
    shape.rows = static_cast<uint32_t>(round_up(shape.rows, kTileSize));
    shape.row_pitch = uint64_t{shape.columns} * kTileSize * format.bytes * surface.samples();
    if (surface.in_pages()) shape.row_pitch = round_up(shape.row_pitch, kSurfacePage);
    shape.slice_pitch = shape.row_pitch * (shape.rows / kTileSize);
  } else {
    shape.row_pitch = surface.row_pitch
                          ? surface.row_pitch
                          : round_up(uint64_t{shape.columns} * format.bytes, kLinearPitchAlignment);
    shape.slice_pitch = surface.slice_pitch ? surface.slice_pitch : shape.row_pitch * shape.rows;
  }
  return shape;
}

uint64_t level_bytes(const LevelLayout& shape) {
  return round_up(shape.slice_pitch * shape.depth, kLevelAlignment);
}

}  // namespace

LevelLayout level_layout(const Surface& surface, uint32_t level) {
  uint64_t offset = 0;
  for (uint32_t i = 0; i < level; i++) offset += level_bytes(level_shape(surface, i));
  LevelLayout result = level_shape(surface, level);
  result.offset = offset;
  return result;
}

uint64_t layer_pitch(const Surface& surface) {
  if (surface.tiling() == Tiling::kLinear && surface.slice_pitch) return surface.slice_pitch;
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < std::max(1u, surface.levels); i++) bytes += level_bytes(level_shape(surface, i));
  return bytes;
}

uint64_t surface_bytes(const Surface& surface) { return layer_pitch(surface) * std::max(1u, surface.layers); }

uint64_t surface_span(const Surface& surface) {
  switch (surface.surface_type()) {
    case SurfaceType::kRawBuffer:
      return surface.width;
    case SurfaceType::kTexelBuffer:
      return uint64_t{surface.width} * format_info(surface.format).bytes;
    default: {
      const uint64_t slices = std::max({1u, surface.depth, surface.layers});
      const uint64_t apart = surface.tiling() == Tiling::kLinear ? surface.slice_pitch * slices : 0;
      return std::max(surface_bytes(surface), apart);
    }
  }
}

Address element_address(const Surface& surface, const LevelLayout& level, uint32_t x, uint32_t y, uint32_t z,
                        uint32_t layer, uint32_t sample) {
  const uint32_t bytes = format_info(surface.format).bytes;
  const Address slice =
      surface.address + (layer ? layer * layer_pitch(surface) : 0) + level.offset + z * level.slice_pitch;
  if (surface.tiling() == Tiling::kTiled)
    return slice + tiled_offset(x, y, level.row_pitch, bytes, surface.samples(), sample);
  return slice + y * level.row_pitch + uint64_t{x} * bytes;
}

}  // namespace cutaway::arch
