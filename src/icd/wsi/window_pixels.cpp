#include "icd/wsi/window_pixels.h"

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace cutaway::icd {
namespace {

// Reads 32-bit elements of the first level.
void read_pixels(const arch::Surface& surface, const arch::Memory& memory, std::span<uint32_t> pixels) {
  const uint32_t width = surface.width, height = surface.height;
  const arch::LevelLayout level = arch::level_layout(surface, 0);
  const auto address = [&](uint32_t x, uint32_t y) {
    return arch::element_address(surface, level, x, y, 0, 0);
  };
  const auto place = [&](uint32_t x, uint32_t y) { return &pixels[size_t{y} * width + x]; };
  if (surface.tiling() == arch::Tiling::kLinear) {
    for (uint32_t y = 0; y < height; y++) memory.read(address(0, y), place(0, y), width * sizeof(uint32_t));
    return;
  }
  constexpr uint32_t kSize = arch::kTileSize, kRun = arch::kSectorSize;
  std::vector<uint32_t> tiles((width + kSize - 1) / kSize * kSize * kSize);  // a row of them
  for (uint32_t top = 0; top < height; top += kSize) {
    memory.read(address(0, top), tiles.data(), tiles.size() * sizeof tiles[0]);
    for (uint32_t y = 0; y < std::min(kSize, height - top); y++) {
      uint32_t* const to = place(0, top + y);
      const auto run = [&](uint32_t x) { return &tiles[arch::tiled_offset(x, y, 0, 1)]; };
      uint32_t x = 0;
      for (; x + kRun <= width; x += kRun) std::copy_n(run(x), kRun, to + x);
      if (x < width) std::copy_n(run(x), width - x, to + x);
    }
  }
}

}  // namespace

void read_window_pixels(const arch::Surface& surface, const arch::Memory& memory,
                        std::span<uint32_t> pixels) {
  CUTAWAY_CHECK(pixels.size() == size_t{surface.width} * surface.height);
  read_pixels(surface, memory, pixels);
  const bool red_first = surface.format == static_cast<uint32_t>(arch::Format::R8G8B8A8_UNORM) ||
                         surface.format == static_cast<uint32_t>(arch::Format::R8G8B8A8_SRGB);
  if (!red_first) return;
  for (uint32_t& p : pixels) p = (p & 0xff00ff00) | (p & 0xff) << 16 | (p >> 16 & 0xff);
}

}  // namespace cutaway::icd
