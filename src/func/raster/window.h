#pragma once

#include <bit>
#include <cstdint>

#include "arch/registers.h"
#include "func/raster/primitive.h"

// Internal to raster/: converts clip space to window coordinates, in double precision.
namespace cutaway::func::raster {

constexpr double kUnits = kSubpixels;

inline bool finite(float value) { return (std::bit_cast<uint32_t>(value) & 0x7f800000) != 0x7f800000; }

// Converts a float to double; denormals are zero whatever the host's floating-point mode.
inline double load(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  return (bits & 0x7f800000) == 0 ? 0.0 : static_cast<double>(value);
}

// Same as load, for arbitrary distances: NaN is far outside, infinities are large.
inline double load_distance(float value) {
  if (finite(value)) return load(value);
  return value > 0 ? 0x1p127 : -0x1p127;
}

// Rounds to the nearest integer, ties to even; |value| < 2^51.
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
// Signed distance, negative in front of the near plane.
inline double near_distance(const arch::Registers& registers, double z, double w) {
  return (registers.raster.depth_clip & arch::kClipFromMinusOne) != 0 ? w + z : z;
}

// The viewport transform, x and y in units.
struct View {
  double scale_x, scale_y, scale_z, offset_x, offset_y, offset_z;

  // Returns false if the viewport is not finite.
  bool read(const arch::Viewport& viewport);
};

// A vertex in window space.
struct WindowVertex {
  // Homogeneous position in units, relative to the viewport's centre: window x is x / w + offset_x. For a
  // snapped vertex this is the snapped position.
  double x, y, w;
  double z;  // clip space
  bool snapped;
  int64_t unit_x, unit_y;  // window position if snapped
};

WindowVertex window_vertex(const View& view, const float position[4]);

// Homogeneous line through two points: a x + b y + c w, positive to the right of the direction from p to q on
// the screen (y down). Swapped points give negated bits.
inline Plane line_through(const WindowVertex& p, const WindowVertex& q) {
  return {p.y * q.w - q.y * p.w, q.x * p.w - p.x * q.w, p.x * q.y - q.x * p.y};
}

// Result of converting a half plane to an integer edge.
enum class HalfPlane { kEdge, kEverything, kNothing };

// Scales a line to integer coefficients: inside where a x + b y + c > 0. Points on the line are inside if
// `inclusive`, otherwise by the top-left rule; then a negated line gives the complement.
HalfPlane to_edge(const Plane& line, bool inclusive, Edge& edge);

// Excludes points on an edge unless it is a top or a left edge (Vulkan "Basic Polygon Rasterization").
inline void apply_top_left_rule(Edge& edge) {
  if (!(edge.a > 0 || (edge.a == 0 && edge.b > 0))) --edge.c;
}

}  // namespace cutaway::func::raster
