#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "arch/gpu.h"
#include "func/texture/texture_view.h"

// Converts a surface to a display's picture (PRESENT) by tiles of 8×8 pixels: plan a tile, fetch its
// segments, finish. sRGB and fixed-point codes of 8 bits pass unchanged; other formats are converted to 8
// bits. Alpha is shown opaque.
namespace cutaway::func {

struct ScanoutTile {
  uint32_t x = 0, y = 0, width = 0, height = 0;  // pixels; less than 8×8 at the right and lower edge
  uint32_t segments = 0;                         // contiguous runs: 1 if tiled, else one a row
  uint32_t segment_bytes = 0;
  std::array<arch::Address, arch::kTileSize> address{};

  uint32_t bytes() const { return segments * segment_bytes; }  // at most 64 × kMaxTexelBytes
};

// Returns the reason that a surface cannot be shown, or nullptr.
const char* scanout_error(const arch::Surface& surface);

// The view's first level and layer. view: of a surface that passed scanout_error.
inline uint32_t scanout_columns(const TextureView& view) {
  return (view.level[0].width + arch::kTileSize - 1) / arch::kTileSize;
}
inline uint32_t scanout_rows(const TextureView& view) {
  return (view.level[0].height + arch::kTileSize - 1) / arch::kTileSize;
}
arch::Picture make_picture(const TextureView& view);  // a black picture of the view's size

ScanoutTile plan_scanout(const TextureView& view, uint32_t column, uint32_t row);

// bytes: tile.bytes() bytes, segment after segment.
void finish_scanout(const TextureView& view, const ScanoutTile& tile, const std::byte* bytes,
                    arch::Picture& picture);

}  // namespace cutaway::func
