#pragma once

#include <cstring>

#include "arch/registers.h"
#include "func/raster/interpolate.h"
#include "func/raster/samples.h"

// Contents of a fragment program's built-in input registers, for the four lanes of a quad: [component][lane].
namespace cutaway::command_stream {

using QuadInput = uint32_t[4][4];

// A quad of a primitive being shaded. x, y: of lane 0. `place`: the place in its pixel at which a fragment is
// shaded.
struct ShadedPlace {
  const func::Primitive& primitive;
  int32_t x = 0, y = 0;
  func::SampleOffset place;
  uint32_t samples = 1;  // per pixel
};

// arch::kInputFragCoord. z: the lanes' depths, with one sample; inv_w: 1 / w at the place.
inline void frag_coord_input(const ShadedPlace& at, const float z[4], const float inv_w[4], QuadInput out) {
  const auto positions = func::quad_positions(at.x, at.y);
  float coord[4][4], own[4];
  if (at.samples > 1) func::depth<4>(at.primitive, positions, at.place, own);
  func::frag_coord<4>(positions, at.place, at.samples > 1 ? own : z, inv_w, coord);
  std::memcpy(out, coord, sizeof coord);
}

// arch::kInputFragment. sample: the shaded sample; covered: by the primitive.
inline void fragment_input(const func::Primitive& primitive, uint32_t sample, func::QuadSamples covered,
                           QuadInput out) {
  const bool one_sample = covered < 16;  // or others are not covered
  for (uint32_t lane = 0; lane < 4; lane++) {
    out[0][lane] = primitive.front_facing ? ~0u : 0u;
    out[1][lane] = sample;
    out[2][lane] = one_sample ? covered >> lane & 1 : func::lane_samples(covered, lane);
    out[3][lane] = primitive.id;
  }
}

// arch::kInputPointCoord.
inline void point_coord_input(const ShadedPlace& at, QuadInput out) {
  float s[4], t[4];
  func::point_coord<4>(at.primitive, func::quad_positions(at.x, at.y), at.place, s, t);
  std::memcpy(out[0], s, sizeof s);
  std::memcpy(out[1], t, sizeof t);
  std::memset(out[2], 0, 2 * sizeof out[2]);
}

}  // namespace cutaway::command_stream
