#include <algorithm>

#include "func/raster/setup_stages.h"

// Setup of lines and points.
namespace cutaway::func::raster {

namespace {

constexpr double kMaxSize = 8192;  // pixels: of points and lines

// Width of a line or size of a point in units: at least 1 pixel, an even number of units.
int64_t extent(float size) {
  if (!(size > 1)) return kSubpixels;
  return static_cast<int64_t>(round_to_integer(smaller(load(size), kMaxSize) * (kUnits / 2))) * 2;
}

void add_inclusive(Primitive& primitive, int32_t a, int32_t b, int64_t c) {
  Edge& edge = primitive.edge[primitive.edges++];
  edge.a = a, edge.b = b, edge.c = c;
}

// Half-open interval [from, to) of x (axis 0) or y (axis 1).
void add_interval(Primitive& primitive, int axis, int64_t from, int64_t to) {
  add_inclusive(primitive, axis == 0, axis == 1, -from);
  add_inclusive(primitive, -(axis == 0), -(axis == 1), to - 1);
}

// The part of a line from t = first to last where it may be drawn, 0 at vertex 0.
struct Part {
  double first = 0, last = 1;

  // Keeps where a quantity is not negative; false when that is nowhere.
  bool keep(double value0, double value1) {
    if (value0 < 0 && value1 < 0) return false;
    if (value0 < 0) first = larger(first, value0 / (value0 - value1));
    if (value1 < 0) last = smaller(last, value0 / (value0 - value1));
    return first <= last;
  }
};

bool clip(const SetupContext& context, Part& part) {
  const WindowVertex &v0 = context.vertex[0], &v1 = context.vertex[1];
  const View& view = context.view;
  if (context.registers.raster.depth_clip != 0)
    if (!part.keep(v0.z, v1.z) || !part.keep(v0.w - v0.z, v1.w - v1.z)) return false;
  for (uint32_t i = 0; i < clip_distance_count(context); ++i)
    if (!part.keep(distance(context, 0, i), distance(context, 1, i))) return false;
  if (v0.snapped && v1.snapped) return true;
  // The four sides of the guard band; what is inside all of them is in front of the eye.
  for (const double side : {-1.0, 1.0}) {
    const double x = kGuardBandUnits - side * view.offset_x, y = kGuardBandUnits - side * view.offset_y;
    if (!part.keep(x * v0.w - side * v0.x, x * v1.w - side * v1.x)) return false;
    if (!part.keep(y * v0.w - side * v0.y, y * v1.w - side * v1.y)) return false;
  }
  return true;
}

// A point of the line: window position and what is linear over the window there.
struct LinePoint {
  int64_t x, y;  // units
  double inv_w, depth, q1, linear1;
};

bool line_point(const SetupContext& context, double t, LinePoint& out) {
  const WindowVertex &v0 = context.vertex[0], &v1 = context.vertex[1];
  const View& view = context.view;
  WindowVertex v = t == 0 ? v0 : v1;
  if (t != 0 && t != 1) {
    const auto mix = [t](double a, double b) { return a * (1 - t) + b * t; };
    v = {mix(v0.x, v1.x), mix(v0.y, v1.y), mix(v0.w, v1.w), mix(v0.z, v1.z), false, 0, 0};
  }
  if (!(v.w > 0)) return false;
  if (!v.snapped) {
    constexpr double kBand = kGuardBandUnits;
    const double x = v.x / v.w + view.offset_x, y = v.y / v.w + view.offset_y;
    v.unit_x = static_cast<int64_t>(round_to_integer(std::clamp(x, -kBand, kBand)));
    v.unit_y = static_cast<int64_t>(round_to_integer(std::clamp(y, -kBand, kBand)));
  }
  out = {v.unit_x, v.unit_y, 1.0 / v.w, v.z / v.w * view.scale_z + view.offset_z, t / v.w, t * v1.w / v.w};
  return true;
}

Combination between(double at0, double at1) { return {at0, at1 - at0, 0}; }

}  // namespace

SetupResult setup_line(const SetupContext& context, Primitive& primitive, UnitBounds& bounds) {
  Part part;
  LinePoint p, q;
  if (!clip(context, part) || !line_point(context, part.first, p) || !line_point(context, part.last, q))
    return SetupResult::kNoPixels;
  primitive.clipped = part.first != 0 || part.last != 1;
  const int64_t dx = q.x - p.x, dy = q.y - p.y;
  if (dx == 0 && dy == 0) return SetupResult::kZeroArea;

  // The parallelogram: half the width to both sides in the minor axis, ends along it.
  const bool x_major = std::abs(dx) >= std::abs(dy);
  const int64_t half = extent(context.registers.raster.line_width) / 2;
  const int64_t reach = half * std::max(std::abs(dx), std::abs(dy));
  Edge line;
  line.a = static_cast<int32_t>(-dy), line.b = static_cast<int32_t>(dx);
  line.c = dy * p.x - dx * p.y;
  for (const int side : {1, -1}) {
    Edge& edge = primitive.edge[primitive.edges++];
    edge.a = line.a * side, edge.b = line.b * side;
    edge.c = line.c * side + reach;
    apply_top_left_rule(edge);
  }
  add_interval(primitive, x_major ? 0 : 1, x_major ? std::min(p.x, q.x) : std::min(p.y, q.y),
               x_major ? std::max(p.x, q.x) : std::max(p.y, q.y));
  const int64_t margin_x = x_major ? 0 : half, margin_y = x_major ? half : 0;
  bounds = {std::min(p.x, q.x) - margin_x, std::min(p.y, q.y) - margin_y, std::max(p.x, q.x) + margin_x,
            std::max(p.y, q.y) + margin_y};

  // Values along the major axis.
  const double start = static_cast<double>(x_major ? p.x : p.y);
  primitive.basis[0] = x_major ? Plane{1, 0, -start} : Plane{0, 1, -start};
  primitive.basis[1] = {};
  primitive.basis_scale = 1.0 / static_cast<double>(x_major ? dx : dy);
  primitive.depth = between(p.depth, q.depth);
  primitive.inv_w = between(p.inv_w, q.inv_w);
  primitive.q1 = between(p.q1, q.q1);
  primitive.linear1 = between(p.linear1, q.linear1);
  primitive.q2 = primitive.linear2 = {};
  primitive.depth_low = smaller(p.depth, q.depth);
  primitive.depth_high = larger(p.depth, q.depth);
  return SetupResult::kAccepted;
}

SetupResult setup_point(const SetupContext& context, Primitive& primitive, UnitBounds& bounds) {
  const WindowVertex& v = context.vertex[0];
  if (!v.snapped) return SetupResult::kNoPixels;  // beyond the guard band, so beyond any framebuffer
  const int64_t size = extent(context.input.point_size), half = size / 2;
  add_interval(primitive, 0, v.unit_x - half, v.unit_x + half);
  add_interval(primitive, 1, v.unit_y - half, v.unit_y + half);
  bounds = {v.unit_x - half, v.unit_y - half, v.unit_x + half, v.unit_y + half};

  primitive.basis[0] = {1, 0, -static_cast<double>(v.unit_x)};
  primitive.basis[1] = {0, 1, -static_cast<double>(v.unit_y)};
  primitive.basis_scale = 1.0 / static_cast<double>(size);
  const double depth = v.z / v.w * context.view.scale_z + context.view.offset_z;
  primitive.depth = {depth, 0, 0};
  primitive.inv_w = {1.0 / v.w, 0, 0};
  primitive.q1 = primitive.q2 = primitive.linear1 = primitive.linear2 = {};
  primitive.depth_low = primitive.depth_high = depth;
  return SetupResult::kAccepted;
}

}  // namespace cutaway::func::raster
