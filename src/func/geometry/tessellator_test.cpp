#include "func/geometry/tessellator.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <set>

namespace cutaway::func {
namespace {

using arch::TessDomain;
using arch::TessSpacing;

constexpr TessSpacing kSpacings[] = {TessSpacing::kEqual, TessSpacing::kFractionalEven,
                                     TessSpacing::kFractionalOdd, TessSpacing::kPowerOfTwo};

// Integer factors, values close to them, and arbitrary ones.
std::vector<float> factors() {
  std::vector<float> all;
  for (int i = 1; i <= 64; i++)
    for (const float beside : {-0.001f, 0.0f, 0.001f, 0.5f}) all.push_back(static_cast<float>(i) + beside);
  std::mt19937 random(11);
  for (int i = 0; i < 200; i++) all.push_back(std::uniform_real_distribution<float>(0.01f, 70)(random));
  return all;
}

float some_factor(std::mt19937& random) {
  switch (random() % 4) {
    case 0:
      return 1;
    case 1:
      return static_cast<float>(1 + random() % 64);
    case 2:
      return std::uniform_real_distribution<float>(0.1f, 8)(random);
    default:
      return std::uniform_real_distribution<float>(1, 65)(random);
  }
}

TessFactors some_factors(std::mt19937& random) {
  TessFactors factors;
  for (float& f : factors.outer) f = some_factor(random);
  for (float& f : factors.inner) f = some_factor(random);
  return factors;
}

// Vulkan "Tessellator Spacing": the number of segments of a factor.
TEST(Tessellator, SegmentsFollowFromFactorAndSpacing) {
  const auto segments = [](float factor, TessSpacing spacing) {
    return Subdivision(factor, spacing).segments();
  };
  EXPECT_EQ(segments(0.3f, TessSpacing::kEqual), 1u);
  EXPECT_EQ(segments(3, TessSpacing::kEqual), 3u);
  EXPECT_EQ(segments(3.01f, TessSpacing::kEqual), 4u);
  EXPECT_EQ(segments(90, TessSpacing::kEqual), 64u);
  EXPECT_EQ(segments(0.3f, TessSpacing::kFractionalEven), 2u);
  EXPECT_EQ(segments(2.1f, TessSpacing::kFractionalEven), 4u);
  EXPECT_EQ(segments(64, TessSpacing::kFractionalEven), 64u);
  EXPECT_EQ(segments(1, TessSpacing::kFractionalOdd), 1u);
  EXPECT_EQ(segments(1.1f, TessSpacing::kFractionalOdd), 3u);
  EXPECT_EQ(segments(5, TessSpacing::kFractionalOdd), 5u);
  EXPECT_EQ(segments(64, TessSpacing::kFractionalOdd), 63u);
  EXPECT_EQ(segments(5, TessSpacing::kPowerOfTwo), 8u);
  EXPECT_EQ(segments(64, TessSpacing::kPowerOfTwo), 64u);
}

// Points of an edge are exactly symmetric and in order. All segments have the same length, up to rounding,
// except that a fractional factor has two segments that are no longer than the others.
TEST(Tessellator, EdgesAreExactlySymmetric) {
  for (const TessSpacing spacing : kSpacings)
    for (const float factor : factors()) {
      const Subdivision edge(factor, spacing);
      const uint32_t n = edge.segments();
      ASSERT_EQ(edge.location(0), 0u);
      ASSERT_EQ(edge.location(n), kDomainOne);
      std::vector<uint32_t> lengths;
      for (uint32_t i = 0; i <= n; i++) {
        ASSERT_EQ(edge.location(i) + edge.location(n - i), kDomainOne) << factor;
        if (i == 0) continue;
        ASSERT_GE(edge.location(i), edge.location(i - 1)) << factor;
        lengths.push_back(edge.location(i) - edge.location(i - 1));
      }
      const uint32_t longest = *std::max_element(lengths.begin(), lengths.end());
      const auto shorter = std::count_if(lengths.begin(), lengths.end(),
                                         [&](uint32_t length) { return length + 3 < longest; });
      const bool fractional =
          spacing == TessSpacing::kFractionalEven || spacing == TessSpacing::kFractionalOdd;
      EXPECT_LE(shorter, fractional ? 2 : 0) << factor;
    }
}

// A fractional factor moves from one integer factor to the next continuously.
TEST(Tessellator, PointsMoveSteadily) {
  for (const TessSpacing spacing : {TessSpacing::kFractionalEven, TessSpacing::kFractionalOdd})
    for (float factor = 2; factor < 62; factor += 0.01f) {
      const Subdivision here(factor, spacing), next(factor + 0.01f, spacing);
      if (here.segments() != next.segments()) continue;
      for (uint32_t i = 0; i <= here.segments(); i++)
        ASSERT_LE(std::abs(static_cast<int>(here.location(i)) - static_cast<int>(next.location(i))), 700)
            << factor;
    }
}

double area(const Tessellation& t, size_t triangle) {
  const auto at = [&](size_t i) { return t.points[t.indices[3 * triangle + i]]; };
  const double ux = static_cast<double>(at(1).u) - at(0).u, uy = static_cast<double>(at(1).v) - at(0).v;
  const double vx = static_cast<double>(at(2).u) - at(0).u, vy = static_cast<double>(at(2).v) - at(0).v;
  return (ux * vy - uy * vx) / 2 / kDomainOne / kDomainOne;
}

// All triangles have the same winding, and their areas sum to the domain's. Each inner edge belongs to two
// triangles that traverse it in opposite directions, each outer edge to one: so the domain is covered exactly
// once.
TEST(Tessellator, CoversTheDomainExactlyOnce) {
  std::mt19937 random(7);
  for (int round = 0; round < 600; round++) {
    const TessellationShape shape{.domain = round % 2 ? TessDomain::kQuads : TessDomain::kTriangles,
                                  .spacing = kSpacings[round / 2 % 4],
                                  .clockwise = round / 8 % 2 == 0};
    const TessFactors factors = some_factors(random);
    Tessellation t;
    ASSERT_TRUE(tessellate(shape, factors, t));
    ASSERT_EQ(t.vertices, 3u);
    ASSERT_EQ(t.indices.size() % 3, 0u);
    double sum = 0;
    std::map<std::pair<uint16_t, uint16_t>, int> edges;
    for (size_t i = 0; 3 * i < t.indices.size(); i++) {
      const double here = area(t, i) * (shape.clockwise ? 1 : -1);
      EXPECT_GE(here, -1e-9);
      sum += here;
      for (size_t k = 0; k < 3; k++) edges[{t.indices[3 * i + k], t.indices[3 * i + (k + 1) % 3]}]++;
    }
    EXPECT_NEAR(sum, shape.domain == TessDomain::kQuads ? 1 : 0.5, 1e-9);
    for (const auto& [edge, count] : edges) {
      ASSERT_EQ(count, 1);
      if (edges.contains({edge.second, edge.first})) continue;
      const DomainPoint a = t.points[edge.first], b = t.points[edge.second];
      const bool left = a.u == 0 && b.u == 0, top = a.v == 0 && b.v == 0;
      const bool rest =
          shape.domain == TessDomain::kQuads
              ? (a.u == kDomainOne && b.u == kDomainOne) || (a.v == kDomainOne && b.v == kDomainOne)
              : a.u + a.v == kDomainOne && b.u + b.v == kDomainOne;
      ASSERT_TRUE(left || top || rest) << "a hole";
    }
    // Every point is used, and points are distinct, except where a fractional factor has just begun to
    // separate two.
    const std::set<uint16_t> used(t.indices.begin(), t.indices.end());
    EXPECT_EQ(used.size(), t.points.size());
    EXPECT_LE(t.points.size(), Tessellation::kMostPoints);
  }
}

// Positions of the outline's points along a side of the domain: the ends of edges that only one triangle has.
std::set<uint32_t> outline(const Tessellation& t, TessDomain domain, uint32_t side) {
  std::set<std::pair<uint16_t, uint16_t>> edges;
  for (size_t i = 0; i < t.indices.size(); i++)
    edges.insert({t.indices[i], t.indices[i % 3 == 2 ? i - 2 : i + 1]});
  std::set<uint32_t> found;
  for (const auto& [from, to] : edges) {
    if (edges.contains({to, from})) continue;
    const DomainPoint a = t.points[from], b = t.points[to];
    const auto note = [&](bool on, uint32_t DomainPoint::*along) {
      if (on) found.insert(a.*along), found.insert(b.*along);
    };
    const bool quads = domain == TessDomain::kQuads;
    if (side == 0) note(a.u == 0 && b.u == 0, &DomainPoint::v);
    if (side == 1) note(a.v == 0 && b.v == 0, &DomainPoint::u);
    if (side == 2 && quads) note(a.u == kDomainOne && b.u == kDomainOne, &DomainPoint::v);
    if (side == 3 && quads) note(a.v == kDomainOne && b.v == kDomainOne, &DomainPoint::u);
    if (side == 2 && !quads) note(a.u + a.v == kDomainOne && b.u + b.v == kDomainOne, &DomainPoint::u);
  }
  return found;
}

// No cracks: the points of an edge depend only on its factor, and are the same from either end.
TEST(Tessellator, PointsOfAnEdgeDependOnItsFactorAlone) {
  std::mt19937 random(9);
  for (int round = 0; round < 400; round++) {
    const TessDomain domain = round % 2 ? TessDomain::kQuads : TessDomain::kTriangles;
    const TessSpacing spacing = kSpacings[round / 2 % 4];
    const TessFactors factors = some_factors(random);
    Tessellation t;
    ASSERT_TRUE(tessellate({.domain = domain, .spacing = spacing}, factors, t));
    for (uint32_t side = 0; side < (domain == TessDomain::kQuads ? 4u : 3u); side++) {
      const Subdivision edge(factors.outer[side], spacing);
      std::set<uint32_t> expected, reversed;
      for (uint32_t i = 0; i <= edge.segments(); i++) expected.insert(edge.location(i));
      for (const uint32_t at : expected) reversed.insert(kDomainOne - at);
      EXPECT_EQ(outline(t, domain, side), expected);
      EXPECT_EQ(reversed, expected);
    }
  }
}

// With equal factors a patch is symmetric.
TEST(Tessellator, PatchesOfOneFactorAreSymmetric) {
  for (const TessSpacing spacing : kSpacings)
    for (const float factor : {1.0f, 2.0f, 3.0f, 4.5f, 7.2f, 12.0f, 33.3f, 64.0f}) {
      Tessellation quad;
      ASSERT_TRUE(tessellate({.domain = TessDomain::kQuads, .spacing = spacing},
                             {{factor, factor, factor, factor}, {factor, factor}}, quad));
      std::set<std::pair<uint32_t, uint32_t>> points;
      for (const DomainPoint p : quad.points) points.insert({p.u, p.v});
      for (const auto& [u, v] : points) {
        EXPECT_TRUE(points.contains({v, u}) && points.contains({kDomainOne - u, v}) &&
                    points.contains({u, kDomainOne - v}));
      }
      Tessellation triangle;
      ASSERT_TRUE(tessellate({.domain = TessDomain::kTriangles, .spacing = spacing},
                             {{factor, factor, factor, 0}, {factor, 0}}, triangle));
      // Except for the middle point, whose thirds are no fixed-point numbers, coordinates may be exchanged.
      points.clear();
      for (const DomainPoint p : triangle.points) points.insert({p.u, p.v});
      for (const auto& [u, v] : points) {
        const uint32_t w = kDomainOne - u - v;
        if (std::max({u, v, w}) - std::min({u, v, w}) <= 2) continue;
        EXPECT_TRUE(points.contains({w, v}) && points.contains({u, w})) << factor << " " << u << " " << v;
      }
    }
}

// Counts for integer factors, from the figures in Vulkan "Triangle Tessellation", "Quad Tessellation",
// "Isolines".
TEST(Tessellator, CountsFollowFromFactors) {
  Tessellation t;
  const auto triangles = [&] { return t.indices.size() / 3; };
  ASSERT_TRUE(tessellate({.domain = TessDomain::kTriangles}, {{1, 1, 1, 0}, {1, 0}}, t));
  EXPECT_EQ(triangles(), 1u);
  EXPECT_EQ(t.points.size(), 3u);
  ASSERT_TRUE(tessellate({.domain = TessDomain::kTriangles}, {{2, 1, 1, 0}, {1, 0}}, t));
  EXPECT_EQ(triangles(), 4u);  // around a point in the middle
  ASSERT_TRUE(tessellate({.domain = TessDomain::kTriangles}, {{4, 4, 4, 0}, {4, 0}}, t));
  EXPECT_EQ(triangles(), 12u + 6 + 6);
  EXPECT_EQ(t.points.size(), 12u + 6 + 1);
  ASSERT_TRUE(tessellate({.domain = TessDomain::kTriangles}, {{5, 5, 5, 0}, {5, 0}}, t));
  EXPECT_EQ(t.points.size(), 15u + 9 + 3);
  EXPECT_EQ(triangles(), 15u + 9 + 9 + 3 + 1);
  ASSERT_TRUE(tessellate({.domain = TessDomain::kQuads}, {{1, 1, 1, 1}, {1, 1}}, t));
  EXPECT_EQ(triangles(), 2u);
  ASSERT_TRUE(tessellate({.domain = TessDomain::kQuads}, {{1, 1, 1, 1}, {2, 1}}, t));
  EXPECT_EQ(triangles(), 4u);
  ASSERT_TRUE(tessellate({.domain = TessDomain::kQuads}, {{64, 64, 64, 64}, {64, 64}}, t));
  EXPECT_EQ(triangles(), 2u * 64 * 64);
  EXPECT_EQ(t.points.size(), Tessellation::kMostPoints);
  ASSERT_TRUE(tessellate({.domain = TessDomain::kQuads}, {{3, 4, 5, 6}, {7, 8}}, t));
  EXPECT_EQ(triangles(), 2u * 5 * 6 + (3 + 6) + (4 + 5) + (5 + 6) + (6 + 5));
  ASSERT_TRUE(tessellate({.domain = TessDomain::kIsolines, .spacing = TessSpacing::kFractionalOdd},
                         {{2.5f, 4, 0, 0}, {}}, t));
  EXPECT_EQ(t.vertices, 2u);
  EXPECT_EQ(t.indices.size() / 2, 3u * 5);
  for (const DomainPoint p : t.points) EXPECT_LT(p.v, kDomainOne);
  ASSERT_TRUE(tessellate({.domain = TessDomain::kQuads, .point_mode = true}, {{2, 2, 2, 2}, {2, 2}}, t));
  EXPECT_EQ(t.vertices, 1u);
  EXPECT_EQ(t.indices.size(), 9u);
}

TEST(Tessellator, FactorsThatAreNotAboveZeroCull) {
  Tessellation t;
  for (const float factor : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()})
    for (uint32_t i = 0; i < 4; i++) {
      TessFactors factors{{3, 3, 3, 3}, {3, 3}};
      factors.outer[i] = factor;
      EXPECT_FALSE(tessellate({.domain = TessDomain::kQuads}, factors, t));
      EXPECT_EQ(tessellate({.domain = TessDomain::kTriangles}, factors, t), i >= 3);
      EXPECT_EQ(tessellate({.domain = TessDomain::kIsolines}, factors, t), i >= 2);
    }
  // Inner ones are clamped.
  const float nan = std::numeric_limits<float>::quiet_NaN();
  ASSERT_TRUE(tessellate({.domain = TessDomain::kQuads}, {{1, 1, 1, 1}, {-3, nan}}, t));
  EXPECT_EQ(t.indices.size(), 6u);
  EXPECT_TRUE(tessellate({.domain = TessDomain::kQuads},
                         {{std::numeric_limits<float>::infinity(), 1, 1, 1}, {1e30f, 1}}, t));
}

}  // namespace
}  // namespace cutaway::func
