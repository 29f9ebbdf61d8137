#include "probe/shapes.h"

namespace cutaway::probe {
namespace {

constexpr float kEdge = kWindow;
constexpr uint32_t kTile = 16, kSubTileColumns = 8, kSubTileRows = 4;

using Vertices = std::vector<Point>;

void add_triangles(Vertices& to, float x, float y, float size) {
  const Point a{x, y}, b{x + size, y}, c{x, y + size}, d{x + size, y + size};
  to.insert(to.end(), {a, d, c, a, b, d});  // the left triangle first; its edge from a to d is the diagonal
}

// Upper left corners of squares that tile the window, row by row within larger squares of `outer`, which are
// row by row too. outer == `size`: rows of the whole window.
template <class F>
void each_square(uint32_t size, uint32_t outer, F&& visit) {
  for (uint32_t y = 0; y < kWindow; y += outer)
    for (uint32_t x = 0; x < kWindow; x += outer)
      for (uint32_t v = 0; v < outer; v += size)
        for (uint32_t u = 0; u < outer; u += size) visit(x + u, y + v);
}

// The same from bottom to top: OpenGL's order of rows.
template <class F>
void each_square_upwards(uint32_t size, F&& visit) {
  for (uint32_t y = kWindow; y >= size; y -= size)
    for (uint32_t x = 0; x < kWindow; x += size) visit(x, y - size);
}

void add_line(Vertices& to, uint32_t x, uint32_t y, uint32_t length) {
  const float middle = static_cast<float>(y) + 0.5f, start = static_cast<float>(x) + 0.5f;
  to.push_back({start, middle});
  to.push_back({start + static_cast<float>(length), middle});
}

Point middle_of(uint32_t x, uint32_t y) {
  return {static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f};
}

// One in each sub-tile, at this position in it.
void add_stars(Vertices& to, std::pair<uint32_t, uint32_t> at) {
  for (uint32_t y = at.second; y < kWindow; y += kSubTileRows)
    for (uint32_t x = at.first; x < kWindow; x += kSubTileColumns) to.push_back(middle_of(x, y));
}

Shape quads_at(uint32_t size, uint32_t outer, uint32_t right) {
  Shape shape;
  each_square(size, outer, [&](uint32_t x, uint32_t y) {
    add_triangles(shape.vertices, static_cast<float>(x + right), static_cast<float>(y),
                  static_cast<float>(size));
  });
  return shape;
}

}  // namespace

Shape one_triangle(uint32_t) { return {Topology::kTriangles, {{0, 0}, {2 * kEdge, 0}, {0, 2 * kEdge}}, {}}; }

Shape one_quad(uint32_t) { return quads_at(kWindow, kWindow, 0); }
Shape quads(uint32_t size) { return quads_at(size, size, 0); }
Shape quads_in_tiles(uint32_t size) { return quads_at(size, kTile, 0); }
Shape quads_shifted(uint32_t size) { return quads_at(size, size, 1); }

Shape strips(uint32_t size) {
  Shape shape{Topology::kStrips, {}, {}};
  each_square(size, size, [&](uint32_t x, uint32_t y) {
    const auto left = static_cast<float>(x), top = static_cast<float>(y), edge = static_cast<float>(size);
    const auto first = static_cast<uint32_t>(shape.vertices.size());
    for (const Point& corner :
         {Point{left, top + edge}, {left, top}, {left + edge, top + edge}, {left + edge, top}})
      shape.vertices.push_back(corner);
    shape.indices.insert(shape.indices.end(), {first, first + 1, first + 2, first + 3, kRestart});
  });
  return shape;
}

Shape lines(uint32_t length) {
  Shape shape{Topology::kLines, {}, {}};
  for (uint32_t y = kWindow; y-- > 0;)
    for (uint32_t x = 0; x < kWindow; x += length) add_line(shape.vertices, x, y, length);
  return shape;
}

Shape line_quads(uint32_t size) {
  Shape shape{Topology::kLines, {}, {}};
  each_square_upwards(size, [&](uint32_t x, uint32_t y) {
    for (uint32_t v = size; v-- > 0;) add_line(shape.vertices, x, y + v, size);
  });
  return shape;
}

Shape points(uint32_t) { return point_quads(1); }

Shape point_quads(uint32_t size) {
  Shape shape{Topology::kPoints, {}, {}};
  each_square_upwards(size, [&](uint32_t x, uint32_t y) {
    for (uint32_t v = size; v-- > 0;)
      for (uint32_t u = 0; u < size; u++) shape.vertices.push_back(middle_of(x + u, y + v));
  });
  return shape;
}

Shape points_spaced(uint32_t distance) {
  Shape shape{Topology::kPoints, {}, {}};
  for (uint32_t y = kWindow; y >= distance; y -= distance)
    for (uint32_t x = 0; x + distance <= kWindow; x += distance)
      shape.vertices.push_back(middle_of(x, y - distance));
  return shape;
}

Shape points_on_one_pixel(uint32_t) {
  return {Topology::kPoints, Vertices(size_t{kWindow} * kWindow, middle_of(100, 100)), {}};
}

Shape points_on_six_pixels(uint32_t tiles) {
  Shape shape{Topology::kPoints, {}, {}};
  for (uint32_t i = 0; i < kWindow * kWindow; i++)
    shape.vertices.push_back(middle_of(100 + i % tiles * kTile, 100));
  return shape;
}

Shape star_points(uint32_t) {
  Shape shape{Topology::kPoints, {}, {}};
  add_stars(shape.vertices, kStars[0]);
  return shape;
}

Shape star_points_by_kind(uint32_t) {
  Shape shape{Topology::kPoints, {}, {}};
  for (const auto& star : kStars) add_stars(shape.vertices, star);
  return shape;
}

Shape star_block(uint32_t) {
  constexpr float kWidth = 2 * kEdge / kSubTileColumns, kHeight = kEdge / 2 / kSubTileRows;
  const Point a{0, 0}, b{kWidth, 0}, c{0, kHeight}, d{kWidth, kHeight};
  return {Topology::kTriangles, {a, d, c, a, b, d}, {}};
}

Shape line_points(uint32_t) {
  Shape shape{Topology::kPoints, {}, {}};
  const auto& [left, top] = kSilhouetteAt;
  for (uint32_t y = top; y + kSilhouettes.pixels <= kWindow; y += kSilhouettes.down)
    for (uint32_t x = left; x < kWindow; x += kSilhouettes.across)
      for (uint32_t i = 0; i < kSilhouettes.pixels; i++) shape.vertices.push_back(middle_of(x, y + i));
  return shape;
}

Shape line_points_in_turn(uint32_t) {
  Shape shape{Topology::kPoints, {}, {}};
  const auto& [left, top] = kSilhouetteAt;
  for (uint32_t i = 0; i < kSilhouettes.pixels; i++)
    for (uint32_t y = top; y + kSilhouettes.pixels <= kWindow; y += kSilhouettes.down)
      for (uint32_t x = left; x < kWindow; x += kSilhouettes.across)
        shape.vertices.push_back(middle_of(x, y + i));
  return shape;
}

}  // namespace cutaway::probe
