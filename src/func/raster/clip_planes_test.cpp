// Tests clipping of primitives by near, far, clip and cull distances.
#include <gtest/gtest.h>
#include <limits>

#include "func/raster/raster_testing.h"

namespace cutaway::func::clip_planes_test {
namespace {

using namespace testing;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(ClipPlanes, TrivialRejectionBySides) {
  arch::Registers r = registers(64, 64);
  Primitive primitive;
  EXPECT_EQ(set_up(r, triangle(r, -9, 0, -1, 0, -5, 60), primitive), SetupResult::kTriviallyRejected);
  EXPECT_EQ(set_up(r, triangle(r, 0, 70, 60, 70, 30, 90), primitive), SetupResult::kTriviallyRejected);
  std::array<Position, 3> behind = triangle(r, 8, 8, 40, 8, 8, 40);
  for (Position& v : behind) v[3] = -1;
  EXPECT_EQ(set_up(r, behind, primitive), SetupResult::kTriviallyRejected);
  // In front of the near plane, which clips only with depth clip.
  std::array<Position, 3> near = triangle(r, 8, 8, 40, 8, 8, 40);
  for (Position& v : near) v[2] = -0.25f;
  EXPECT_EQ(set_up(r, near, primitive), SetupResult::kAccepted);
  r.raster.depth_clip = 1;
  EXPECT_EQ(set_up(r, near, primitive), SetupResult::kTriviallyRejected);
}

TEST(ClipPlanes, CullDistances) {
  arch::Registers r = registers(64, 64);
  r.vertex_out.clip_distances = 1, r.vertex_out.cull_distances = 1;
  const auto vertices = triangle(r, 8, 8, 40, 8, 8, 40);
  Primitive primitive;
  ClipDistances distances[3] = {{1, -1}, {1, -1}, {1, 1}};
  ASSERT_EQ(set_up(r, vertices, primitive, 1, distances), SetupResult::kAccepted);
  EXPECT_FALSE(primitive.clipped) << "cull distances do not cut";
  distances[2][1] = -0.5f;
  EXPECT_EQ(set_up(r, vertices, primitive, 1, distances), SetupResult::kTriviallyRejected);
  distances[2][1] = kNan;
  EXPECT_EQ(set_up(r, vertices, primitive, 1, distances), SetupResult::kTriviallyRejected);
  distances[2][1] = 1, distances[0][0] = -1;
  ASSERT_EQ(set_up(r, vertices, primitive, 1, distances), SetupResult::kAccepted);
  EXPECT_TRUE(primitive.clipped);
}

TEST(ClipPlanes, NearPlaneCutsWhereDepthCrossesIt) {
  arch::Registers r = registers(64, 64);
  r.raster.depth_clip = 1;
  // Depth rises from -1 at the left to 1 at the right: columns 0 to 31 are clipped.
  const auto vertex = [&](double x, double y) { return at_window(r, x, y, static_cast<float>(x / 32 - 1)); };
  Primitive primitive;
  ASSERT_EQ(set_up(r, std::array{vertex(0, 0), vertex(64, 0), vertex(0, 64)}, primitive),
            SetupResult::kAccepted);
  Picture picture(64, 64);
  picture.draw(primitive);
  for (int x = 0; x < 64; ++x) EXPECT_EQ(picture.at(x, 0), x >= 32 && x < 63) << x;
}

TEST(ClipPlanes, PrimitivesInThePlanesAreDrawn) {
  arch::Registers r = registers(64, 64);
  r.raster.depth_clip = 1;
  const auto pixels = [&](const std::array<Position, 3>& vertices) {
    Primitive primitive;
    if (set_up(r, vertices, primitive) != SetupResult::kAccepted) return 0;
    Picture picture(64, 64);
    picture.draw(primitive);
    return picture.total();
  };
  for (const float w : {1.0f, 0.3f, 7.0f}) {
    const int whole =
        pixels({at_window(r, 2, 3, 0.5f, w), at_window(r, 61, 9, 0.5f, w), at_window(r, 20, 60, 0.5f, w)});
    EXPECT_GT(whole, 1000);
    for (const float plane : {0.0f, 1.0f})
      for (const uint32_t inside : {0u, 1u, 2u, 4u, 6u}) {  // vertices outside the plane itself
        const auto z = [&](uint32_t vertex) { return inside >> vertex & 1 ? 0.5f : plane; };
        std::array<Position, 3> vertices = {at_window(r, 2, 3, z(0), w), at_window(r, 61, 9, z(1), w),
                                            at_window(r, 20, 60, z(2), w)};
        for (uint32_t v = 0; v < 3; v++)
          if (!(inside >> v & 1)) vertices[v][2] = plane * vertices[v][3];  // exactly
        EXPECT_EQ(pixels(vertices), whole) << "z = " << plane << " w, w = " << w << ", inside " << inside;
      }
  }
}

TEST(ClipPlanes, PixelsExactlyInTheNearOrTheFarPlaneAreDrawn) {
  arch::Registers r = registers(64, 64);
  r.raster.depth_clip = 1;
  for (const float plane : {0.0f, 1.0f})
    for (const int side : {-1, 1})
      for (const bool across : {false, true}) {
        // z equals the plane's at 32.5, and changes by 1/64 per pixel.
        const auto corner = [&](double x, double y) {
          const double along = across ? y : x;
          return at_window(r, x, y, plane + static_cast<float>(side * (along - 32.5) / 64));
        };
        Primitive primitive;
        ASSERT_EQ(set_up(r, std::array{corner(0.5, 0.5), corner(128.5, 0.5), corner(0.5, 128.5)}, primitive),
                  SetupResult::kAccepted);
        Picture picture(64, 64);
        picture.draw(primitive);
        const bool beyond = (plane == 1) == (side > 0);  // the part beyond 32.5 is clipped
        EXPECT_EQ(picture.at(32, 32), 1) << plane << side << across;
        EXPECT_EQ(picture.at(across ? 5 : 33, across ? 33 : 5), beyond ? 0 : 1) << plane << side << across;
        EXPECT_EQ(picture.at(across ? 5 : 31, across ? 31 : 5), beyond ? 1 : 0) << plane << side << across;
      }
}

TEST(ClipPlanes, AClipDistanceAndItsNegativeShareNoPixel) {
  arch::Registers r = registers(64, 64);
  r.vertex_out.clip_distances = 1;
  for (const bool across : {false, true}) {
    Picture picture(64, 64);
    for (const float sign : {1.0f, -1.0f}) {
      const std::array<Position, 3> vertices = triangle(r, 0.5, 0.5, 128.5, 0.5, 0.5, 128.5);
      // Zero at 32.5.
      const ClipDistances distances[3] = {
          {sign * -32}, {sign * (across ? -32 : 96.0f)}, {sign * (across ? 96.0f : -32)}};
      Primitive primitive;
      ASSERT_EQ(set_up(r, vertices, primitive, 1, distances), SetupResult::kAccepted);
      picture.draw(primitive);
    }
    for (int y = 1; y < 60; y++)
      for (int x = 1; x < 60; x++) ASSERT_EQ(picture.at(x, y), 1) << x << ", " << y;
  }
}

}  // namespace
}  // namespace cutaway::func::clip_planes_test
