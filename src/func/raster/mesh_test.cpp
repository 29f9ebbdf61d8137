#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "func/raster/interpolate.h"
#include "func/raster/raster_testing.h"

// Tests meshes: each pixel is drawn exactly once, wherever the triangles' edges cross, and depth and
// attributes equal the surface's.
namespace cutaway::func::mesh_test {
namespace {

using namespace testing;

constexpr int kSize = 64;

// A plane in clip space: origin + s u + t v, seen through registers(kSize, kSize).
struct Surface {
  double origin[4], u[4], v[4];

  Position at(double s, double t) const {
    Position p;
    for (int i = 0; i < 4; ++i) p[i] = static_cast<float>(origin[i] + s * u[i] + t * v[i]);
    return p;
  }
};

// The intersection of a surface with the eye's ray through window position (x, y).
struct Hit {
  double s, t, z, w;  // z and w in clip space
  bool valid;
};

Hit trace(const Surface& f, double x, double y) {
  const double nx = x / (kSize / 2.0) - 1, ny = y / (kSize / 2.0) - 1;
  // (x - nx w) = 0 and (y - ny w) = 0, linear in s and t.
  const auto row = [&](int axis, double n, double out[3]) {
    out[0] = f.u[axis] - n * f.u[3], out[1] = f.v[axis] - n * f.v[3];
    out[2] = f.origin[axis] - n * f.origin[3];
  };
  double p[3], q[3];
  row(0, nx, p), row(1, ny, q);
  const double d = p[0] * q[1] - p[1] * q[0];
  if (std::abs(d) < 1e-9) return {0, 0, 0, 0, false};
  Hit hit;
  hit.s = (p[1] * q[2] - q[1] * p[2]) / d;
  hit.t = (q[0] * p[2] - p[0] * q[2]) / d;
  hit.z = f.origin[2] + hit.s * f.u[2] + hit.t * f.v[2];
  hit.w = f.origin[3] + hit.s * f.u[3] + hit.t * f.v[3];
  hit.valid = true;
  return hit;
}

struct Triangle {
  double s[3], t[3];

