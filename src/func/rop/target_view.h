#pragma once

#include "arch/surface.h"
#include "base/divisor.h"

namespace cutaway::func {

// One level and layer of a render target.
struct TargetView {
  arch::Address base = 0;    // address of the element at (0, 0)
  uint64_t row_pitch = 0;    // bytes; tiled: of a row of tiles
  uint64_t layer_pitch = 0;  // bytes between layers or depth slices
  uint32_t bytes = 0;        // of an element
  uint32_t width = 0, height = 0;
  uint32_t samples = 1;  // of a pixel; several only if tiled
  bool tiled = false;

  // Address of the element of a sample of pixel (x, y), which must lie in the level. The elements of an even
  // x and of x + 1 are adjacent in memory.
  arch::Address address(uint32_t x, uint32_t y, uint32_t sample = 0) const {
    return tiled ? base + arch::tiled_offset(x, y, row_pitch, bytes, samples, sample)
                 : base + y * row_pitch + uint64_t{x} * bytes;
  }
  // Each run of `line_bytes` that begins at a multiple of them is in one tile, of one sample.
  bool has_lines_in_tiles(uint32_t line_bytes) const {
    return tiled && remainder_of(arch::kTileSize * arch::kTileSize * bytes, line_bytes) == 0 &&
           remainder_of(base, line_bytes) == 0;
  }
  // The view of a layer, `layer` after this one.
  TargetView of_layer(uint32_t layer) const {
    TargetView view = *this;
    view.base += layer * layer_pitch;
    return view;
  }
};

// base_level and base_layer select the level and the layer (of 3D surfaces the depth slice). The surface must
// pass target_error().
inline TargetView make_target_view(const arch::Surface& surface) {
  const arch::LevelLayout level = arch::level_layout(surface, surface.base_level);
  const bool slices = surface.surface_type() == arch::SurfaceType::k3D;
  TargetView view;
  view.base = arch::element_address(surface, level, 0, 0, slices ? surface.base_layer : 0,
                                    slices ? 0 : surface.base_layer);
  view.row_pitch = level.row_pitch;
  view.layer_pitch = slices ? level.slice_pitch : arch::layer_pitch(surface);
  view.bytes = arch::format_info(surface.format).bytes;
  view.width = level.width, view.height = level.height;
  view.samples = surface.samples();
  view.tiled = surface.tiling() == arch::Tiling::kTiled;
  return view;
}

}  // namespace cutaway::func
