#include "func/geometry/tessellator.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cutaway::func {
namespace {

using arch::TessDomain;
using arch::TessSpacing;

constexpr uint32_t kHalf = kDomainOne / 2;

// Clamps a factor to the range of the spacing; NaN becomes the least.
float clamped(float factor, TessSpacing spacing) {
  constexpr auto kMost = static_cast<float>(arch::kMaxTessFactor);
  const float least = spacing == TessSpacing::kFractionalEven ? 2.0f : 1.0f;
  const float most = spacing == TessSpacing::kFractionalOdd ? kMost - 1 : kMost;
  return factor > least ? std::min(factor, most) : least;
}

uint32_t without_top_bit(uint32_t value) { return value & ~std::bit_floor(value); }

// Rounds i / n to units of 2^-16.
uint64_t even(uint32_t i, uint32_t n) { return (uint64_t{i} * kDomainOne + n / 2) / n; }

}  // namespace

Subdivision::Subdivision(float factor, TessSpacing spacing) {
  factor = clamped(factor, spacing);
  if (spacing == TessSpacing::kEqual || spacing == TessSpacing::kPowerOfTwo) {
    segments_ = static_cast<uint32_t>(std::ceil(factor));
    if (spacing == TessSpacing::kPowerOfTwo) segments_ = std::bit_ceil(segments_);
    floor_segments_ = segments_;
    return;
  }
  // Length of half an edge in units of 2^-16 segments; for odd factors the middle segment counts as a whole
  // one.
  const bool odd = spacing == TessSpacing::kFractionalOdd;
  const auto fixed = static_cast<uint32_t>(std::lround(static_cast<double>(factor) * kDomainOne));
  const uint32_t half = (fixed + 1) / 2 + (odd ? kHalf : 0);
  const uint32_t floor = half / kDomainOne;
  fraction_ = half % kDomainOne;
  const uint32_t ceil = floor + (fraction_ ? 1 : 0);
  segments_ = 2 * ceil - (odd ? 1 : 0);
  floor_segments_ = 2 * floor - (odd ? 1 : 0);
  if (!fraction_) return;
  if (odd) split_ = floor == 1 ? 0 : 2 * without_top_bit(floor - 1) + 1;
  else split_ = 2 * without_top_bit(floor) + 1;
}

uint32_t Subdivision::location(uint32_t point) const {
  if (2 * point == segments_) return kHalf;
  if (2 * point > segments_) return kDomainOne - location(segments_ - point);
  const uint64_t to = even(point, segments_);
  if (!fraction_) return static_cast<uint32_t>(to);
  const uint64_t from = even(point > split_ ? point - 1 : point, floor_segments_);
  return static_cast<uint32_t>((from * (kDomainOne - fraction_) + to * fraction_ + kHalf) / kDomainOne);
}

namespace {

class Tessellator {
 public:
  Tessellator(const TessellationShape& shape, const TessFactors& factors, Tessellation& made)
      : shape_(shape), factors_(factors), made_(made) {
    made_.points.clear(), made_.indices.clear();
    made_.vertices = shape.point_mode ? 1 : shape.domain == TessDomain::kIsolines ? 2 : 3;
  }

  bool run() {
    const uint32_t outer = shape_.domain == TessDomain::kQuads       ? 4
                           : shape_.domain == TessDomain::kTriangles ? 3
                                                                     : 2;
    for (uint32_t i = 0; i < outer; i++)
      if (!(factors_.outer[i] > 0)) return false;
    if (shape_.domain == TessDomain::kQuads) quads();
    else if (shape_.domain == TessDomain::kTriangles) triangles();
    else isolines();
    if (shape_.point_mode) {
      made_.indices.clear();
      for (size_t i = 0; i < made_.points.size(); i++) made_.indices.push_back(static_cast<uint16_t>(i));
    }
    return true;
  }

 private:
  using Row = std::vector<uint16_t>;  // points along a line

