#include <algorithm>

#include "func/raster/setup_stages.h"

// Setup of lines.
namespace cutaway::func::raster {

namespace {

// The drawable part of a line, from t = first to last, 0 at its start.
struct Part {
  double first = 0, last = 1;

  // Keeps the part where a quantity is not negative; returns false if nothing remains.
  bool keep(double value0, double value1) {
    if (value0 < 0 && value1 < 0) return false;
    if (value0 < 0) first = larger(first, value0 / (value0 - value1));
    if (value1 < 0) last = smaller(last, value0 / (value0 - value1));
    return first <= last;
  }
};

// The line to set up: two of the context's vertices.
struct Line {
  const SetupContext& context;
  uint32_t from, to;

  const WindowVertex& start() const { return context.vertex[from]; }
  const WindowVertex& end() const { return context.vertex[to]; }
};

bool clip(const Line& line, Part& part) {
  const WindowVertex &v0 = line.start(), &v1 = line.end();
  const View& view = line.context.view;
  const arch::Registers& registers = line.context.registers;
  if (clips_depth(registers)) {
    if (!part.keep(near_distance(registers, v0.z, v0.w), near_distance(registers, v1.z, v1.w))) return false;
    if (!part.keep(v0.w - v0.z, v1.w - v1.z)) return false;
  }
  for (uint32_t i = 0; i < clip_distance_count(line.context); ++i)
    if (!part.keep(distance(line.context, line.from, i), distance(line.context, line.to, i))) return false;
  if (v0.snapped && v1.snapped) return true;
  // The four sides of the guard band; everything inside all of them is in front of the eye.
  for (const double side : {-1.0, 1.0}) {
    const double x = kGuardBandUnits - side * view.offset_x, y = kGuardBandUnits - side * view.offset_y;
    if (!part.keep(x * v0.w - side * v0.x, x * v1.w - side * v1.x)) return false;
    if (!part.keep(y * v0.w - side * v0.y, y * v1.w - side * v1.y)) return false;
  }
  return true;
}

// A point of the line: window position and quantities that are linear over the window there.
struct LinePoint {
  int64_t x, y;  // units
  double inv_w, depth;
  double q_start, q_end, linear_start, linear_end;  // barycentrics of the line's ends
};

bool line_point(const Line& line, double t, LinePoint& out) {
  const WindowVertex &v0 = line.start(), &v1 = line.end();
  const View& view = line.context.view;
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
  out.x = v.unit_x, out.y = v.unit_y;
  out.inv_w = 1.0 / v.w;
  out.depth = v.z / v.w * view.scale_z + view.offset_z;
  out.q_start = (1 - t) / v.w, out.q_end = t / v.w;
  out.linear_start = (1 - t) * v0.w / v.w, out.linear_end = t * v1.w / v.w;
  return true;
}

Combination between(double at0, double at1) { return {at0, at1 - at0, 0}; }

// Values along the line (Vulkan "Basic Line Segment Rasterization": t by projection on the segment).
void set_values(const Line& line, const LinePoint& p, const LinePoint& q, double half_width,
                Primitive& primitive) {
  const auto dx = static_cast<double>(q.x - p.x), dy = static_cast<double>(q.y - p.y);
  const double squared = dx * dx + dy * dy;
  primitive.basis[0] = {dx, dy, -(dx * static_cast<double>(p.x) + dy * static_cast<double>(p.y))};
  primitive.basis[1] = {};
  primitive.basis_scale = 1.0 / squared;
  primitive.depth = between(p.depth, q.depth);
  primitive.inv_w = between(p.inv_w, q.inv_w);
  primitive.q1 = primitive.q2 = primitive.linear1 = primitive.linear2 = {};
  const auto set_weight = [&](uint32_t vertex, const Combination& q_of, const Combination& linear) {
    if (vertex == 1) primitive.q1 = q_of, primitive.linear1 = linear;
    if (vertex == 2) primitive.q2 = q_of, primitive.linear2 = linear;
  };
  set_weight(line.from, between(p.q_start, q.q_start), between(p.linear_start, q.linear_start));
  set_weight(line.to, between(p.q_end, q.q_end), between(p.linear_end, q.linear_end));
  // A pixel's centre may lie up to half the width plus one pixel before the start or beyond the end.
  const double beyond = absolute(q.depth - p.depth) * ((half_width + kUnits) / square_root(squared));
  primitive.depth_low = smaller(p.depth, q.depth) - beyond;
  primitive.depth_high = larger(p.depth, q.depth) + beyond;
}

// Adds the rectangle around the line, extended by half a pixel on all sides if it is smooth.
void add_rectangle(const LinePoint& p, const LinePoint& q, int64_t half, Primitive& primitive,
                   UnitBounds& bounds) {
  const int64_t dx = q.x - p.x, dy = q.y - p.y;
  const double length = square_root(static_cast<double>(dx * dx + dy * dy));
  LinePattern& line = primitive.line;
  const int64_t rim = line.smooth ? kSubpixels / 2 : 0;
  const auto reach = static_cast<int64_t>(round_to_integer(static_cast<double>(half + rim) * length));
  const auto extra = static_cast<int64_t>(round_to_integer(static_cast<double>(rim) * length));
  const int64_t across = dy * p.x - dx * p.y;
  const auto add = [&](int64_t a, int64_t b, int64_t c) {
    add_inclusive(primitive, a, b, c);
    apply_top_left_rule(primitive.edge[primitive.edges - 1]);
  };
  add(-dy, dx, across + reach);
  add(dy, -dx, -across + reach);
  add(dx, dy, extra - (dx * p.x + dy * p.y));
  add(-dx, -dy, extra + (dx * q.x + dy * q.y));
  const int64_t margin = half + 2 * rim;
  bounds = {std::min(p.x, q.x) - margin, std::min(p.y, q.y) - margin, std::max(p.x, q.x) + margin,
            std::max(p.y, q.y) + margin};

  const double pixel = 1.0 / (length * kUnits);
  const auto a = static_cast<double>(dx), b = static_cast<double>(dy);
  line.along = {a * pixel, b * pixel, -static_cast<double>(dx * p.x + dy * p.y) * pixel};
  line.across = {-b * pixel, a * pixel, static_cast<double>(across) * pixel};
  line.length = static_cast<float>(length / kUnits);
  line.half_width = static_cast<float>(static_cast<double>(half) / kUnits);
  // The rectangle is divided into pieces a pixel long.
  const auto whole = static_cast<uint32_t>(length / kUnits);
  line.steps = whole + (static_cast<double>(whole) * kUnits < length);
}

int64_t pixel_of(int64_t unit) { return unit >> kSubpixelBits; }

// True if a position lies in the open diamond |x| + |y| < 1/2 around the centre of its pixel. A position on
// the border is in no diamond: a line that ends there has left it, one that starts there begins outside.
bool in_diamond(int64_t x, int64_t y) {
  const int64_t u = x - (pixel_of(x) * kSubpixels + kPixelCenter);
  const int64_t v = y - (pixel_of(y) * kSubpixels + kPixelCenter);
  return std::abs(u) + std::abs(v) < kPixelCenter;
}

// Pixels [first, end) along the major axis: those whose centre the line passes. By the diamond rule this
// includes a pixel that it starts in and leaves, but not the pixel that it ends in.
struct Steps {
  int64_t first, end;
};
Steps bresenham_steps(int64_t from, int64_t to, bool starts_inside, bool ends_inside) {
  // The first pixel whose centre is not before a position.
  const auto next = [](int64_t unit) { return (unit + kSubpixels - 1 - kPixelCenter) >> kSubpixelBits; };
  Steps steps{next(std::min(from, to)), next(std::max(from, to))};
  if (to > from) {
    if (starts_inside) steps.first = std::min(steps.first, pixel_of(from));
    if (ends_inside) steps.end = std::min(steps.end, pixel_of(to));
  } else {
    if (starts_inside) steps.end = std::max(steps.end, pixel_of(from) + 1);
    if (ends_inside) steps.first = std::max(steps.first, pixel_of(to) + 1);
  }
  return steps;
}

// Vulkan "Bresenham Line Segment Rasterization". Each pixel of the major axis has `width` pixels: those whose
// centre is less than half the width from the line. With slopes up to 1, the line passes through only one
// diamond of that column: the one whose centre is nearest.
bool add_bresenham(const LinePoint& p, const LinePoint& q, int64_t width, Primitive& primitive,
                   UnitBounds& bounds) {
  const int64_t dx = q.x - p.x, dy = q.y - p.y;
  const bool x_major = std::abs(dx) >= std::abs(dy);
  // The line through the first of the `width` pixels determines the steps.
  const int64_t shift = (width - 1) * kSubpixels / 2;
  const int64_t px = x_major ? p.x : p.x - shift, py = x_major ? p.y - shift : p.y;
  const bool starts_inside = in_diamond(px, py), ends_inside = in_diamond(px + dx, py + dy);
  const int64_t from = x_major ? p.x : p.y, to = x_major ? q.x : q.y;
  const Steps steps = bresenham_steps(from, to, starts_inside, ends_inside);
  if (steps.first >= steps.end) return false;

  // minor × |major difference| is the distance from the line, positive downwards or to the right.
  const int64_t side = (x_major ? dx : -dy) > 0 ? 1 : -1;
  const int64_t a = -dy * side, b = dx * side, c = (dy * p.x - dx * p.y) * side;
  const int64_t reach = width * kPixelCenter * std::max(std::abs(dx), std::abs(dy));
  // The specification's perturbation by -(e, e²) moves a falling line down, any other line up or to the left:
  // of two pixels whose common border it crosses in their centres' column, that one is drawn.
  const bool falls = x_major && (dx > 0) == (dy > 0) && dy != 0;
  add_inclusive(primitive, -a, -b, reach - c - (falls ? 0 : 1));
  add_inclusive(primitive, a, b, reach + c - (falls ? 1 : 0));
  add_interval(primitive, x_major ? 0 : 1, steps.first * kSubpixels, steps.end * kSubpixels);

  const int64_t margin = (width + 1) * kPixelCenter;
  bounds = {std::min(p.x, q.x) - margin, std::min(p.y, q.y) - margin, std::max(p.x, q.x) + margin,
            std::max(p.y, q.y) + margin};
  const double direction = (to > from ? 1 : -1) / kUnits;
  const int64_t begin = (to > from ? steps.first : steps.end - 1) * kSubpixels + kPixelCenter;
  primitive.line.along = {x_major ? direction : 0, x_major ? 0 : direction,
                          -static_cast<double>(begin) * direction};
  primitive.line.steps = static_cast<uint32_t>(steps.end - steps.first);
  return true;
}

}  // namespace

SetupResult setup_line(const SetupContext& context, uint32_t from, uint32_t to, Primitive& primitive,
                       UnitBounds& bounds) {
  const Line line{context, from, to};
  Part part;
  LinePoint p, q;
  if (!clip(line, part) || !line_point(line, part.first, p) || !line_point(line, part.last, q))
    return SetupResult::kNoPixels;
  primitive.clipped = part.first != 0 || part.last != 1;
  if (p.x == q.x && p.y == q.y) return SetupResult::kZeroArea;

  const auto& raster = context.registers.raster;
  const auto mode = static_cast<arch::LineMode>(raster.line_mode);
  primitive.line.smooth = mode == arch::LineMode::kRectangularSmooth;
  primitive.line.pattern = static_cast<uint16_t>(raster.line_stipple);
  primitive.line.factor = static_cast<uint16_t>(raster.line_stipple >> 16);
  primitive.line.phase = context.input.stipple_phase;
  const int64_t width = extent(raster.line_width, arch::kMaxLineWidth);
  if (mode == arch::LineMode::kBresenham) {
    const int64_t pixels = (width + kSubpixels / 2) >> kSubpixelBits;
    if (!add_bresenham(p, q, pixels, primitive, bounds)) return SetupResult::kNoPixels;
  } else {
    add_rectangle(p, q, width / 2, primitive, bounds);
  }
  primitive.whole_pixels = mode == arch::LineMode::kBresenham || primitive.line.smooth;
  set_values(line, p, q, static_cast<double>(width) / 2, primitive);
  return SetupResult::kAccepted;
}

}  // namespace cutaway::func::raster
