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
  int64_t x0 = INT64_MIN / 2, y0 = INT64_MIN / 2, x1 = INT64_MAX / 2, y1 = INT64_MAX / 2;
};

// Each fills edges, basis and combinations, facing and depth range, and says where the primitive can lie.
SetupResult setup_triangle(const SetupContext& context, Primitive& primitive, UnitBounds& bounds);
SetupResult setup_line(const SetupContext& context, Primitive& primitive, UnitBounds& bounds);
SetupResult setup_point(const SetupContext& context, Primitive& primitive, UnitBounds& bounds);

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
