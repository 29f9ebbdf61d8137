#include "scenes/meshes.h"

#include <cmath>
#include <numbers>

#include "scenes/parts.h"

namespace cutaway::scenes {

Vector operator+(const Vector& a, const Vector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector operator*(float s, const Vector& a) { return {s * a[0], s * a[1], s * a[2]}; }
float dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector normalized(const Vector& a) { return 1 / std::sqrt(dot(a, a)) * a; }

void Mesh::add_grid(uint32_t columns, uint32_t rows, const std::function<MeshVertex(float u, float v)>& at) {
  const auto first = static_cast<uint32_t>(vertices.size());
  const uint32_t pitch = columns + 1;
  for (uint32_t y = 0; y <= rows; y++)
    for (uint32_t x = 0; x <= columns; x++)
      vertices.push_back(at(static_cast<float>(x) / static_cast<float>(columns),
                            static_cast<float>(y) / static_cast<float>(rows)));
  for (uint32_t y = 0; y < rows; y++)
    for (uint32_t x = 0; x < columns; x++) {
      const uint32_t i = first + y * pitch + x;
      index.insert(index.end(), {i, i + 1, i + pitch, i + 1, i + pitch + 1, i + pitch});
    }
}

void Mesh::add_tube(uint32_t pieces, uint32_t sides, float radius,
                    const std::function<Vector(float t)>& curve) {
  add_grid(sides, pieces, [&](float u, float v) {
    const float step = 0.5f / static_cast<float>(pieces);
    const Vector here = curve(v), next = curve(v + step);
    const Vector along = normalized(next - here);
    const Vector side = normalized(cross(along, next + here)), out = cross(side, along);
    const double angle = 2 * std::numbers::pi * u;
    const Vector normal = cosine(angle) * out + sine(angle) * side;
    return MeshVertex{here + radius * normal, normal, {8 * v, u}};
  });
}

namespace {

// `toward`: 1 seen from outside, -1 from inside.
void add_sides(Mesh& mesh, const Vector& low, const Vector& high, uint32_t parts, float toward) {
  for (uint32_t axis = 0; axis < 3; axis++)
    for (const float sign : {1.0f, -1.0f}) {
      const uint32_t across = (axis + 1) % 3, up = (axis + 2) % 3;
      mesh.add_grid(parts, parts, [&](float u, float v) {
        if (sign * toward < 0) u = 1 - u;
        MeshVertex vertex;
        vertex.position[axis] = sign > 0 ? high[axis] : low[axis];
        vertex.position[across] = low[across] + u * (high[across] - low[across]);
        vertex.position[up] = low[up] + v * (high[up] - low[up]);
        vertex.normal[axis] = sign * toward;
        vertex.coordinates = {vertex.position[across], vertex.position[up]};
        return vertex;
      });
    }
}

}  // namespace

void Mesh::add_box(const Vector& low, const Vector& high, uint32_t parts) {
  add_sides(*this, low, high, parts, 1);
}
void Mesh::add_room(const Vector& low, const Vector& high, uint32_t parts) {
  add_sides(*this, low, high, parts, -1);
}

std::vector<float> view_rows(const Vector& eye, const Vector& target, double angle, float near, float far) {
  const Vector back = normalized(eye - target), right = normalized(cross({0, 1, 0}, back)),
               up = cross(back, right);
  const float scale = cosine(angle / 2) / sine(angle / 2), depth = far / (far - near);
  // Clip space has y downwards.
  const Vector rows[] = {scale * right, -scale * up, -depth * back, -1.0f * back};
  std::vector<float> values;
  for (int i = 0; i < 4; i++) {
    const float offset = -dot(rows[i], eye) - (i == 2 ? depth * near : 0);
    values.insert(values.end(), {rows[i][0], rows[i][1], rows[i][2], offset});
  }
  return values;
}

void set_mesh(Builder& b, const Mesh& mesh) {
  std::vector<float> values;
  for (const MeshVertex& v : mesh.vertices) {
    values.insert(values.end(), v.position.begin(), v.position.end());
    values.insert(values.end(), v.normal.begin(), v.normal.end());
    values.insert(values.end(), v.coordinates.begin(), v.coordinates.end());
  }
  b.vertices(values, {3, 3, 2});
  auto& assembly = b.registers.assembly;
  assembly.topology = static_cast<uint32_t>(arch::Topology::kTriangleList);
  assembly.index_address = b.upload(mesh.index);
  assembly.index_bytes = static_cast<uint32_t>(4 * mesh.index.size());
  assembly.index_type = static_cast<uint32_t>(arch::IndexType::kUint32);
}

void draw_mesh(Builder& b, const Mesh& mesh) { b.draw_indexed(static_cast<uint32_t>(mesh.index.size())); }

}  // namespace cutaway::scenes