  uint16_t point(uint32_t u, uint32_t v) {
    made_.points.push_back({u, v});
    return static_cast<uint16_t>(made_.points.size() - 1);
  }

  // Vertices must turn from u to v, which is clockwise with v pointing down.
  void triangle(uint16_t a, uint16_t b, uint16_t c) {
    if (shape_.clockwise) made_.indices.insert(made_.indices.end(), {a, b, c});
    else made_.indices.insert(made_.indices.end(), {a, c, b});
  }

  Subdivision divide(float factor) const { return Subdivision(factor, shape_.spacing); }

  // Divides an inner edge. If a factor gives a single segment, it is treated as slightly more than 1.
  Subdivision divide_inner(float factor) const {
    const Subdivision plain = divide(factor);
    return plain.segments() > 1 ? plain : divide(1 + 1.0f / kDomainOne);
  }

  // Fills the strip between a row of points and the shorter inner row. Both run the same way, with the inside
  // on their left if u turns to v. Always advances in the row whose next segment has the earlier middle,
  // mirrored about the middle of the strip.
  void stitch(const Row& outer, const Row& inner) {
    const auto a = static_cast<uint32_t>(outer.size() - 1), b = static_cast<uint32_t>(inner.size() - 1);
    uint32_t i = 0, j = 0;
    while (i < a || j < b) {
      // Middles of the next segments, in units of 1 / (2 a (b + 2)): the inner row starts one inner segment
      // later.
      const uint32_t of_outer = (2 * i + 1) * (b + 2), of_inner = (2 * j + 3) * a;
      const bool first_half = of_outer < a * (b + 2);
      if (j == b || (i < a && (of_outer < of_inner || (of_outer == of_inner && first_half)))) {
        triangle(outer[i], outer[i + 1], inner[j]);
        i++;
      } else {
        triangle(outer[i], inner[j + 1], inner[j]);
        j++;
      }
    }
  }

  void quads() {
    const Subdivision edge[4] = {divide(factors_.outer[0]), divide(factors_.outer[1]),
                                 divide(factors_.outer[2]), divide(factors_.outer[3])};
    Subdivision across = divide(factors_.inner[0]), down = divide(factors_.inner[1]);
    const auto whole = [](const Subdivision& s) { return s.segments() == 1; };
    const bool one = std::all_of(edge, edge + 4, whole) && whole(across) && whole(down);
    if (!one) across = divide_inner(factors_.inner[0]), down = divide_inner(factors_.inner[1]);

    // Edges in turn, each without its end, which is the start of the next edge.
    const uint16_t corner[4] = {point(0, 0), point(kDomainOne, 0), point(kDomainOne, kDomainOne),
                                point(0, kDomainOne)};
    if (one) {
      triangle(corner[0], corner[1], corner[2]);
      triangle(corner[0], corner[2], corner[3]);
      return;
    }
    const uint32_t m = across.segments(), n = down.segments();
    std::vector<Row> grid(n - 1);  // inner points
    for (uint32_t y = 1; y < n; y++)
      for (uint32_t x = 1; x < m; x++) grid[y - 1].push_back(point(across.location(x), down.location(y)));
    const auto outside = [&](uint32_t side, uint32_t from, uint32_t to, auto&& at) {
      Row row = {corner[from]};
      for (uint32_t i = 1; i < edge[side].segments(); i++) row.push_back(at(edge[side].location(i)));
      row.push_back(corner[to]);
      return row;
    };
    Row bottom, right = {}, left;
    for (uint32_t y = 0; y + 1 < n; y++)
      right.push_back(grid[y].back()), left.push_back(grid[n - 2 - y].front());
    bottom.assign(grid.back().rbegin(), grid.back().rend());
    stitch(outside(1, 0, 1, [&](uint32_t t) { return point(t, 0); }), grid.front());
    stitch(outside(2, 1, 2, [&](uint32_t t) { return point(kDomainOne, t); }), right);
    stitch(outside(3, 2, 3, [&](uint32_t t) { return point(kDomainOne - t, kDomainOne); }), bottom);
    stitch(outside(0, 3, 0, [&](uint32_t t) { return point(0, kDomainOne - t); }), left);
    // Diagonals point away from the centre.
    for (uint32_t y = 0; y + 2 < n; y++)
      for (uint32_t x = 0; x + 2 < m; x++) {
        const uint16_t a = grid[y][x], b = grid[y][x + 1], c = grid[y + 1][x + 1], d = grid[y + 1][x];
        if ((2 * x + 3 < m) == (2 * y + 3 < n)) triangle(a, b, c), triangle(a, c, d);
        else triangle(a, b, d), triangle(b, c, d);
      }
  }

