#include "func/copy/scanout.h"

#include <algorithm>
#include <cstring>

#include "func/format/display_color.h"

namespace cutaway::func {
namespace {

constexpr uint32_t kRun = arch::kSectorSize;  // texels that lie side by side in any tiling
typedef uint32_t Codes __attribute__((vector_size(4 * kRun)));

// True if a texel is four bytes that are shown as they are.
bool is_in_bytes(TexelLayout layout) {
  return layout == TexelLayout::kRgba8Unorm || layout == TexelLayout::kRgba8Srgb ||
         layout == TexelLayout::kBgra8Unorm || layout == TexelLayout::kBgra8Srgb;
}

// The swizzle of R, G and B: for each a byte of the codes, or a constant. Alpha is opaque.
struct ShownChannels {
  uint32_t shift[3] = {}, mask[3] = {}, constant = 255u << 24;

  Codes apply(Codes codes) const {
    Codes shown = constant | (codes & 0);
    for (uint32_t c = 0; c < 3; c++) shown |= (codes >> shift[c] & mask[c]) << 8 * c;
    return shown;
  }
};

ShownChannels shown_channels(const TextureView& view) {
  const bool blue_first = view.layout == TexelLayout::kBgra8Unorm || view.layout == TexelLayout::kBgra8Srgb;
  ShownChannels channels;
  for (uint32_t c = 0; c < 3; c++) {
    const uint32_t select = view.surface.swizzle >> (4 * c) & 15;
    const uint32_t byte = blue_first && select < 3 ? 2 - select : select;
    if (select < 4) channels.shift[c] = 8 * byte, channels.mask[c] = 255;
    else if (select == 5) channels.constant |= 255u << 8 * c;
  }
  return channels;
}

}  // namespace

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
  const bool in_bytes = is_in_bytes(view.layout);
  const ShownChannels channels = shown_channels(view);
  for (uint32_t y = 0; y < tile.height; y++) {
    uint8_t* const to = &picture.rgba[(size_t{tile.y + y} * picture.width + tile.x) * 4];
    const std::byte* const row = bytes + (view.tiled ? arch::tiled_offset(0, y, 0, view.texel_bytes)
                                                     : uint64_t{y} * tile.segment_bytes);
    for (uint32_t x = 0; x < tile.width; x += kRun) {
      const uint32_t count = std::min(kRun, tile.width - x);
      const std::byte* const from =
          row + (view.tiled ? arch::tiled_offset(x, 0, 0, view.texel_bytes) : x * view.texel_bytes);
      Codes codes{};
      if (!in_bytes)
        for (uint32_t i = 0; i < count; i++)
          codes[i] = display_color(*view.format, view.layout, from + i * view.texel_bytes);
      else if (count == kRun) std::memcpy(&codes, from, sizeof codes);
      else std::memcpy(&codes, from, count * sizeof(uint32_t));
      const Codes shown = channels.apply(codes);
      if (count == kRun) std::memcpy(to + 4 * x, &shown, sizeof shown);
      else std::memcpy(to + 4 * x, &shown, count * sizeof(uint32_t));
    }
  }
}

}  // namespace cutaway::func
