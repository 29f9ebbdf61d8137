#include "emulator/tile_depths.h"

#include <cstring>

#include "func/raster/interpolate.h"

namespace cutaway::emulator {
namespace {

// From this many covered quads on, the depth of the whole tile costs less.
constexpr uint32_t kManyQuads = 7;

}  // namespace

void TileDepths::find(const func::Primitive& primitive, int32_t x, int32_t y, uint64_t covered) {
  const uint64_t quads = quads_with(covered);
  whole_ = number_of(quads) >= kManyQuads;
  if (whole_) return wide_.tile_depth(primitive, x, y, z_);
  int32_t at_x[kTileElements], at_y[kTileElements];
  each_quad(quads, [&](uint32_t i, uint32_t place) {
    const auto at = func::quad_positions(x + func::quad_x(i), y + func::quad_y(i));
    std::memcpy(at_x + 4 * place, at.x, sizeof at.x);
    std::memcpy(at_y + 4 * place, at.y, sizeof at.y);
  });
  wide_.depth(primitive, at_x, at_y, 4 * number_of(quads), z_);
}

}  // namespace cutaway::emulator
