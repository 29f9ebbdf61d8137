#pragma once

#include <bit>
#include <cstdint>

#include "arch/registers.h"
#include "func/raster/primitive.h"

// Inside raster/: from clip space to window coordinates, in double precision.
namespace cutaway::func::raster {

constexpr double kUnits = kSubpixels;

inline bool finite(float value) { return (std::bit_cast<uint32_t>(value) & 0x7f800000) != 0x7f800000; }

// A float in double precision; denormals are zero whatever the host's floating-point mode.
inline double load(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  return (bits & 0x7f800000) == 0 ? 0.0 : static_cast<double>(value);
}

// As load, for distances that may be anything: NaN is far outside, infinities are large.
inline double load_distance(float value) {
  if (finite(value)) return load(value);
  return value > 0 ? 0x1p127 : -0x1p127;
}

// To the nearest integer, ties to even; |value| < 2^51.
inline double round_to_integer(double value) {
  constexpr double kShift = 0x1.8p52;
  return (value + kShift) - kShift;
}

inline double absolute(double value) { return value < 0 ? -value : value; }
inline double smaller(double a, double b) { return a < b ? a : b; }
inline double larger(double a, double b) { return a > b ? a : b; }

inline bool clips_depth(const arch::Registers& registers) {
  return (registers.raster.depth_clip & arch::kClipDepth) != 0;
}
// Negative in front of the near plane.
inline double near_distance(const arch::Registers& registers, double z, double w) {
  return (registers.raster.depth_clip & arch::kClipFromMinusOne) != 0 ? w + z : z;
}

// The viewport transform, x and y in units.
struct View {
  double scale_x, scale_y, scale_z, offset_x, offset_y, offset_z;

  // False when it is not finite.
  bool read(const arch::Viewport& viewport);
};

// A vertex in window space.
struct WindowVertex {
  // Homogeneous position in units, relative to the viewport's centre: window x is x / w + offset_x. A
  // snapped vertex stands where it was snapped to.
  double x, y, w;
  double z;  // clip space
  bool snapped;
  int64_t unit_x, unit_y;  // window position if snapped
};

WindowVertex window_vertex(const View& view, const float position[4]);

// Homogeneous line through two points: a x + b y + c w, positive to the right of the way from p to q on the
// screen (y down). Swapped points give negated bits.
inline Plane line_through(const WindowVertex& p, const WindowVertex& q) {
  return {p.y * q.w - q.y * p.w, q.x * p.w - p.x * q.w, p.x * q.y - q.x * p.y};
}

// What an integer half plane has become.
enum class HalfPlane { kEdge, kEverything, kNothing };

// Scales a line to integer coefficients: inside where a x + b y + c > 0 and, for inclusive lines, = 0; else
// what lies on it is inside by the top-left rule. A negated line gives the complement then.
HalfPlane to_edge(const Plane& line, bool inclusive, Edge& edge);

// Takes what lies on an edge out unless it is a top or a left edge (Vulkan "Basic Polygon Rasterization").
inline void apply_top_left_rule(Edge& edge) {
  if (!(edge.a > 0 || (edge.a == 0 && edge.b > 0))) --edge.c;
}

}  // namespace cutaway::func::raster
