#pragma once

#include <array>
#include <cstdint>

#include "arch/surface.h"
#include "func/format/surface_check.h"
#include "func/format/texel.h"

namespace cutaway::func {

// A Surface with derived values for sampling, computed once when the descriptor is loaded.
struct TextureView {
  arch::Surface surface{};
  const arch::FormatInfo* format = nullptr;  // never null after make_texture_view
  TexelLayout layout = TexelLayout::kNone;
  bool valid = false;  // false: every access reads zeros, queries return zeros
  bool tiled = false;
  bool block_format = false;        // BC: an element is a block of 4×4 texels
  uint32_t texel_bytes = 0;         // of an element
  uint32_t levels = 0, layers = 0;  // in view
  uint64_t layer_pitch = 0;
  std::array<arch::LevelLayout, kMaxLevels> level{};  // of the view: [0] is base_level

  // Address of a texel in the level, or of its block. Both parts of an address are sums, so that the four
  // texels of a bilinear sample need only two of each.
  arch::Address slice_address(uint32_t view_level, uint32_t layer) const {  // layer: within the view
    return surface.address + (surface.base_layer + layer) * layer_pitch + level[view_level].offset;
  }
  uint64_t column_offset(uint32_t x) const;
  uint64_t row_offset(uint32_t view_level, uint32_t y) const;
  uint64_t sample_offset(uint32_t sample) const;
};

// An invalid descriptor (surface_error) or a format that cannot be sampled gives an invalid view.
TextureView make_texture_view(const arch::Surface& surface);

inline uint64_t TextureView::column_offset(uint32_t x) const {
  if (block_format) x /= 4;
  if (!tiled) return uint64_t{x} * texel_bytes;
  const uint32_t inside = (x & 3) + (x & 4) * 4;
  return (uint64_t{x / arch::kTileSize} * (64 * surface.samples()) + inside) * texel_bytes;
}

inline uint64_t TextureView::row_offset(uint32_t view_level, uint32_t y) const {
  const uint64_t pitch = level[view_level].row_pitch;
  if (block_format) y /= 4;
  if (!tiled) return y * pitch;
  const uint32_t inside = (y & 3) * 4 + (y & 4) * 8;
  return y / arch::kTileSize * pitch + uint64_t{inside} * texel_bytes;
}

inline uint64_t TextureView::sample_offset(uint32_t sample) const {
  return uint64_t{sample} * 64 * texel_bytes;
}

}  // namespace cutaway::func
