#pragma once

#include "func/raster/setup.h"
#include "func/raster/window.h"

// Inside raster/: the steps of setup() by kind of primitive.
namespace cutaway::func::raster {

// What a primitive is set up from.
struct SetupContext {
  const arch::Registers& registers;
  const SetupInput& input;
  View view;
  WindowVertex vertex[3];
};

// Where a primitive can lie at most, in units, inclusive.
struct UnitBounds {
  int64_t x0, y0, x1, y1;
};

// Each fills edges, basis and combinations, facing and depth range. bounds holds where drawing is allowed and
// receives where the primitive can lie; it may reach beyond what is allowed.
SetupResult setup_triangle(const SetupContext& context, Primitive& primitive, UnitBounds& bounds);
SetupResult setup_line(const SetupContext& context, Primitive& primitive, UnitBounds& bounds);
SetupResult setup_point(const SetupContext& context, Primitive& primitive, UnitBounds& bounds);

// Narrows bounds to those of a triangle that has vertices without a window position. inv_w is its 1/w over x
// and y from the viewport's centre. False: the triangle lies outside.
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