  // A point on a side of a ring, given its distance from the side of the domain and its position along the
  // side.
  uint16_t on_side(uint32_t side, uint32_t inset, uint32_t along) {
    const uint32_t rest = kDomainOne - inset - along;
    // Sides run from v = 1 over w = 1 to u = 1 and back: u = 0, v = 0, w = 0.
    if (side == 0) return point(inset, rest);
    if (side == 1) return point(along, inset);
    return point(rest, along);
  }

  void triangles() {
    const Subdivision edge[3] = {divide(factors_.outer[0]), divide(factors_.outer[1]),
                                 divide(factors_.outer[2])};
    Subdivision inside = divide(factors_.inner[0]);
    const auto whole = [](const Subdivision& s) { return s.segments() == 1; };
    const bool one = std::all_of(edge, edge + 3, whole) && whole(inside);
    if (!one) inside = divide_inner(factors_.inner[0]);
    // The outer factors divide the outermost ring.
    std::array<Row, 3> outer;
    for (uint32_t side = 0; side < 3; side++) {
      for (uint32_t i = 0; i < edge[side].segments(); i++)
        outer[side].push_back(on_side(side, 0, edge[side].location(i)));
    }
    close(outer);
    if (one) return triangle(outer[0][0], outer[1][0], outer[2][0]);
    const uint32_t n = inside.segments();
    for (uint32_t ring = 1; 2 * ring <= n; ring++) {
      // The corner of a ring lies at `2 * third` from two sides: two thirds of its location on an edge.
      const uint32_t third = (inside.location(ring) + 1) / 3;
      std::array<Row, 3> inner;
      if (2 * ring == n) {
        const uint16_t middle = on_side(0, 2 * third, kDomainOne / 2 - third);
        inner.fill(Row{middle});
      } else {
        for (uint32_t side = 0; side < 3; side++)
          for (uint32_t i = ring; i < n - ring; i++) {
            const uint32_t along = i == ring ? 3 * third : inside.location(i);
            inner[side].push_back(on_side(side, 2 * third, along - third));
          }
        close(inner);
      }
      for (uint32_t side = 0; side < 3; side++) stitch(outer[side], inner[side]);
      if (2 * ring + 1 == n) triangle(inner[0][0], inner[1][0], inner[2][0]);
      outer = std::move(inner);
    }
  }

  // Appends to each side the start of the next.
  static void close(std::array<Row, 3>& ring) {
    const uint16_t starts[3] = {ring[0].front(), ring[1].front(), ring[2].front()};
    for (uint32_t side = 0; side < 3; side++) ring[side].push_back(starts[(side + 1) % 3]);
  }

  void isolines() {
    const Subdivision lines(factors_.outer[0], TessSpacing::kEqual), along = divide(factors_.outer[1]);
    for (uint32_t y = 0; y < lines.segments(); y++)
      for (uint32_t x = 0; x <= along.segments(); x++) {
        const uint16_t here = point(along.location(x), lines.location(y));
        if (x) made_.indices.insert(made_.indices.end(), {static_cast<uint16_t>(here - 1), here});
      }
  }

  const TessellationShape& shape_;
  const TessFactors& factors_;
  Tessellation& made_;
};

}  // namespace

bool tessellate(const TessellationShape& shape, const TessFactors& factors, Tessellation& made) {
  return Tessellator(shape, factors, made).run();
}

}  // namespace cutaway::func
