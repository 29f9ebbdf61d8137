#pragma once

#include <cstdint>
#include <cstring>

#include "emulator/tile_masks.h"
#include "func/raster/primitive.h"
#include "func/raster/wide_interpolate.h"

namespace cutaway::emulator {

// Depths of a primitive in one tile, with one sample per pixel: of the covered quads one after the other, or,
// where most are covered, of the whole tile in the order of its sectors.
class TileDepths {
 public:
  TileDepths() : wide_(func::wide_interpolation()) {}

  // Finds the depths of the tile at (x, y), at least where `covered` has a pixel.
  void find(const func::Primitive& primitive, int32_t x, int32_t y, uint64_t covered);
  bool whole_tile() const { return whole_; }
  // The depths, in the order that whole_tile() says.
  const float* data() const { return z_; }
  // Depths of a quad that is the `place`-th covered one; z is room for them.
  const float* of_quad(uint32_t quad, uint32_t place, float z[4]) const {
    if (!whole_) return z_ + 4 * place;
    const float* from = z_ + element_place(quad);
    std::memcpy(z, from, 8);
    std::memcpy(z + 2, from + arch::kSectorSize, 8);
    return z;
  }

 private:
  const func::WideInterpolation& wide_;
  alignas(64) float z_[64];
  bool whole_ = false;
};

}  // namespace cutaway::emulator
