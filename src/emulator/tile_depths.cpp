#include "emulator/tile_depths.h"

namespace cutaway::emulator {
namespace {

// From this many covered quads on, half a tile, the depth of the whole tile is found: from about ten on that
// costs less.
constexpr uint32_t kManyQuads = func::kTileQuads / 2;

}  // namespace

void TileDepths::find(const func::Primitive& primitive, int32_t x, int32_t y, uint64_t covered) {
  const uint64_t quads = quads_with(covered);
  whole_ = number_of(quads) >= kManyQuads;
  if (whole_) return wide_.tile_depth(primitive, x, y, z_);
  int32_t at_x[func::kTileQuads], at_y[func::kTileQuads];
  each_quad(quads, [&](uint32_t i, uint32_t place) {
    at_x[place] = x + func::quad_x(i), at_y[place] = y + func::quad_y(i);
  });
  wide_.depth(primitive, at_x, at_y, number_of(quads), z_);
}

}  // namespace cutaway::emulator
