#pragma once

#include <cstdint>

#include "func/raster/interpolate.h"
#include "func/shader/micro_op.h"

// Depth, barycentrics and attributes at the centres of the pixels of many quads, bit-identical to
// interpolate.h. x and y: the upper left pixel of each quad. At most 8 quads if a Barycentrics<32> is
// involved; pixels after the last quad are left alone.
namespace cutaway::func {

// Weights to compute besides the perspective ones.
struct WantedWeights {
  bool linear = true, inv_w = true;
};

// A component of an attribute, and where its first lane goes.
struct WideComponent {
  arch::Interpolation mode;
  uint32_t* out;
};

// A component that differs between a primitive's vertices: its value at the first, and the differences from
// there to the others.
struct WideVarying {
  uint32_t* out;
  float start, along1, along2;
  bool linear;
};

struct WideInterpolation {
  void (*depth)(const Primitive& primitive, const int32_t* x, const int32_t* y, uint32_t quads, float* z);
  // Depths of the 64 pixels of the tile at (x, y), in sector order (coverage.h).
  void (*tile_depth)(const Primitive& primitive, int32_t x, int32_t y, float* z);
  // Leaves weights that are not wanted unchanged.
  void (*barycentrics)(const Primitive& primitive, const int32_t* x, const int32_t* y, uint32_t quads,
                       WantedWeights wanted, Barycentrics<32>& out);
  // The same for the 8 quads from (x, y) on that make up half a tile, in their order (coverage.h).
  void (*half_barycentrics)(const Primitive& primitive, int32_t x, int32_t y, WantedWeights wanted,
                            Barycentrics<32>& out);
  // values: at the three vertices of each component, one component after the other.
  void (*interpolate)(const WideComponent* components, uint32_t count, uint32_t vertices,
                      const Barycentrics<32>& weights, uint32_t quads, const uint32_t* values, uint32_t lane);
  // interpolate() in two parts, for many groups of 32 lanes of a primitive. prepare() fills the components
  // that are equal in all lanes, and returns the number of others, at most `count`, which it describes.
  uint32_t (*prepare)(const WideComponent* components, uint32_t count, uint32_t vertices,
                      const uint32_t* values, WideVarying* varying);
  // Fills the components that prepare() described.
  void (*interpolate_all)(const WideVarying* varying, uint32_t count, const Barycentrics<32>& weights);
};
const WideInterpolation& wide_interpolation(AluPath path = AluPath::kBest);

namespace portable {
const WideInterpolation& wide_interpolation();
}
namespace avx2 {
const WideInterpolation& wide_interpolation();
}
namespace avx512 {
const WideInterpolation& wide_interpolation();
}

}  // namespace cutaway::func
