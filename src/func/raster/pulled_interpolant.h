#pragma once

#include <cstdint>
#include <cstring>

#include "func/raster/interpolate.h"

namespace cutaway::func {

// Pull-model interpolation: a running program evaluates an interpolant at places that it chooses.
struct PulledInterpolant {
  arch::Interpolation mode = arch::Interpolation::kPerspective;
  uint32_t vertices = 3;  // of the primitive
  uint8_t mask = 0xf;     // requested components
};

// Evaluates the interpolant for the four lanes of the quad at (x, y), from the primitive alone. offset: from
// the centres of the pixels, floats in pixels [x, y][lane]. value(vertex, component) returns bits. Components
// that are not requested are 0.
template <class Value>
void pull_interpolant(const Primitive& primitive, int32_t x, int32_t y, const PulledInterpolant& wanted,
                      const uint32_t (&offset)[2][4], Value&& value, uint32_t (&out)[4][4]) {
  SampleOffset place[4];
  for (uint32_t lane = 0; lane < 4; lane++) {
    float by[2];
    for (uint32_t c = 0; c < 2; c++) std::memcpy(&by[c], &offset[c][lane], sizeof by[c]);
    place[lane] = place_at_offset(by[0], by[1]);
  }
  Barycentrics<4> weights;
  barycentrics(primitive, quad_positions(x, y), place, weights);
  for (uint32_t c = 0; c < 4; c++) {
    if (wanted.mask >> c & 1)
      interpolate<4>(wanted.mode, wanted.vertices, weights, value(0, c), value(1, c), value(2, c), out[c]);
    else std::memset(out[c], 0, sizeof out[c]);
  }
}

}  // namespace cutaway::func
