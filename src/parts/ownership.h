#pragma once

#include <cstdint>

namespace cutaway::parts {

// The unit that owns the 8×8 tile of a pixel: neighbours in both directions belong to different units.
constexpr unsigned owner_of_tile(int32_t x, int32_t y, unsigned units) {
  const uint32_t tile_x = static_cast<uint32_t>(x) >> 3, tile_y = static_cast<uint32_t>(y) >> 3;
  return (tile_x + tile_y) % units;
}

}  // namespace cutaway::parts
