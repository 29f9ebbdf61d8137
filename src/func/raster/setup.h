#pragma once

#include <cstdint>

#include "arch/registers.h"
#include "func/raster/primitive.h"

// Triangle setup: turns clip-space vertices and state into half planes and interpolation planes.
namespace cutaway::func {

// Distances of one vertex: raster's vertex_out.clip_distances clip distances, then the cull distances.
using ClipDistances = float[kMaxClipDistances];

struct SetupInput {
  const float (*position)[4] = nullptr;  // clip space, one per vertex; provoking vertex first
  uint32_t vertices = 0;                 // 1 point, 2 line, 3 triangle
  uint32_t first = 0;                    // index of the first vertex in Vulkan's order
  uint32_t part = 0;                     // less than setup_parts()
  uint32_t stipple_phase = 0;            // StippleCounter
  uint32_t primitive_id = 0;
  uint32_t viewport = 0;                     // index; beyond the viewports in use reads as 0
  float point_size = 1;                      // pixels; of the vertex point_vertex()
  const ClipDistances* distances = nullptr;  // one per vertex; may be null if the registers use none
};

enum class SetupResult : uint8_t {
  kAccepted,
  kTriviallyRejected,  // all vertices outside one clip plane, or behind the eye; cull distances
  kNotFinite,          // a position or the viewport is not finite
  kZeroArea,
  kCulledFace,
  kNoPixels,  // no sample position within the bounds
};

// Number of primitives that setup makes of one: with polygon modes a triangle gives 3, its edges or its
// vertices.
inline uint32_t setup_parts(const arch::Registers& registers, uint32_t vertices) {
  return vertices == 3 && registers.raster.polygon_mode != 0 ? 3 : 1;
}
// The vertex that becomes a point, if the part is a point.
inline uint32_t point_vertex(const SetupInput& input) {
  return input.vertices == 3 ? (input.first + input.part) % 3 : 0;
}
// True if this result of one part holds for all parts.
inline bool rejects_all_parts(SetupResult result) {
  return result != SetupResult::kAccepted && result != SetupResult::kNoPixels;
}

// Sets up one primitive, or one part of a polygon. primitive is valid when the result is kAccepted. Any input
// is legal.
//
// Vertices with w > 0 inside the guard band are snapped to 1/256 pixel, to nearest with ties to even. A
// primitive with only snapped vertices has integer edges between them. An edge with one unsnapped vertex runs
// from the snapped vertex in the other's direction; an edge with two runs through both by homogeneous
// coordinates. Near plane, far plane and clip distances that cut a primitive are additional half planes. The
// result does not depend on scissor, framebuffer or the evaluated pixel (Vulkan "Invariance").
//
// Lines are rectangles (Vulkan "strictLines") with exact edges along their ends and a width rounded to 1/128
// pixel, or Bresenham lines ("Bresenham Line Segment Rasterization": the diamond rule, exact except that an
// end on the border of a diamond lies in none). A line that is cut by the eye, the guard band, near, far or a
// clip distance is rasterised between the snapped ends of the remaining part. Smooth lines are half a pixel
// larger on all sides. Points are squares.
//
// The edges and vertices of a polygon keep its facing, its depth bias and its vertices' values: barycentrics
// are the polygon's. A polygon without area is back-facing.
SetupResult setup(const arch::Registers& registers, const SetupInput& input, Primitive& primitive);

const char* name(SetupResult result);

}  // namespace cutaway::func
