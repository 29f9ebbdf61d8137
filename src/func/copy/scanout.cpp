#include "func/copy/scanout.h"

#include <algorithm>
#include <cstring>

#include "func/format/display_color.h"

namespace cutaway::func {

const char* scanout_error(const arch::Surface& surface) {
  if (const char* error = surface_error(surface)) return error;
  const arch::SurfaceType type = surface.surface_type();
  if (type != arch::SurfaceType::k2D || surface.samples() != 1)
    return "only 2D surfaces of one sample are shown";
  return can_scan_out(arch::format_info(surface.format)) ? nullptr : "the format cannot be shown";
}

arch::Picture make_picture(const TextureView& view) {
  arch::Picture picture{view.level[0].width, view.level[0].height, {}};
  picture.rgba.resize(size_t{picture.width} * picture.height * 4);
  return picture;
}

ScanoutTile plan_scanout(const TextureView& view, uint32_t column, uint32_t row) {
  ScanoutTile tile;
  tile.x = column * arch::kTileSize;
  tile.y = row * arch::kTileSize;
  tile.width = std::min(arch::kTileSize, view.level[0].width - tile.x);
  tile.height = std::min(arch::kTileSize, view.level[0].height - tile.y);
  tile.segments = view.tiled ? 1 : tile.height;
  tile.segment_bytes = (view.tiled ? arch::kTileSize * arch::kTileSize : tile.width) * view.texel_bytes;
  const arch::Address start = view.slice_address(0, 0) + view.column_offset(tile.x);
  for (uint32_t i = 0; i < tile.segments; i++) tile.address[i] = start + view.row_offset(0, tile.y + i);
  return tile;
}

void finish_scanout(const TextureView& view, const ScanoutTile& tile, const std::byte* bytes,
                    arch::Picture& picture) {
  // The swizzle of R, G and B: a byte of the codes, or a constant.
  uint32_t shift[3] = {}, mask[3] = {}, constant[3] = {};
  for (uint32_t c = 0; c < 3; c++) {
    const uint32_t select = view.surface.swizzle >> (4 * c) & 15;
    if (select < 4) shift[c] = 8 * select, mask[c] = 255;
    else constant[c] = select == 5 ? 255 : 0;
  }
  const bool as_they_are = mask[0] && mask[1] && mask[2] && !shift[0] && shift[1] == 8 && shift[2] == 16;
  uint64_t column[arch::kTileSize];
  for (uint32_t x = 0; x < tile.width; x++)
    column[x] = view.tiled ? arch::tiled_offset(x, 0, 0, view.texel_bytes) : x * view.texel_bytes;
  for (uint32_t y = 0; y < tile.height; y++) {
    uint8_t* pixel = &picture.rgba[(size_t{tile.y + y} * picture.width + tile.x) * 4];
    const std::byte* const row = bytes + (view.tiled ? arch::tiled_offset(0, y, 0, view.texel_bytes)
                                                     : uint64_t{y} * tile.segment_bytes);
    for (uint32_t x = 0; x < tile.width; x++, pixel += 4) {
      const uint32_t codes = display_color(*view.format, view.layout, row + column[x]);
      uint32_t color = 255u << 24;
      if (as_they_are) color |= codes;
      else
        for (uint32_t c = 0; c < 3; c++) color |= ((codes >> shift[c] & mask[c]) | constant[c]) << 8 * c;
      std::memcpy(pixel, &color, sizeof color);
    }
  }
}

}  // namespace cutaway::func
