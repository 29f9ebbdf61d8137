#include "func/raster/setup.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "func/raster/clip.h"
#include "func/raster/interpolate.h"
#include "func/raster/raster_testing.h"

namespace cutaway::func::setup_test {
namespace {

using namespace testing;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float depth_at(const Primitive& primitive, int32_t x, int32_t y) {
  float z[4];
  depth<4>(primitive, quad_positions(x, y), {}, z);
  return z[0];
}

TEST(Setup, FacingFollowsVulkansAreaWithYDown) {
  arch::Registers r = registers(64, 64);
  const auto clockwise = triangle(r, 8, 8, 40, 8, 8, 40);
  const auto counterclockwise = triangle(r, 8, 8, 8, 40, 40, 8);
  Primitive primitive;
  for (const bool front_is_clockwise : {false, true}) {
    r.raster.front_face = front_is_clockwise;
    r.raster.cull_mode = arch::kCullNone;
    ASSERT_EQ(set_up(r, clockwise, primitive), SetupResult::kAccepted);
    EXPECT_EQ(primitive.front_facing, front_is_clockwise);
    ASSERT_EQ(set_up(r, counterclockwise, primitive), SetupResult::kAccepted);
    EXPECT_EQ(primitive.front_facing, !front_is_clockwise);
    r.raster.cull_mode = arch::kCullBack;
    EXPECT_EQ(set_up(r, front_is_clockwise ? clockwise : counterclockwise, primitive),
              SetupResult::kAccepted);
    EXPECT_EQ(set_up(r, front_is_clockwise ? counterclockwise : clockwise, primitive),
              SetupResult::kCulledFace);
    r.raster.cull_mode = arch::kCullFront | arch::kCullBack;
    EXPECT_EQ(set_up(r, clockwise, primitive), SetupResult::kCulledFace);
  }
}

TEST(Setup, FacingBehindTheEyeIsTheVisibleParts) {
  arch::Registers r = registers(64, 64);
  // The third vertex is behind the eye; its mirror image on the screen would flip the triangle.
  const std::array<Position, 3> vertices = {Position{-0.5f, -0.5f, 0, 1}, Position{0.5f, -0.5f, 0, 1},
                                            Position{0, 4, 0, -1}};
  Primitive primitive;
  ASSERT_EQ(set_up(r, vertices, primitive), SetupResult::kAccepted);
  EXPECT_TRUE(primitive.clipped);
  EXPECT_FALSE(primitive.front_facing) << "clockwise: left, right, below";
  Picture picture(64, 64);
  picture.draw(primitive);
  EXPECT_EQ(picture.at(32, 20), 1);
  EXPECT_EQ(picture.at(32, 63), 1);
  EXPECT_EQ(picture.at(32, 10), 0);
}

TEST(Setup, VerticesAreSnappedToTheNearest256thOfAPixel) {
  const arch::Registers r = registers(64, 64);
  // An edge at 8.5 - 1/600 pixel is snapped to 8.5: the centre at 8.5 is on a left edge, so inside.
  Primitive primitive;
  for (const double nudge : {-1.0 / 600, 0.0, 1.0 / 600}) {
    const double left = 8.5 + nudge;
    ASSERT_EQ(set_up(r, triangle(r, left, 0, 40, 0, left, 40), primitive), SetupResult::kAccepted);
    EXPECT_EQ(primitive.x0, 8);
    EXPECT_EQ(tile_coverage(primitive, 8, 0) & 1, 1u);
  }
  ASSERT_EQ(set_up(r, triangle(r, 8.5 + 1.0 / 400, 0, 40, 0, 8.5 + 1.0 / 400, 40), primitive),
            SetupResult::kAccepted);
  EXPECT_EQ(primitive.x0, 9);
}

TEST(Setup, BoundsAreScissorViewportAndFramebuffer) {
  arch::Registers r = registers(64, 64);
  const auto all = triangle(r, -100, -100, 500, -100, -100, 500);
  Primitive primitive;
  const auto expect = [&](int x0, int y0, int x1, int y1) {
    ASSERT_EQ(set_up(r, all, primitive), SetupResult::kAccepted);
    EXPECT_EQ(primitive.x0, x0);
    EXPECT_EQ(primitive.y0, y0);
    EXPECT_EQ(primitive.x1, x1);
    EXPECT_EQ(primitive.y1, y1);
    Picture picture(64, 64);
    picture.draw(primitive);
    EXPECT_EQ(picture.total(), (x1 - x0) * (y1 - y0));
  };
  expect(0, 0, 64, 64);
  r.raster.scissor[0] = {5, 6, 10, 11};
  expect(5, 6, 15, 17);
  r.raster.scissor[0] = {-5, -6, 10, 0xffffffff};
  expect(0, 0, 5, 64);
  r.raster.scissor[0] = {0, 0, 64, 64};
  r.raster.width = 30, r.raster.height = 31;
  expect(0, 0, 30, 31);
  r.raster.width = r.raster.height = 64;
  // An upside-down viewport of 4 to 12 by 8 to 24: drawing stays inside it although the scissor is larger.
  r.raster.viewport[0] = {{4, -8, 1}, {8, 16, 0}};
  expect(4, 8, 12, 24);
  r.raster.scissor[0] = {64, 0, 64, 64};
  EXPECT_EQ(set_up(r, all, primitive), SetupResult::kNoPixels);
}

// A viewport that ends inside pixels: with one sample the centre decides, with several any sample.
TEST(Setup, ViewportsBetweenPixelsKeepTheirSamples) {
  arch::Registers r = registers(64, 64);
  const auto all = triangle(r, -100, -100, 500, -100, -100, 500);
  r.raster.viewport[0] = {{4, -4, 1}, {8.75f, 20.25f, 0}};  // 4.75 to 12.75 by 16.25 to 24.25
  Primitive primitive;
  for (const uint32_t samples : {1u, 2u, 4u, 8u}) {
    r.raster.samples = samples;
    ASSERT_EQ(set_up(r, all, primitive), SetupResult::kAccepted);
    EXPECT_EQ(primitive.x0, samples > 1 ? 4 : 5) << samples;
    EXPECT_EQ(primitive.x1, 13) << samples;
    EXPECT_EQ(primitive.y0, 16) << samples;
    EXPECT_EQ(primitive.y1, samples > 1 ? 25 : 24) << samples;
  }
}

TEST(Setup, ScissorChangesNoValue) {
  arch::Registers r = registers(64, 64);
  std::array<Position, 3> vertices = {at_window(r, 3, 2, 0.1f, 1), at_window(r, 60, 9, 0.9f, 3),
                                      at_window(r, 20, 61, 0.4f, 2)};
  for (const bool behind : {false, true}) {
    if (behind) vertices[1] = {5, 0.5f, 0.3f, -0.7f};
    Primitive whole, part;
    r.raster.scissor[0] = {0, 0, 64, 64};
    ASSERT_EQ(set_up(r, vertices, whole), SetupResult::kAccepted);
    r.raster.scissor[0] = {20, 21, 9, 9};
    ASSERT_EQ(set_up(r, vertices, part), SetupResult::kAccepted);
    for (int y = 20; y < 30; ++y)
      for (int x = 20; x < 30; ++x) ASSERT_EQ(depth_at(whole, x, y), depth_at(part, x, y));
  }
}

TEST(Setup, ClippedBoundsAreTightAndComplete) {
  arch::Registers r = registers(64, 64);
  Random random(22);
  int clipped = 0, outside = 0, drawn = 0;
  double excess = 0;
  for (int i = 0; i < 6000; ++i) {
    const int kind = i % 3;  // behind the eye; beyond the guard band; both, at any scale
    std::array<Position, 3> vertices;
    for (Position& v : vertices) {
      const double far = kind == 0 ? 1 : std::exp2(random.real(0, kind == 1 ? 14 : 60));
      for (float& c : v) c = static_cast<float>(random.real(-2, 2) * far);
      if (kind == 1) v[3] = 1;
      if (kind == 2 && random.integer(0, 3) == 0) v[3] *= 0x1p-30f;
    }
    Primitive primitive;
    const SetupResult everywhere = set_up(r, vertices, primitive);
    if (everywhere != SetupResult::kAccepted && everywhere != SetupResult::kNoPixels) continue;
    const bool accepted = everywhere == SetupResult::kAccepted;
    if (accepted && !primitive.clipped) continue;
    ++clipped;
    outside += !accepted;
    // Coverage by the edges alone.
    Primitive open = primitive;
    open.x0 = open.y0 = 0, open.x1 = open.y1 = 64;
    Picture with(64, 64), without(64, 64);
    if (accepted) with.draw(primitive), without.draw(open);
    int x0 = 64, y0 = 64, x1 = 0, y1 = 0;
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x) {
        ASSERT_EQ(with.at(x, y), without.at(x, y)) << i << ": " << x << ", " << y;
        if (without.at(x, y) == 0) continue;
        x0 = std::min(x0, x), x1 = std::max(x1, x + 1), y0 = std::min(y0, y), y1 = std::max(y1, y + 1);
      }
    if (x0 >= x1 || kind == 2) continue;  // at any scale, bounds may be the whole drawable area
    ++drawn;
    excess += (primitive.x1 - primitive.x0) * (primitive.y1 - primitive.y0) - (x1 - x0) * (y1 - y0);
  }
  EXPECT_GT(clipped, 2500);
  EXPECT_GT(outside, 500);
  EXPECT_LT(excess / drawn, 50) << "pixels of 4096, on average";
}

// A triangle rejected by narrow_bounds() must not cover anything: the same one is drawn to a larger
// framebuffer, where it is not rejected, and checked in the smaller one's area.
TEST(Setup, RejectedTrianglesCoverNothing) {
  Random random(23);
  int given_up = 0;
  for (int i = 0; i < 6000; ++i) {
    arch::Registers r = registers(64, 64);
    std::array<Position, 3> vertices;
    for (Position& v : vertices) {
      const double far = i % 2 == 0 ? 1 : std::exp2(random.real(0, 30));
      for (float& c : v) c = static_cast<float>(random.real(-2, 2) * far);
    }
    Primitive primitive;
    const int32_t x = random.integer(0, 7) * 8, y = random.integer(0, 7) * 8;
    r.raster.scissor[0] = {x, y, 8, 8};
    if (set_up(r, vertices, primitive) != SetupResult::kNoPixels) continue;
    r.raster.scissor[0] = {0, 0, 64, 64};
    if (set_up(r, vertices, primitive) != SetupResult::kAccepted) continue;
    ++given_up;
    ASSERT_EQ(tile_coverage(primitive, x, y), 0u);
  }
  EXPECT_GT(given_up, 500);
}

TEST(Setup, DegenerateTrianglesAreCulled) {
  const arch::Registers r = registers(64, 64);
  Primitive primitive;
  EXPECT_EQ(set_up(r, triangle(r, 8, 8, 8, 8, 30, 9), primitive), SetupResult::kZeroArea);
  EXPECT_EQ(set_up(r, triangle(r, 8, 8, 16, 16, 24, 24), primitive), SetupResult::kZeroArea);
  EXPECT_EQ(set_up(r, triangle(r, 8.1, 8.1, 8.2, 8.1, 8.1, 8.2), primitive), SetupResult::kNoPixels);
  for (const float bad : {kNan, kInfinity, -kInfinity})
    for (int k = 0; k < 12; ++k) {
      auto vertices = triangle(r, 8, 8, 40, 8, 8, 40);
      vertices[k / 4][k % 4] = bad;
      EXPECT_EQ(set_up(r, vertices, primitive), SetupResult::kNotFinite);
    }
  auto eye = triangle(r, 8, 8, 40, 8, 8, 40);
  eye[1] = {0, 0, 0, 0};
  EXPECT_EQ(set_up(r, eye, primitive), SetupResult::kZeroArea);
}

TEST(Setup, AViewportThatIsNotFiniteDrawsNothing) {
  arch::Registers r = registers(64, 64);
  const auto vertices = triangle(r, 8, 8, 40, 8, 8, 40);
  r.raster.viewport[0].offset[1] = kNan;
  Primitive primitive;
  EXPECT_EQ(set_up(r, vertices, primitive), SetupResult::kNotFinite);
  r.raster.viewport[0].offset[1] = 3e38f;
  EXPECT_NE(set_up(r, vertices, primitive), SetupResult::kNotFinite);
}

// An arbitrary float: random bits, or a corner case.
float any_float(Random& random) {
  static constexpr float kAwkward[] = {0,     -0.0f,  1,     -1,        1e-38f, 1e-45f, 3e38f,       -3.4e38f,
                                       1e30f, -1e20f, 32768, 0x1p-100f, 0.5f,   65536,  1.00000012f, 1e10f};
  switch (random.integer(0, 3)) {
    case 0:
      return kAwkward[random.integer(0, 15)];
    case 1:
      return std::bit_cast<float>(random.bits());
    default:
      return static_cast<float>(random.real(-2, 2));
  }
}

TEST(Setup, AnyInputIsLegal) {
  Random random(21);
  int accepted = 0;
  for (int i = 0; i < 60000; ++i) {
    arch::Registers r = registers(64, 64);
    r.raster.depth_clip = random.bits() & 1;
    r.raster.depth_bias = random.bits() & 1;
    r.raster.samples = random.bits() & 1 ? 1 : 4;
    r.depth.surface.format = static_cast<uint32_t>(arch::Format::D32_SFLOAT);
    r.raster.depth_bias_slope = any_float(random), r.raster.depth_bias_constant = any_float(random);
    r.raster.line_width = any_float(random);
    if (i % 4 == 0)
      for (int c = 0; c < 3; ++c)
        r.raster.viewport[0].scale[c] = any_float(random), r.raster.viewport[0].offset[c] = any_float(random);
    if (i % 8 == 0)
      r.raster.scissor[0] = {static_cast<int32_t>(random.bits()), static_cast<int32_t>(random.bits()),
                             random.bits(), random.bits()};
    if (i % 16 == 0) r.raster.width = random.bits(), r.raster.height = random.bits();
    r.vertex_out.clip_distances = random.bits() % 20;
    r.vertex_out.cull_distances = i % 64 == 0 ? random.bits() : random.bits() % 3;
    std::array<Position, 3> vertices;
    ClipDistances distances[3];
    for (int v = 0; v < 3; ++v) {
      for (float& c : vertices[v]) c = any_float(random);
      for (float& d : distances[v]) d = random.integer(0, 3) == 0 ? any_float(random) : 1;
    }
    Primitive primitive;
    const float size = any_float(random);
    SetupResult result;
    switch (i % 3) {
      case 0:
        result = set_up(r, vertices, primitive, size, distances);
        break;
      case 1:
        result = set_up(r, std::array{vertices[0], vertices[1]}, primitive, size, distances);
        break;
      default:
        result = set_up(r, std::array<Position, 1>{vertices[0]}, primitive, size, distances);
        break;
    }
    if (result != SetupResult::kAccepted) continue;
    ++accepted;
    ASSERT_LT(primitive.x0, primitive.x1);
    ASSERT_LE(primitive.x1, 16384);
    ASSERT_GE(primitive.y0, 0);
    ASSERT_LE(primitive.edges, kMaxEdges);
    for (const int32_t x : {primitive.x0, primitive.x1 - 1})
      for (const int32_t y : {primitive.y0, primitive.y1 - 1}) {
        tile_coverage(primitive, x & ~7, y & ~7);
        tile_overlaps(primitive, x & ~63, y & ~63, 64);
        const float z = depth_at(primitive, x, y);
        ASSERT_TRUE(z >= 0 && z <= 1) << z;
        Barycentrics<4> weights;
        barycentrics<4>(primitive, quad_positions(x, y), {}, weights);
        for (int lane = 0; lane < 4; ++lane) ASSERT_TRUE(std::isfinite(weights.p1[lane]));
      }
  }
  EXPECT_GT(accepted, 5000);
}

}  // namespace
}  // namespace cutaway::func::setup_test