  double winding() const {
    return (s[1] - s[0]) * (t[2] - t[0]) - (t[1] - t[0]) * (s[2] - s[0]) > 0 ? 1 : -1;
  }
};

// A surface's orientation: 1 if positive winding in (s, t) is clockwise on the screen, else -1.
double turn(const Surface& f) {
  const double d = f.u[0] * (f.v[1] * f.origin[3] - f.v[3] * f.origin[1]) -
                   f.u[1] * (f.v[0] * f.origin[3] - f.v[3] * f.origin[0]) +
                   f.u[3] * (f.v[0] * f.origin[1] - f.v[1] * f.origin[0]);
  return d > 0 ? 1 : -1;
}

// A grid over [-1, 1]² × reach with displaced inner vertices, triangles of mixed winding and diagonal.
std::vector<Triangle> grid(Random& random, int cells, double reach) {
  std::vector<double> s, t;
  for (int j = 0; j <= cells; ++j)
    for (int i = 0; i <= cells; ++i) {
      const bool inner = i > 0 && i < cells && j > 0 && j < cells;
      const double shake = inner ? 0.24 : 0;  // no cell folds
      s.push_back(((i + random.real(-shake, shake)) * 2.0 / cells - 1) * reach);
      t.push_back(((j + random.real(-shake, shake)) * 2.0 / cells - 1) * reach);
    }
  std::vector<Triangle> out;
  const auto add = [&](int a, int b, int c) {
    if (random.integer(0, 1) == 0) std::swap(a, c);
    out.push_back({{s[a], s[b], s[c]}, {t[a], t[b], t[c]}});
  };
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) {
      const int a = j * (cells + 1) + i, b = a + 1, c = a + cells + 1, d = c + 1;
      if (random.integer(0, 1) == 0) add(a, b, c), add(c, b, d);
      else add(a, b, d), add(a, d, c);
    }
  return out;
}

// A fan around (0, 0), and the radius of the circle inside of it.
double inner_radius(int blades, double reach) { return std::cos(3.141592653589793 / blades) * reach; }
std::vector<Triangle> fan(Random& random, int blades, double reach) {
  std::vector<Triangle> out;
  const double turn = random.real(0, 6.28);
  const auto rim = [&](int i) { return turn + 6.283185307179586 * (i % blades) / blades; };
  for (int i = 0; i < blades; ++i)
    out.push_back({{0, std::cos(rim(i)) * reach, std::cos(rim(i + 1)) * reach},
                   {0, std::sin(rim(i)) * reach, std::sin(rim(i + 1)) * reach}});
  return out;
}

struct Statistics {
  int once = 0, clipped = 0, drawn = 0, folded = 0;
};

// Compares a triangle's values at a pixel with the ray's intersection. Snapping moves a vertex by up to 1/512
// pixel in each axis, and the picture between vertices no more; a vertex behind the eye acts as a lever.
void check_values(const Surface& surface, const Triangle& triangle, const std::array<Position, 3>& vertices,
                  const Primitive& primitive, int32_t x, int32_t y) {
  const Hit hit = trace(surface, x + 0.5, y + 0.5);
  if (!hit.valid || !(hit.w > 0)) return;
  double lever = 1;
  if (primitive.clipped)
    for (const Position& v : vertices) lever = std::max(lever, 3 * std::abs(v[3]) / hit.w);
  const double step = 0.004 * lever;
  const auto slack = [&](auto value) {
    double most = 1e-5;
    for (const auto& d : {std::array{1, 1}, std::array{1, -1}, std::array{-1, 1}, std::array{-1, -1}}) {
      const Hit near = trace(surface, x + 0.5 + d[0] * step, y + 0.5 + d[1] * step);
      if (!near.valid || !(near.w > 0)) return 1e30;  // the horizon is as near
      most = std::max(most, std::abs(value(near) - value(hit)));
    }
    return most;
  };
  const Positions<4> at = quad_positions(x, y);
  Barycentrics<4> weights;
  barycentrics<4>(primitive, at, {}, weights);
  const double s = triangle.s[0] + weights.p1[0] * (triangle.s[1] - triangle.s[0]) +
                   weights.p2[0] * (triangle.s[2] - triangle.s[0]);
  const double rounding =
      1e-6 * (std::abs(triangle.s[0]) + std::abs(triangle.s[1]) + std::abs(triangle.s[2]));
  ASSERT_NEAR(s, hit.s, slack([](const Hit& h) { return h.s; }) + rounding) << x << ", " << y;
  float z[4];
  depth<4>(primitive, at, {}, z);
  const double window_z = std::min(std::max(hit.z / hit.w, 0.0), 1.0);
  ASSERT_NEAR(z[0], window_z, slack([](const Hit& h) { return h.z / h.w; })) << x << ", " << y;
}

// Draws a mesh and compares every pixel away from the mesh's boundary (completely inside or outside with its
// neighbours) with the intersection of its ray.
void check_mesh(const arch::Registers& r, const Surface& surface, const std::vector<Triangle>& mesh,
                double radius, bool round, Statistics& statistics) {
  // Snapping can flip a sliver. Its pixels are then drawn three times, once with the opposite winding. So
  // pictures are kept by winding, and no pixel may be missing or drawn twice in their difference.
  Picture straight(kSize, kSize), turned(kSize, kSize);
  for (const Triangle& triangle : mesh) {
    Primitive primitive;
    std::array<Position, 3> vertices;
    for (int k = 0; k < 3; ++k) vertices[k] = surface.at(triangle.s[k], triangle.t[k]);
    if (set_up(r, vertices, primitive) != SetupResult::kAccepted) continue;
    ++statistics.drawn;
    statistics.clipped += primitive.clipped;
    const bool as_seen = (primitive.front_facing ? -1 : 1) == triangle.winding() * turn(surface);
    Picture& picture = as_seen ? straight : turned;
    picture.draw(primitive,
                 [&](int32_t x, int32_t y) { check_values(surface, triangle, vertices, primitive, x, y); });
  }
  const bool depth_clip = r.raster.depth_clip != 0;
  const auto inside = [&](double x, double y) {
    const Hit hit = trace(surface, x, y);
    const bool within = round ? std::hypot(hit.s, hit.t) < radius * 0.99
                              : std::max(std::abs(hit.s), std::abs(hit.t)) < radius * 0.999;
    return hit.valid && hit.w > 0 && within && (!depth_clip || (hit.z >= 0 && hit.z <= hit.w));
  };
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      const int count = straight.at(x, y) - turned.at(x, y);
      ASSERT_TRUE(count == 0 || count == 1) << x << ", " << y << ": " << count;
      statistics.folded += turned.at(x, y);
      bool all = true;
      for (const double dy : {-1.0, 0.0, 1.0})
        for (const double dx : {-1.0, 0.0, 1.0}) all &= inside(x + 0.5 + dx, y + 0.5 + dy);
      if (!all) continue;
      ASSERT_EQ(count, 1) << x << ", " << y;
      ++statistics.once;
    }
}

// A plane in front of the eye with a given tilt; with tilt it crosses the eye's plane.
Surface random_surface(Random& random, double tilt) {
  Surface f{};
  f.origin[0] = random.real(-0.3, 0.3), f.origin[1] = random.real(-0.3, 0.3);
  f.origin[2] = 0.5, f.origin[3] = 1;
  const double turn = random.real(0, 6.28), c = std::cos(turn), s = std::sin(turn);
  f.u[0] = c, f.u[1] = s, f.v[0] = -s, f.v[1] = c;
  for (double* axis : {f.u, f.v}) {
    axis[3] = random.real(-tilt, tilt);
    axis[2] = axis[3] * random.real(0.5, 1.5);
  }
  return f;
}

