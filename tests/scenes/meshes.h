#pragma once

#include <array>
#include <functional>
#include <vector>

#include "scenes/builder.h"

// Meshes of triangles and the views of them that scenes draw. y points up, z towards the eye.
namespace cutaway::scenes {

using Vector = std::array<float, 3>;

Vector operator+(const Vector& a, const Vector& b);
Vector operator-(const Vector& a, const Vector& b);
Vector operator*(float s, const Vector& a);
float dot(const Vector& a, const Vector& b);
Vector cross(const Vector& a, const Vector& b);
Vector normalized(const Vector& a);

struct MeshVertex {
  Vector position{};
  Vector normal{};
  std::array<float, 2> coordinates{};
};

struct Mesh {
  std::vector<MeshVertex> vertices;
  std::vector<uint32_t> index;  // triangles, three each

  // A grid of columns x rows squares over [0, 1] x [0, 1], each of two triangles, row after row. The front is
  // where u runs to the right and v upwards, as of all meshes here.
  void add_grid(uint32_t columns, uint32_t rows, const std::function<MeshVertex(float u, float v)>& at);
  // A tube around a closed curve over [0, 1]: so many pieces along it and sides around it.
  void add_tube(uint32_t pieces, uint32_t sides, float radius, const std::function<Vector(float t)>& curve);
  // Six sides, seen from outside, each of parts x parts squares. Coordinates in units of space.
  void add_box(const Vector& low, const Vector& high, uint32_t parts);
  // The same seen from inside.
  void add_room(const Vector& low, const Vector& high, uint32_t parts);
};

// Rows of the matrix from space to clip space: seen from `eye` towards `target`, with a vertical field of
// view of `angle` radians on a square target, depth 0 at `near` and 1 at `far`.
std::vector<float> view_rows(const Vector& eye, const Vector& target, double angle, float near, float far);

// Attributes 0 to 2 (position, normal, coordinates) and the indices of the next draws.
void set_mesh(Builder& b, const Mesh& mesh);
void draw_mesh(Builder& b, const Mesh& mesh);

}  // namespace cutaway::scenes
