#pragma once

#include <cstdint>

// Cube maps (Vulkan "Cube Map Face Selection", "Cube Map Derivative Transformation", "Cube Map Edge
// Handling"). Faces in the order of layers: +x, -x, +y, -y, +z, -z.
namespace cutaway::func {

constexpr uint32_t kCubeFaces = 6;

// The axes of a face's s and t; the face's own axis is face / 2, negative if face is odd.
struct CubeFace {
  uint8_t s_axis, t_axis;
  int8_t s_sign, t_sign;
};
constexpr CubeFace kCubeFace[kCubeFaces] = {{2, 1, -1, -1}, {2, 1, 1, -1}, {0, 2, 1, 1},
                                            {0, 2, 1, -1},  {0, 1, 1, -1}, {0, 1, -1, -1}};

// The face of a direction: the largest axis; among equal axes z before y before x.
template <class T>
constexpr uint32_t cube_face(const T direction[3]) {
  const auto size = [&](uint32_t i) { return direction[i] < 0 ? -direction[i] : direction[i]; };
  const uint32_t axis = size(2) >= size(0) && size(2) >= size(1) ? 2 : size(1) >= size(0) ? 1 : 0;
  return 2 * axis + (direction[axis] < 0);
}

// The intersection of a direction with its face.
struct CubePoint {
  uint32_t face;
  float sc, tc;  // along s and t
  float rc;      // along the face's axis, not negative

  float s() const { return 0.5f * (sc / rc) + 0.5f; }
  float t() const { return 0.5f * (tc / rc) + 0.5f; }
};

inline CubePoint cube_point(const float direction[3]) {
  const uint32_t face = cube_face(direction);
  const CubeFace& axes = kCubeFace[face];
  const float rc = direction[face / 2];
  return {face, static_cast<float>(axes.s_sign) * direction[axes.s_axis],
          static_cast<float>(axes.t_sign) * direction[axes.t_axis], face % 2 ? -rc : rc};
}

// Derivatives of s and t at the point, from a derivative of the direction.
inline void cube_gradient(const CubePoint& at, const float derivative[3], double gradient[2]) {
  const CubeFace& axes = kCubeFace[at.face];
  const double rc = at.rc, d_rc = at.face % 2 ? -derivative[at.face / 2] : derivative[at.face / 2];
  const double d_sc = static_cast<double>(axes.s_sign) * derivative[axes.s_axis];
  const double d_tc = static_cast<double>(axes.t_sign) * derivative[axes.t_axis];
  gradient[0] = 0.5 * (rc * d_sc - at.sc * d_rc) / (rc * rc);
  gradient[1] = 0.5 * (rc * d_tc - at.tc * d_rc) / (rc * rc);
}

struct CubeTexel {
  uint32_t face = 0, x = 0, y = 0;
  bool missing = false;  // beyond a corner
};

// Texel (i, j) of a face of size² texels. At most one texel beyond an edge: the adjacent face's texel there.
constexpr CubeTexel cube_texel(uint32_t face, int64_t i, int64_t j, int64_t size) {
  const auto outside = [size](int64_t n) { return n < 0 || n >= size; };
  if (outside(i) && outside(j)) return {face, 0, 0, true};
  if (!outside(i) && !outside(j)) return {face, static_cast<uint32_t>(i), static_cast<uint32_t>(j), false};
  // The texel's center in a cube of half side `size`, folded over the edge onto the other face.
  const auto center = [&](int64_t n) { return n < 0 ? -size : n >= size ? size : 2 * n + 1 - size; };
  const CubeFace& from = kCubeFace[face];
  int64_t direction[3] = {};
  direction[from.s_axis] = from.s_sign * center(i);
  direction[from.t_axis] = from.t_sign * center(j);
  direction[face / 2] = face % 2 ? 1 - size : size - 1;
  const uint32_t other = cube_face(direction);
  const CubeFace& to = kCubeFace[other];
  return {other, static_cast<uint32_t>((to.s_sign * direction[to.s_axis] + size - 1) / 2),
          static_cast<uint32_t>((to.t_sign * direction[to.t_axis] + size - 1) / 2), false};
}

}  // namespace cutaway::func
