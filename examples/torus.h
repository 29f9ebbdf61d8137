#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <vector>

// A torus around the y axis, that several programs draw.
namespace headless {

struct SurfaceVertex {
  float position[3], normal[3];
};
constexpr uint32_t kTorusAround = 24, kTorusAcross = 12;

inline std::vector<SurfaceVertex> make_torus() {
  std::vector<SurfaceVertex> vertices;
  for (uint32_t i = 0; i < kTorusAround; i++)
    for (uint32_t j = 0; j < kTorusAcross; j++) {
      const double a = 2 * M_PI * i / kTorusAround, b = 2 * M_PI * j / kTorusAcross;
      const double n[3] = {std::cos(a) * std::cos(b), std::sin(b), std::sin(a) * std::cos(b)};
      SurfaceVertex v;
      for (int c = 0; c < 3; c++) {
        const double ring = c == 0 ? std::cos(a) : c == 2 ? std::sin(a) : 0;
        v.position[c] = static_cast<float>(0.7 * ring + 0.25 * n[c]);
        v.normal[c] = static_cast<float>(n[c]);
      }
      vertices.push_back(v);
    }
  return vertices;
}

inline uint16_t torus_vertex(uint32_t i, uint32_t j) {
  return static_cast<uint16_t>(i % kTorusAround * kTorusAcross + j % kTorusAcross);
}

// Two triangles a face; with adjacency the vertex beyond each edge stands behind its first vertex.
inline std::vector<uint16_t> torus_indices(bool adjacency) {
  std::vector<uint16_t> indices;
  const auto add = [&](std::initializer_list<uint16_t> all) {
    for (size_t i = 0; i < all.size(); i++)
      if (adjacency || i % 2 == 0) indices.push_back(all.begin()[i]);
  };
  for (uint32_t i = kTorusAround; i < 2 * kTorusAround; i++)
    for (uint32_t j = kTorusAcross; j < 2 * kTorusAcross; j++) {
      const uint16_t a = torus_vertex(i, j), b = torus_vertex(i + 1, j), c = torus_vertex(i, j + 1),
                     d = torus_vertex(i + 1, j + 1);
      add({a, torus_vertex(i + 1, j - 1), b, d, c, torus_vertex(i - 1, j + 1)});
      add({c, a, b, torus_vertex(i + 2, j), d, torus_vertex(i, j + 2)});
    }
  return indices;
}

}  // namespace headless
