#include "func/raster/setup_stages.h"

// Setup of triangles. Edge k lies opposite of vertex k and runs from vertex k + 1 to vertex k + 2.
namespace cutaway::func::raster {

namespace {

// The exact edge between two snapped vertices: positive to the right of the direction from p to q (y down).
Edge snapped_edge(const WindowVertex& p, const WindowVertex& q) {
  Edge edge;
  edge.a = static_cast<int32_t>(p.unit_y - q.unit_y);
  edge.b = static_cast<int32_t>(q.unit_x - p.unit_x);
  edge.c = -(edge.a * p.unit_x + edge.b * p.unit_y);
  return edge;
}

void negate(Edge& edge) { edge.a = -edge.a, edge.b = -edge.b, edge.c = -edge.c; }

// Adds the edge from p to q. Its inside is on the right if orientation is positive.
HalfPlane add_edge(const View& view, const WindowVertex& p, const WindowVertex& q, double orientation,
                   Primitive& primitive) {
  Edge& edge = primitive.edge[primitive.edges];
  if (p.snapped && q.snapped) {
    edge = snapped_edge(p, q);
    if (orientation < 0) negate(edge);
    apply_top_left_rule(edge);
    ++primitive.edges;
    return HalfPlane::kEdge;
  }
  Plane line;
  HalfPlane kind;
  if (p.snapped || q.snapped) {
    // From the snapped vertex towards the other: the line goes through the snapped vertex exactly.
    const WindowVertex& anchor = p.snapped ? p : q;
    const WindowVertex& other = p.snapped ? q : p;
    const double x = static_cast<double>(anchor.unit_x) - view.offset_x;
    const double y = static_cast<double>(anchor.unit_y) - view.offset_y;
    const double side = p.snapped == (orientation > 0) ? 1 : -1;
    line = {(y * other.w - other.y) * side, (other.x - x * other.w) * side, 0};
    kind = to_edge(line, true, edge);
    edge.c = -(edge.a * anchor.unit_x + edge.b * anchor.unit_y);
    apply_top_left_rule(edge);
  } else {
    line = line_through(p, q);
    if (orientation < 0) line = {-line.a, -line.b, -line.c};
    line.c -= line.a * view.offset_x + line.b * view.offset_y;
    kind = to_edge(line, false, edge);
  }
  if (kind == HalfPlane::kEdge) ++primitive.edges;
  return kind;
}

// Vulkan "Basic Polygon Rasterization": determines facing by the sign of the area, y down. Returns false if
// culled.
bool face(const arch::Registers& registers, bool clockwise, Primitive& primitive) {
  const auto front = static_cast<arch::FrontFace>(registers.raster.front_face);
  primitive.front_facing = clockwise == (front == arch::FrontFace::kClockwise);
  return (registers.raster.cull_mode & (primitive.front_facing ? arch::kCullFront : arch::kCullBack)) == 0;
}

// The triangle's lines, scaled so that f / w of any clip-space quantity f is the sum of line k × f at vertex
// k, up to a positive factor.
struct BaseLines {
  Plane line[3];  // in window coordinates
};

// Adds the half plane in which a quantity, given by its values at the vertices, is not negative.
HalfPlane add_clip(const BaseLines& base, const double value[3], bool inclusive, Primitive& primitive) {
  if (value[0] >= 0 && value[1] >= 0 && value[2] >= 0) return HalfPlane::kEverything;
  primitive.clipped = true;
  Plane sum;
  for (int k = 0; k < 3; ++k) {
    sum.a += base.line[k].a * value[k];
    sum.b += base.line[k].b * value[k];
    sum.c += base.line[k].c * value[k];
  }
  const HalfPlane kind = to_edge(sum, inclusive, primitive.edge[primitive.edges]);
  if (kind == HalfPlane::kEdge) ++primitive.edges;
  return kind;
}

// Adds near, far and clip distances. Returns false if nothing remains.
bool add_clips(const SetupContext& context, const BaseLines& base, Primitive& primitive) {
  const WindowVertex* v = context.vertex;
  if (clips_depth(context.registers)) {
    double near[3];
    for (int k = 0; k < 3; ++k) near[k] = near_distance(context.registers, v[k].z, v[k].w);
    const double far[3] = {v[0].w - v[0].z, v[1].w - v[1].z, v[2].w - v[2].z};
    if (add_clip(base, near, true, primitive) == HalfPlane::kNothing) return false;
    if (add_clip(base, far, true, primitive) == HalfPlane::kNothing) return false;
  }
  for (uint32_t i = 0; i < clip_distance_count(context); ++i) {
    const double value[3] = {distance(context, 0, i), distance(context, 1, i), distance(context, 2, i)};
    // Follows the top-left rule: a primitive drawn with a distance and with its negative is drawn once.
    if (add_clip(base, value, false, primitive) == HalfPlane::kNothing) return false;
  }
  return true;
}

SetupResult setup_snapped(const SetupContext& context, Primitive& primitive, UnitBounds& bounds) {
  const WindowVertex* v = context.vertex;
  // Facing.
  const Edge line[3] = {snapped_edge(v[1], v[2]), snapped_edge(v[2], v[0]), snapped_edge(v[0], v[1])};
  const int64_t area = line[0].at(v[0].unit_x, v[0].unit_y);
  if (area == 0) return SetupResult::kZeroArea;
  if (!face(context.registers, area > 0, primitive)) return SetupResult::kCulledFace;

  // Edges.
  for (int k = 0; k < 3; ++k) {
    Edge& edge = primitive.edge[primitive.edges++];
    edge = line[k];
    if (area < 0) negate(edge);
    apply_top_left_rule(edge);
  }
  for (int k = 0; k < 3; ++k) {
    bounds.x0 = k == 0 ? v[k].unit_x : bounds.x0 < v[k].unit_x ? bounds.x0 : v[k].unit_x;
    bounds.y0 = k == 0 ? v[k].unit_y : bounds.y0 < v[k].unit_y ? bounds.y0 : v[k].unit_y;
    bounds.x1 = k == 0 ? v[k].unit_x : bounds.x1 > v[k].unit_x ? bounds.x1 : v[k].unit_x;
    bounds.y1 = k == 0 ? v[k].unit_y : bounds.y1 > v[k].unit_y ? bounds.y1 : v[k].unit_y;
  }

  // Planes over the linear barycentrics of vertices 1 and 2.
  for (int k = 0; k < 2; ++k)
    primitive.basis[k] = {static_cast<double>(line[k + 1].a), static_cast<double>(line[k + 1].b),
                          static_cast<double>(line[k + 1].c)};
  primitive.basis_scale = 1.0 / static_cast<double>(area);
  double inv_w[3], z[3];
  for (int k = 0; k < 3; ++k) {
    inv_w[k] = 1.0 / v[k].w;
    z[k] = v[k].z / v[k].w * context.view.scale_z + context.view.offset_z;
  }
  primitive.linear1 = {0, 1, 0};
  primitive.linear2 = {0, 0, 1};
  primitive.q1 = {0, inv_w[1], 0};
  primitive.q2 = {0, 0, inv_w[2]};
  primitive.inv_w = {inv_w[0], inv_w[1] - inv_w[0], inv_w[2] - inv_w[0]};
  primitive.depth = {z[0], z[1] - z[0], z[2] - z[0]};
  primitive.depth_low = smaller(smaller(z[0], z[1]), z[2]);
  primitive.depth_high = larger(larger(z[0], z[1]), z[2]);

  // Clip planes.
  BaseLines base;
  for (int k = 0; k < 3; ++k) {
    const double scale = area < 0 ? -inv_w[k] : inv_w[k];
    base.line[k] = {static_cast<double>(line[k].a) * scale, static_cast<double>(line[k].b) * scale,
                    static_cast<double>(line[k].c) * scale};
  }
  return add_clips(context, base, primitive) ? SetupResult::kAccepted : SetupResult::kNoPixels;
}

// Sets up a triangle with a vertex behind the eye or outside the guard band (Olano and Greer, "Triangle Scan
// Conversion using 2D Homogeneous Coordinates"): the three lines need no clipped vertices, and points behind
// the eye are outside at least one of them.
SetupResult setup_homogeneous(const SetupContext& context, Primitive& primitive, UnitBounds& bounds) {
  const WindowVertex* v = context.vertex;
  const View& view = context.view;
  const Plane line[3] = {line_through(v[1], v[2]), line_through(v[2], v[0]), line_through(v[0], v[1])};
  // Facing: the sign of the determinant gives the orientation of the visible part.
  double determinant = 0, magnitude = 0;
  const double term[3] = {line[0].a * v[0].x, line[0].b * v[0].y, line[0].c * v[0].w};
  for (double t : term) determinant += t, magnitude += absolute(t);
  if (!(absolute(determinant) > magnitude * 0x1p-44)) return SetupResult::kZeroArea;
  if (!face(context.registers, determinant > 0, primitive)) return SetupResult::kCulledFace;
  primitive.clipped = true;

  // Edges.
  for (int k = 0; k < 3; ++k)
    if (add_edge(view, v[(k + 1) % 3], v[(k + 2) % 3], determinant, primitive) == HalfPlane::kNothing)
      return SetupResult::kNoPixels;

  // Planes over x and y from the viewport's centre: line k over the determinant is barycentric k over w.
  primitive.basis[0] = {1, 0, -view.offset_x};
  primitive.basis[1] = {0, 1, -view.offset_y};
  primitive.basis_scale = 1;
  Combination q[3];
  for (int k = 0; k < 3; ++k)
    q[k] = {line[k].c / determinant, line[k].a / determinant, line[k].b / determinant};
  primitive.q1 = q[1];
  primitive.q2 = q[2];
  primitive.linear1 = {q[1].constant * v[1].w, q[1].k1 * v[1].w, q[1].k2 * v[1].w};
  primitive.linear2 = {q[2].constant * v[2].w, q[2].k1 * v[2].w, q[2].k2 * v[2].w};
  primitive.inv_w = primitive.depth = {};
  for (int k = 0; k < 3; ++k) {
    primitive.inv_w.constant += q[k].constant;
    primitive.inv_w.k1 += q[k].k1;
    primitive.inv_w.k2 += q[k].k2;
    const double z = v[k].z * view.scale_z;
    primitive.depth.constant += q[k].constant * z;
    primitive.depth.k1 += q[k].k1 * z;
    primitive.depth.k2 += q[k].k2 * z;
  }
  primitive.depth.constant += view.offset_z;
  primitive.depth_low = -0x1p127, primitive.depth_high = 0x1p127;
  if (!narrow_bounds(view, v, primitive.inv_w, bounds)) return SetupResult::kNoPixels;

  // Clip planes.
  BaseLines base;
  const double side = determinant < 0 ? -1 : 1;
  for (int k = 0; k < 3; ++k)
    base.line[k] = {line[k].a * side, line[k].b * side,
                    (line[k].c - (line[k].a * view.offset_x + line[k].b * view.offset_y)) * side};
  return add_clips(context, base, primitive) ? SetupResult::kAccepted : SetupResult::kNoPixels;
}

}  // namespace

SetupResult setup_triangle(const SetupContext& context, Primitive& primitive, UnitBounds& bounds) {
  const WindowVertex* v = context.vertex;
  return v[0].snapped && v[1].snapped && v[2].snapped ? setup_snapped(context, primitive, bounds)
                                                      : setup_homogeneous(context, primitive, bounds);
}

}  // namespace cutaway::func::raster
