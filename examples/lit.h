#pragma once

#include "camera.h"
#include "torus.h"

// The push constants of lit.vert, lit.frag and shadow.geom.
struct Lit {
  headless::Matrix camera;
  std::array<float, 4> light, tint;
  float ambient, direct;
};

// A floor below the torus, two triangles of the vertices behind the torus' own.
inline void add_floor(std::vector<headless::SurfaceVertex>& vertices, std::vector<uint16_t>& indices) {
  const auto first = static_cast<uint16_t>(vertices.size());
  for (const float x : {-2.5f, 2.5f})
    for (const float z : {-2.5f, 2.5f}) vertices.push_back({{x, -0.9f, z}, {0, 1, 0}});
  for (const int i : {0, 1, 2, 2, 1, 3}) indices.push_back(static_cast<uint16_t>(first + i));
}
