#pragma once

#include <array>
#include <cstdint>

#include "arch/state.h"
#include "func/raster/primitive.h"

// Depth, barycentrics and attributes of fragments. All functions accept helper pixels outside the primitive.
// A lane's bits do not depend on other lanes and, except in interpolate(), not on the host's flush-to-zero
// mode: denormal results are zero. interpolate() requires that mode.
namespace cutaway::func {

// Lanes of a quad: (x, y), (x+1, y), (x, y+1), (x+1, y+1).
template <uint32_t kLanes>
struct Positions {
  int32_t x[kLanes], y[kLanes];  // pixels
};
constexpr Positions<4> quad_positions(int32_t x, int32_t y) {
  return {{x, x + 1, x, x + 1}, {y, y, y + 1, y + 1}};
}

// Perspective weights of vertices 1 and 2 (vertex 0 has the rest), weights linear in window space, and 1/w.
template <uint32_t kLanes>
struct Barycentrics {
  float p1[kLanes], p2[kLanes];
  float l1[kLanes], l2[kLanes];
  float inv_w[kLanes];
};

// Window depth after bias, clamped to [0, 1] and with depth clamp to the viewport's range.
template <uint32_t kLanes>
void depth(const Primitive& primitive, const Positions<kLanes>& at, SampleOffset sample, float z[kLanes]);

template <uint32_t kLanes>
void barycentrics(const Primitive& primitive, const Positions<kLanes>& at, SampleOffset sample,
                  Barycentrics<kLanes>& out);
// The same at an individual place in each pixel; the bits equal those of the function above at that place.
void barycentrics(const Primitive& primitive, const Positions<4>& at, const SampleOffset (&sample)[4],
                  Barycentrics<4>& out);

// The place in a pixel nearest to an offset from its centre, in pixels; NaN counts as no offset.
SampleOffset place_at_offset(float x, float y);

// Vulkan "PointCoord": 0 to 1 over a point, from its upper left corner.
template <uint32_t kLanes>
void point_coord(const Primitive& primitive, const Positions<kLanes>& at, SampleOffset sample,
                 float s[kLanes], float t[kLanes]);

// Interpolates one component of an attribute at all lanes from its values at the vertices (missing ones are
// not read): a0 + w1 (a1 - a0) + w2 (a2 - a0), exact where the three agree. Flat: a0's bits. NaN results are
// 0x7fc00000.
template <uint32_t kLanes>
void interpolate(arch::Interpolation mode, uint32_t vertices, const Barycentrics<kLanes>& weights,
                 uint32_t a0, uint32_t a1, uint32_t a2, uint32_t out[kLanes]);

// The same for all components of a quad's attribute: a0, a1 and a2 are the vertices' values, by component.
// out[component][lane].
void interpolate(arch::Interpolation mode, uint32_t vertices, const Barycentrics<4>& weights,
                 const std::array<uint32_t, 4>& a0, const std::array<uint32_t, 4>& a1,
                 const std::array<uint32_t, 4>& a2, uint32_t out[4][4]);

// Vulkan "FragCoord": sample position in pixels, depth as given, 1/w. out[component][lane].
template <uint32_t kLanes>
void frag_coord(const Positions<kLanes>& at, SampleOffset sample, const float z[kLanes],
                const float inv_w[kLanes], float out[4][kLanes]);

// Instantiated for 4 and 32 lanes.
}  // namespace cutaway::func
