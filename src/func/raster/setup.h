#pragma once

#include <cstdint>

#include "arch/registers.h"
#include "func/raster/primitive.h"

// Triangle setup: clip-space vertices and state to half planes and interpolation planes.
namespace cutaway::func {

// Distances of one vertex: raster's vertex_out.clip_distances clip distances, then the cull distances.
using ClipDistances = float[kMaxClipDistances];

struct SetupInput {
  const float (*position)[4] = nullptr;  // clip space, one per vertex; provoking vertex first
  uint32_t vertices = 0;                 // 1 point, 2 line, 3 triangle
  uint32_t primitive_id = 0;
  uint32_t viewport = 0;                     // index; beyond the viewports in use reads as 0
  float point_size = 1;                      // pixels
  const ClipDistances* distances = nullptr;  // one per vertex; may be null when the registers ask for none
};

enum class SetupResult : uint8_t {
  kAccepted,
  kTriviallyRejected,  // all vertices outside one clip plane, or behind the eye; cull distances
  kNotFinite,          // a position or the viewport is not finite
  kZeroArea,
  kCulledFace,
  kNoPixels,  // no sample position within the bounds
};

// Sets up one primitive. primitive is valid when the result is kAccepted. Any input is legal.
//
// Vertices with w > 0 inside the guard band are snapped to 1/256 pixel, to nearest with ties to even. A
// primitive whose vertices are all snapped has integer edges between them. An edge with one other vertex runs
// from the snapped vertex in that vertex's direction; an edge with two runs through both by homogeneous
// coordinates. Near plane, far plane and clip distances that cut a primitive are further half planes.
// Nothing of this depends on scissor, framebuffer or the pixel asked for (Vulkan "Invariance").
//
// Lines (width 1) are Vulkan's non-strict parallelograms: half a pixel to both sides of the segment in its
// minor axis, half open at the ends, so each column (row) of a strip is drawn once. Points are squares.
SetupResult setup(const arch::Registers& registers, const SetupInput& input, Primitive& primitive);

const char* name(SetupResult result);

}  // namespace cutaway::func
