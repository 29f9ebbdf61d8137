#include <algorithm>

#include "func/raster/setup_stages.h"

// Bounds of a triangle with vertices behind the eye or far away: the bounds of its polygon clipped to the
// drawable rectangle. This polygon only gives bounds, never coverage.
namespace cutaway::func::raster {

namespace {

constexpr int kMaxVertices = 3 + 4;

struct Polygon {
  struct Vertex {
    double x, y, w;
  };
  Vertex vertex[kMaxVertices];
  int vertices = 0;
};

// Clips a convex polygon to a x + b y + c w >= 0 (Sutherland and Hodgman).
void clip(Polygon& polygon, double a, double b, double c) {
  const Polygon whole = polygon;
  polygon.vertices = 0;
  const auto side = [&](const Polygon::Vertex& v) { return a * v.x + b * v.y + c * v.w; };
  const auto keep = [&](const Polygon::Vertex& v) {
    if (polygon.vertices < kMaxVertices) polygon.vertex[polygon.vertices++] = v;
  };
  for (int i = 0; i < whole.vertices; ++i) {
    const Polygon::Vertex &p = whole.vertex[i], &q = whole.vertex[(i + 1) % whole.vertices];
    const double at_p = side(p), at_q = side(q);
    if (at_p >= 0) keep(p);
    if ((at_p >= 0) == (at_q >= 0)) continue;
    const double t = at_p / (at_p - at_q);
    keep({p.x * (1 - t) + q.x * t, p.y * (1 - t) + q.y * t, p.w * (1 - t) + q.w * t});
  }
}

}  // namespace

bool narrow_bounds(const View& view, const WindowVertex vertex[3], const Combination& inv_w,
                   UnitBounds& bounds) {
  // kMargin: the rectangle extends one pixel beyond the drawable pixels on every side. kRounding: the most
  // that rounding may move the polygon's vertices and the integer edges.
  constexpr double kMargin = kUnits, kRounding = 16;
  const double x0 = static_cast<double>(bounds.x0) - view.offset_x - kMargin;
  const double y0 = static_cast<double>(bounds.y0) - view.offset_y - kMargin;
  const double x1 = static_cast<double>(bounds.x1) - view.offset_x + kMargin;
  const double y1 = static_cast<double>(bounds.y1) - view.offset_y + kMargin;
  const double reach_x = larger(absolute(x0), absolute(x1)), reach_y = larger(absolute(y0), absolute(y1));

  // Limits the distance between vertices so that the sums below keep precision nearest to the eye: an error
  // is at most some 2^-50 of the largest coordinate, over w.
  Polygon polygon;
  double largest = 0;
  for (int k = 0; k < 3; ++k) {
    const WindowVertex& v = vertex[k];
    polygon.vertex[polygon.vertices++] = {v.x, v.y, v.w};
    largest = larger(largest, larger(larger(absolute(v.x), absolute(v.y)), absolute(v.w) * kGuardBandUnits));
  }
  const double nearest =
      absolute(inv_w.constant) + absolute(inv_w.k1) * reach_x + absolute(inv_w.k2) * reach_y;
  if (!(nearest * largest < 0x1p50) || !(reach_x < 0x1p30 && reach_y < 0x1p30)) return true;

  // Inside all four sides implies in front of the eye.
  clip(polygon, 1, 0, -x0);
  clip(polygon, -1, 0, x1);
  clip(polygon, 0, 1, -y0);
  clip(polygon, 0, -1, y1);
  if (polygon.vertices == 0) return false;
  double low_x = x1, low_y = y1, high_x = x0, high_y = y0;
  for (int i = 0; i < polygon.vertices; ++i) {
    const Polygon::Vertex& v = polygon.vertex[i];
    if (!(v.w > 0)) return true;
    const double x = smaller(larger(v.x / v.w, x0), x1), y = smaller(larger(v.y / v.w, y0), y1);
    low_x = smaller(low_x, x), high_x = larger(high_x, x);
    low_y = smaller(low_y, y), high_y = larger(high_y, y);
  }
  const auto unit = [](double value) { return static_cast<int64_t>(round_to_integer(value)); };
  bounds.x0 = std::max(bounds.x0, unit(low_x + view.offset_x - kRounding));
  bounds.y0 = std::max(bounds.y0, unit(low_y + view.offset_y - kRounding));
  bounds.x1 = std::min(bounds.x1, unit(high_x + view.offset_x + kRounding));
  bounds.y1 = std::min(bounds.y1, unit(high_y + view.offset_y + kRounding));
  return true;
}

}  // namespace cutaway::func::raster
