#pragma once

#include <array>
#include <cmath>

namespace headless {

using Point = std::array<float, 3>;
using Matrix = std::array<float, 16>;  // columns, one after the other

inline float dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Point normalized(const Point& a) {
  const float length = std::sqrt(dot(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}
inline Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// The view of an eye that looks at `target`, y up: half the picture's height is `slope` times the distance.
// Vulkan's clip coordinates.
inline Matrix camera(const Point& eye, const Point& target, float slope, float aspect, float near,
                     float far) {
  const Point ahead = normalized({target[0] - eye[0], target[1] - eye[1], target[2] - eye[2]});
  const Point right = normalized(cross(ahead, {0, 1, 0})), up = cross(right, ahead);
  const float depth = far / (far - near);
  Matrix m;
  for (size_t c = 0; c < 4; c++) {
    const auto along = [&](const Point& axis) { return c < 3 ? axis[c] : -dot(axis, eye); };
    m[4 * c] = along(right) / (slope * aspect);
    m[4 * c + 1] = -along(up) / slope;
    m[4 * c + 2] = along(ahead) * depth - (c == 3 ? near * depth : 0);
    m[4 * c + 3] = along(ahead);
  }
  return m;
}

}  // namespace headless