TEST(Mesh, OfSnappedTrianglesIsDrawnOnce) {
  Random random(11);
  Statistics statistics;
  const arch::Registers r = registers(kSize, kSize);
  for (int i = 0; i < 60; ++i)
    check_mesh(r, random_surface(random, 0.2), grid(random, random.integer(1, 12), 1.5), 1.5, false,
               statistics);
  EXPECT_GT(statistics.once, 60 * kSize * kSize / 2);
  EXPECT_EQ(statistics.clipped, 0);
  EXPECT_EQ(statistics.folded, 0);
}

TEST(Mesh, BehindTheEyeIsDrawnOnce) {
  Random random(12);
  Statistics statistics;
  const arch::Registers r = registers(kSize, kSize);
  for (int i = 0; i < 150; ++i)
    check_mesh(r, random_surface(random, 2), grid(random, random.integer(1, 10), 3), 3, false, statistics);
  EXPECT_GT(statistics.once, 150 * kSize * kSize / 4);
  EXPECT_LT(statistics.folded, statistics.once / 10000);
  EXPECT_GT(statistics.clipped, 400);
}

TEST(Mesh, AcrossNearAndFarIsDrawnOnce) {
  Random random(13);
  Statistics statistics;
  arch::Registers r = registers(kSize, kSize);
  r.raster.depth_clip = 1;
  for (int i = 0; i < 150; ++i)
    check_mesh(r, random_surface(random, 2), grid(random, random.integer(1, 10), 3), 3, false, statistics);
  EXPECT_GT(statistics.once, 150 * kSize * kSize / 8);
  EXPECT_LT(statistics.folded, statistics.once / 10000);
  EXPECT_GT(statistics.clipped, 400);
}

TEST(Mesh, BeyondTheGuardBandIsDrawnOnce) {
  Random random(14);
  Statistics statistics;
  const arch::Registers r = registers(kSize, kSize);
  for (const double reach : {900.0, 1100.0, 3e4, 1e7})
    for (int i = 0; i < 40; ++i) {
      const int blades = random.integer(3, 40);
      check_mesh(r, random_surface(random, 0), fan(random, blades, reach), inner_radius(blades, reach), true,
                 statistics);
    }
  EXPECT_EQ(statistics.once, 160 * kSize * kSize);
  EXPECT_EQ(statistics.folded, 0);
  EXPECT_GT(statistics.clipped, 1000);
}

TEST(Mesh, AFanAroundAPixelCentreIsDrawnOnce) {
  Random random(15);
  Statistics statistics;
  const arch::Registers r = registers(kSize, kSize);
  for (int i = 0; i < 200; ++i) {
    Surface f = random_surface(random, i % 2 == 0 ? 0 : 1.5);
    // All blades share the centre vertex, exactly at a pixel's centre.
    f.origin[0] = (random.integer(8, 55) + 0.5) / 32 - 1,
    f.origin[1] = (random.integer(8, 55) + 0.5) / 32 - 1;
    const double reach = i % 3 == 0 ? 1e5 : 5;
    const int blades = random.integer(3, 24);
    check_mesh(r, f, fan(random, blades, reach), inner_radius(blades, reach), true, statistics);
  }
  EXPECT_GT(statistics.once, 200 * kSize * kSize / 2);
  EXPECT_EQ(statistics.folded, 0);
}

TEST(Mesh, ClipDistancesPartASurface) {
  // Drawn with a distance and with its negative, each pixel is drawn exactly once.
  Random random(16);
  arch::Registers r = registers(kSize, kSize);
  r.vertex_out.clip_distances = 1;
  int both = 0;
  for (int i = 0; i < 100; ++i) {
    const Surface surface = random_surface(random, i % 2 == 0 ? 0.1 : 1.5);
    const std::vector<Triangle> mesh = grid(random, random.integer(1, 8), 4);
    const double a = random.real(-1, 1), b = random.real(-1, 1), c = random.real(-0.5, 0.5);
    Picture whole(kSize, kSize), parts(kSize, kSize);
    for (const Triangle& triangle : mesh) {
      std::array<Position, 3> vertices;
      ClipDistances plus[3]{}, minus[3]{}, none[3]{};
      for (int k = 0; k < 3; ++k) {
        vertices[k] = surface.at(triangle.s[k], triangle.t[k]);
        plus[k][0] = static_cast<float>(a * triangle.s[k] + b * triangle.t[k] + c);
        minus[k][0] = -plus[k][0];
      }
      Primitive primitive;
      if (set_up(r, vertices, primitive, 1, none) == SetupResult::kAccepted) whole.draw(primitive);
      int drawn = 0;
      for (const ClipDistances* distances : {plus, minus})
        if (set_up(r, vertices, primitive, 1, distances) == SetupResult::kAccepted) {
          parts.draw(primitive);
          ++drawn;
        }
      both += drawn == 2;
    }
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) ASSERT_EQ(parts.at(x, y), whole.at(x, y)) << x << ", " << y;
  }
  EXPECT_GT(both, 100);
}

}  // namespace
}  // namespace cutaway::func::mesh_test
