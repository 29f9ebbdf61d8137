#pragma once

#include <emmintrin.h>

#include "func/raster/setup.h"
#include "func/raster/window.h"

// Internal to raster/: the steps of setup() by kind of primitive.
namespace cutaway::func::raster {

// Inputs of the setup of one primitive.
struct SetupContext {
  const arch::Registers& registers;
  const SetupInput& input;
  View view;
  WindowVertex vertex[3];
};

// Bounds of a primitive, in units, inclusive.
struct UnitBounds {
  int64_t x0, y0, x1, y1;
};

// Each fills edges, basis and combinations, facing and depth range. On entry bounds holds the drawable area;
// on return the primitive's extent, which may reach beyond it.
SetupResult setup_triangle(const SetupContext& context, Primitive& primitive, UnitBounds& bounds);
// Sets up a line from one vertex to another, or a point at one vertex.
SetupResult setup_line(const SetupContext& context, uint32_t from, uint32_t to, Primitive& primitive,
                       UnitBounds& bounds);
SetupResult setup_point(const SetupContext& context, uint32_t vertex, Primitive& primitive,
                        UnitBounds& bounds);
// Sets up a point or an edge of a triangle, by polygon mode, with the triangle's depth bias.
SetupResult setup_polygon_part(const SetupContext& context, Primitive& primitive, UnitBounds& bounds);

// Vulkan "Depth Bias": the offset of the primitive's depth plane.
double depth_bias(const arch::Registers& registers, const Primitive& primitive);
inline void add_bias(double bias, Primitive& primitive) {
  primitive.depth.constant += bias;
  primitive.depth_low += bias;
  primitive.depth_high += bias;
}

// Width of a line or size of a point in units: 1 pixel to `most`, an even number of units.
inline int64_t extent(float size, double most) {
  if (!(size > 1)) return kSubpixels;
  return static_cast<int64_t>(round_to_integer(smaller(load_distance(size), most) * (kUnits / 2))) * 2;
}

inline double square_root(double value) {
  const __m128d v = _mm_set_sd(value);
  return _mm_cvtsd_f64(_mm_sqrt_sd(v, v));
}

inline void add_inclusive(Primitive& primitive, int64_t a, int64_t b, int64_t c) {
  Edge& edge = primitive.edge[primitive.edges++];
  edge.a = static_cast<int32_t>(a), edge.b = static_cast<int32_t>(b), edge.c = c;
}

// Adds the half-open interval [from, to) of x (axis 0) or y (axis 1).
inline void add_interval(Primitive& primitive, int axis, int64_t from, int64_t to) {
  add_inclusive(primitive, axis == 0, axis == 1, -from);
  add_inclusive(primitive, -(axis == 0), -(axis == 1), to - 1);
}

// Narrows bounds to those of a triangle with vertices that have no window position. inv_w is its 1/w over x
// and y from the viewport's centre. Returns false if the triangle lies outside.
bool narrow_bounds(const View& view, const WindowVertex vertex[3], const Combination& inv_w,
                   UnitBounds& bounds);

// Distance i of vertex v, or 0.
inline double distance(const SetupContext& context, uint32_t v, uint32_t i) {
  return context.input.distances != nullptr ? load_distance(context.input.distances[v][i]) : 0;
}
inline uint32_t clip_distance_count(const SetupContext& context) {
  if (context.input.distances == nullptr) return 0;
  const uint32_t count = context.registers.vertex_out.clip_distances;
  return count < kMaxClipDistances ? count : kMaxClipDistances;
}

}  // namespace cutaway::func::raster
