#include "func/raster/coverage.h"

#include <gtest/gtest.h>

#include "func/raster/raster_testing.h"

namespace cutaway::func {
namespace {

using namespace testing;

struct Corner {
  int64_t x, y;  // units
};

// Vulkan's rule in exact integers: by the top-left rule, a sample is covered if it is inside after moving
// right by an infinitesimal, and down by a still smaller one.
bool reference_covers(const Corner (&t)[3], int64_t x, int64_t y) {
  const auto cross = [](Corner p, Corner q, int64_t px, int64_t py) -> int64_t {
    return (q.x - p.x) * (py - p.y) - (q.y - p.y) * (px - p.x);
  };
  const int64_t area = cross(t[0], t[1], t[2].x, t[2].y);
  if (area == 0) return false;
  for (int k = 0; k < 3; ++k) {
    Corner p = t[k], q = t[(k + 1) % 3];
    if (area < 0) std::swap(p, q);
    const int64_t e = cross(p, q, x, y);
    const int64_t along_x = p.y - q.y, along_y = q.x - p.x;
    const bool inside = e != 0 ? e > 0 : along_x != 0 ? along_x > 0 : along_y > 0;
    if (!inside) return false;
  }
  return true;
}

// A corner that a sample can hit exactly, or anywhere; sometimes far away.
Corner random_corner(Random& random, int size) {
  const int32_t reach = random.integer(0, 9) == 0 ? 30000 * kSubpixels : size * kSubpixels * 3 / 2;
  Corner c{random.integer(-reach / 3, reach), random.integer(-reach / 3, reach)};
  switch (random.integer(0, 3)) {
    case 0:
      c.x = (c.x & ~255) + 128, c.y = (c.y & ~255) + 128;
      break;
    case 1:
      c.x &= ~255, c.y &= ~255;
      break;
    default:
      break;
  }
  return c;
}

Primitive exact_triangle(const arch::Registers& r, const Corner (&c)[3], SetupResult& result) {
  std::array<Position, 3> vertices;
  // A power-of-two size makes the conversion to clip space and back exact.
  for (int k = 0; k < 3; ++k)
    vertices[k] = at_window(r, static_cast<double>(c[k].x) / 256, static_cast<double>(c[k].y) / 256);
  Primitive primitive;
  result = set_up(r, vertices, primitive);
  return primitive;
}

TEST(Coverage, EqualsTheExactReference) {
  constexpr int kSize = 64;
  const arch::Registers r = registers(kSize, kSize);
  Random random(1);
  int drawn = 0;
  for (int i = 0; i < 4000; ++i) {
    const Corner c[3] = {random_corner(random, kSize), random_corner(random, kSize),
                         random_corner(random, kSize)};
    SetupResult result;
    const Primitive primitive = exact_triangle(r, c, result);
    Picture picture(kSize, kSize);
    if (result == SetupResult::kAccepted) picture.draw(primitive);
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x)
        ASSERT_EQ(picture.at(x, y), reference_covers(c, x * 256 + 128, y * 256 + 128))
            << "triangle " << i << " pixel " << x << ", " << y << ", " << name(result);
    drawn += picture.total();
  }
  EXPECT_GT(drawn, 100000);
}

TEST(Coverage, EverySampleEqualsTheExactReference) {
  constexpr int kSize = 32;
  arch::Registers r = registers(kSize, kSize);
  Random random(2);
  for (const uint32_t samples : {2u, 4u, 8u}) {
    r.raster.samples = samples;
    for (int i = 0; i < 200; ++i) {
      const Corner c[3] = {random_corner(random, kSize), random_corner(random, kSize),
                           random_corner(random, kSize)};
      SetupResult result;
      const Primitive primitive = exact_triangle(r, c, result);
      for (uint32_t s = 0; s < samples; ++s) {
        const SampleOffset offset = sample_offset(samples, s);
        Picture picture(kSize, kSize);
        if (result == SetupResult::kAccepted) picture.draw(primitive, offset);
        for (int y = 0; y < kSize; ++y)
          for (int x = 0; x < kSize; ++x)
            ASSERT_EQ(picture.at(x, y), reference_covers(c, x * 256 + offset.x, y * 256 + offset.y));
      }
    }
  }
}

TEST(Coverage, OverlapNeverRejectsACoveredTile) {
  constexpr int kSize = 256;
  const arch::Registers r = registers(kSize, kSize);
  Random random(3);
  int rejected = 0, empty = 0;
  for (int i = 0; i < 500; ++i) {
    const Corner c[3] = {random_corner(random, kSize), random_corner(random, kSize),
                         random_corner(random, kSize)};
    SetupResult result;
    const Primitive primitive = exact_triangle(r, c, result);
    if (result != SetupResult::kAccepted) continue;
    for (int y = 0; y < kSize; y += 8)
      for (int x = 0; x < kSize; x += 8) {
        const bool covered = tile_coverage(primitive, x, y) != 0;
        rejected += !tile_overlaps(primitive, x, y, 8);
        empty += !covered;
        if (!covered) continue;
        for (int size = 8; size <= kSize; size *= 2)
          ASSERT_TRUE(tile_overlaps(primitive, x & -size, y & -size, size)) << x << ", " << y << ", " << size;
      }
  }
  EXPECT_GT(rejected, empty * 8 / 10) << "of " << empty << " tiles without coverage";
}

TEST(Coverage, OverlapAcceptsWhatOnlyASampleCovers) {
  arch::Registers r = registers(64, 64);
  r.raster.samples = 8;
  // A sliver left of the first pixel's centre, over sample 5 at (16, 112).
  const Corner c[3] = {{14, 110}, {20, 110}, {14, 116}};
  SetupResult result;
  const Primitive primitive = exact_triangle(r, c, result);
  ASSERT_EQ(result, SetupResult::kAccepted);
  EXPECT_EQ(tile_coverage(primitive, 0, 0), 0u);
  EXPECT_EQ(tile_coverage(primitive, 0, 0, sample_offset(8, 5)), 1u);
  EXPECT_TRUE(tile_overlaps(primitive, 0, 0, 8));
}

TEST(Coverage, QuadsOfATileAreInSectorOrder) {
  uint64_t seen = 0;
  for (uint32_t quad = 0; quad < kTileQuads; ++quad) {
    const int x = quad_x(quad), y = quad_y(quad);
    EXPECT_EQ(static_cast<uint32_t>(y / 4 * 2 + x / 4), quad / 4) << "sector";
    for (int lane = 0; lane < 4; ++lane) {
      const uint64_t bit = uint64_t{1} << ((y + lane / 2) * 8 + x + lane % 2);
      EXPECT_EQ(quad_mask(bit, quad), 1 << lane);
      EXPECT_EQ(quad_mask(~bit, quad), 15 & ~(1 << lane));
      const uint64_t in_quads = uint64_t{1} << (4 * quad + static_cast<uint32_t>(lane));
      const uint64_t in_sectors =
          uint64_t{1} << (quad / 4 * 16 + static_cast<uint32_t>(y % 4 * 4 + x % 4 + lane / 2 * 4 + lane % 2));
      EXPECT_EQ(quad_order(bit), in_quads);
      EXPECT_EQ(quad_order(~bit), ~in_quads);
      EXPECT_EQ(sector_order(bit), in_sectors);
      EXPECT_EQ(exchange_quads_and_sectors(in_quads), in_sectors);
      EXPECT_EQ(exchange_quads_and_sectors(in_sectors), in_quads);
      seen |= bit;
    }
  }
  EXPECT_EQ(seen, ~uint64_t{0});
}

// For any box inside all edges, tiles equal the part within the bounds.
TEST(Coverage, BoxesInsideAllEdgesAreCovered) {
  const arch::Registers r = registers(256, 256);
  Random random(9);
  int held = 0;
  for (int round = 0; round < 400; ++round) {
    std::array<Position, 3> vertices;
    for (auto& v : vertices)
      v = at_window(r, random.real(-300, 500), random.real(-300, 500), 0.5f,
                    random.integer(0, 9) ? 1.0f : -1.0f);
    Primitive primitive;
    if (set_up(r, vertices, primitive) != SetupResult::kAccepted) continue;
    for (int32_t y = 0; y < 256; y += 64)
      for (int32_t x = 0; x < 256; x += 64) {
        if (!edges_hold(primitive, x, y, 64)) continue;
        held++;
        for (int32_t ty = y; ty < y + 64; ty += 8)
          for (int32_t tx = x; tx < x + 64; tx += 8)
            for (const uint32_t sample : {0u, 5u})
              ASSERT_EQ(tile_coverage(primitive, tx, ty, sample_offset(8, sample)),
                        tile_bounds(primitive, tx, ty));
      }
  }
  EXPECT_GT(held, 100);
}

// An edge that crosses the last row, or column, of a box before the centres of its pixels.
TEST(Coverage, EdgesAcrossTheLastRowOrColumnHoldNoBox) {
  for (const bool down : {false, true}) {
    Primitive primitive{};
    primitive.samples = 1;
    primitive.x1 = primitive.y1 = 64;
    primitive.edges = 1;
    (down ? primitive.edge[0].b : primitive.edge[0].a) = -1;
    primitive.edge[0].c = 7 * kSubpixels + kSubpixels / 4;
    EXPECT_FALSE(edges_hold(primitive, 0, 0, 8));
    EXPECT_NE(tile_coverage(primitive, 0, 0), ~uint64_t{0});
    primitive.edge[0].c = 8 * kSubpixels;
    EXPECT_TRUE(edges_hold(primitive, 0, 0, 8));
    EXPECT_EQ(tile_coverage(primitive, 0, 0), ~uint64_t{0});
  }
}

TEST(Coverage, StandardSampleLocations) {
  EXPECT_EQ(sample_offset(1, 0).x, 128);
  EXPECT_EQ(sample_offset(4, 0).x, 96);   // 0.375
  EXPECT_EQ(sample_offset(4, 0).y, 32);   // 0.125
  EXPECT_EQ(sample_offset(8, 7).x, 240);  // 0.9375
  EXPECT_EQ(sample_offset(8, 7).y, 16);   // 0.0625
}

}  // namespace
}  // namespace cutaway::func
