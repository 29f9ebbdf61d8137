#include "func/raster/interpolate.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <xmmintrin.h>

#include "func/raster/raster_testing.h"

namespace cutaway::func::interpolate_test {
namespace {

using namespace testing;
using arch::Interpolation;

constexpr int kSize = 64;

uint32_t bits(float value) { return std::bit_cast<uint32_t>(value); }
float value(uint32_t word) { return std::bit_cast<float>(word); }

struct Case {
  double x[3], y[3];  // window, on 1/256 pixels
  float w[3], z[3], a[3];

  std::array<Position, 3> vertices(const arch::Registers& r) const {
    std::array<Position, 3> out;
    for (int k = 0; k < 3; ++k) out[k] = at_window(r, x[k], y[k], z[k], w[k]);
    return out;
  }
};

Case random_case(Random& random) {
  Case c;
  for (int k = 0; k < 3; ++k) {
    c.x[k] = random.integer(-32 * 256, 96 * 256) / 256.0,
    c.y[k] = random.integer(-32 * 256, 96 * 256) / 256.0;
    c.w[k] = static_cast<float>(std::exp(random.real(-4, 4)));
    c.z[k] = static_cast<float>(random.real(0, 1));
    c.a[k] = static_cast<float>(random.real(-100, 100));
  }
  return c;
}

struct Reference {
  long double l[3], p[3], inv_w, z;
};

// Vulkan's formulas, literally.
Reference reference(const Case& c, long double x, long double y) {
  const auto area = [&](int i, int j, long double px, long double py) {
    return (c.x[j] - c.x[i]) * (py - c.y[i]) - (c.y[j] - c.y[i]) * (px - c.x[i]);
  };
  Reference out{};
  const long double whole = area(0, 1, c.x[2], c.y[2]);
  for (int k = 0; k < 3; ++k) {
    out.l[k] = area((k + 1) % 3, (k + 2) % 3, x, y) / whole;
    out.inv_w += out.l[k] / c.w[k];
    out.z += out.l[k] * c.z[k];
  }
  for (int k = 0; k < 3; ++k) out.p[k] = out.l[k] / c.w[k] / out.inv_w;
  return out;
}

TEST(Interpolate, EqualsTheFormulasInHigherPrecision) {
  const arch::Registers r = registers(kSize, kSize);
  Random random(41);
  int pixels = 0;
  for (int i = 0; i < 1000; ++i) {
    const Case c = random_case(random);
    Primitive primitive;
    if (set_up(r, c.vertices(r), primitive) != SetupResult::kAccepted) continue;
    Picture picture(kSize, kSize);
    picture.draw(primitive, [&](int32_t x, int32_t y) {
      if (random.integer(0, 15) != 0) return;
      ++pixels;
      Barycentrics<4> weights;
      float z[4];
      barycentrics<4>(primitive, quad_positions(x, y), {}, weights);
      depth<4>(primitive, quad_positions(x, y), {}, z);
      uint32_t perspective[4], linear[4];
      interpolate<4>(Interpolation::kPerspective, 3, weights, bits(c.a[0]), bits(c.a[1]), bits(c.a[2]),
                     perspective);
      interpolate<4>(Interpolation::kLinear, 3, weights, bits(c.a[0]), bits(c.a[1]), bits(c.a[2]), linear);
      for (int lane = 0; lane < 4; ++lane) {
        const Reference e = reference(c, x + lane % 2 + 0.5L, y + lane / 2 + 0.5L);
        // Helper pixels of steep triangles are far outside, some beyond the horizon.
        const long double outside = std::abs(e.p[0]) + std::abs(e.p[1]) + std::abs(e.p[2]);
        if (e.inv_w <= 0 || outside > 100) continue;
        const double ulp = 0x1p-23 * static_cast<double>(outside);
        ASSERT_NEAR(weights.p1[lane], static_cast<double>(e.p[1]), 4 * ulp);
        ASSERT_NEAR(weights.p2[lane], static_cast<double>(e.p[2]), 4 * ulp);
        ASSERT_NEAR(weights.inv_w[lane], static_cast<double>(e.inv_w),
                    0x1p-22 * static_cast<double>(e.inv_w) * static_cast<double>(outside));
        const long double a = e.p[0] * c.a[0] + e.p[1] * c.a[1] + e.p[2] * c.a[2];
        ASSERT_NEAR(value(perspective[lane]), static_cast<double>(a), 800 * ulp);
        const long double b = e.l[0] * c.a[0] + e.l[1] * c.a[1] + e.l[2] * c.a[2];
        const double spread = static_cast<double>(std::abs(e.l[0]) + std::abs(e.l[1]) + std::abs(e.l[2]));
        ASSERT_NEAR(value(linear[lane]), static_cast<double>(b), 800 * 0x1p-23 * spread);
        const long double clamped = std::min(std::max(e.z, 0.0L), 1.0L);
        ASSERT_NEAR(z[lane], static_cast<double>(clamped), 4 * 0x1p-23 * spread);
      }
    });
  }
  EXPECT_GT(pixels, 5000);
}

TEST(Interpolate, SliversKeepTheirPrecision) {
  // A triangle of a millionth of a pixel's area across the framebuffer: barycentrics stay within [0, 1].
  const arch::Registers r = registers(4096, 4096);
  Primitive primitive;
  int drawn = 0;
  for (int i = 0; i < 200; ++i) {
    const double x = 0.5 + i, y = 0.5 + i * 7;
    ASSERT_EQ(set_up(r,
                     std::array{at_window(r, x, y), at_window(r, x + 2048, y + 1024),
                                at_window(r, x + 1024 + 1 / 256.0, y + 512)},
                     primitive),
              SetupResult::kAccepted);
    for (int k = 0; k < 1024; ++k) {
      const int32_t px = i + 2 * k, py = i * 7 + k;
      if ((tile_coverage(primitive, px & ~7, py & ~7) >> ((py & 7) * 8 + (px & 7)) & 1) == 0) continue;
      ++drawn;
      Barycentrics<4> weights;
      barycentrics<4>(primitive, quad_positions(px, py), {}, weights);
      ASSERT_GE(weights.p1[0], 0);
      ASSERT_GE(weights.p2[0], 0);
      ASSERT_LE(weights.p1[0] + weights.p2[0], 1.0000001f);
      ASSERT_NEAR(weights.p1[0] * 2048 + weights.p2[0] * (1024 + 1 / 256.0), px + 0.5 - x, 1e-3);
    }
  }
  EXPECT_GT(drawn, 1000);
}

TEST(Interpolate, ConstantAndFlatAttributesAreExact) {
  const arch::Registers r = registers(kSize, kSize);
  Random random(42);
  for (int i = 0; i < 300; ++i) {
    const Case c = random_case(random);
    Primitive primitive;
    if (set_up(r, c.vertices(r), primitive) != SetupResult::kAccepted) continue;
    Barycentrics<4> weights;
    barycentrics<4>(primitive, quad_positions(primitive.x0 & ~1, primitive.y0 & ~1), {}, weights);
    uint32_t out[4];
    for (const Interpolation mode : {Interpolation::kPerspective, Interpolation::kLinear}) {
      interpolate<4>(mode, 3, weights, bits(c.a[0]), bits(c.a[0]), bits(c.a[0]), out);
      for (uint32_t word : out) ASSERT_EQ(word, bits(c.a[0]));
    }
    interpolate<4>(Interpolation::kFlat, 3, weights, 0xffc12345, 1, 2, out);
    for (uint32_t word : out) ASSERT_EQ(word, 0xffc12345u) << "flat values are bits, integers too";
  }
}

TEST(Interpolate, AVertexsPixelHasTheVertexsValue) {
  const arch::Registers r = registers(kSize, kSize);
  const std::array<Position, 3> vertices = {at_window(r, 10.5, 10.5, 0.5f, 1),
                                            at_window(r, 50.5, 10.5, 0.5f, 3),
                                            at_window(r, 10.5, 50.5, 0.5f, 7)};
  Primitive primitive;
  ASSERT_EQ(set_up(r, vertices, primitive), SetupResult::kAccepted);
  Barycentrics<4> weights;
  barycentrics<4>(primitive, quad_positions(10, 10), {}, weights);
  EXPECT_EQ(weights.p1[0], 0);
  EXPECT_EQ(weights.inv_w[0], 1);
  barycentrics<4>(primitive, quad_positions(50, 10), {}, weights);
  EXPECT_EQ(weights.p1[0], 1);
  EXPECT_EQ(weights.p2[0], 0);
  EXPECT_EQ(weights.inv_w[0], 1.0f / 3);
}

TEST(Interpolate, NotANumberIsCanonical) {
  Barycentrics<4> weights{};
  uint32_t out[4];
  interpolate<4>(Interpolation::kPerspective, 3, weights, 0xffc12345, bits(1), bits(2), out);
  EXPECT_EQ(out[0], 0x7fc00000u);
  const uint32_t infinite = bits(std::numeric_limits<float>::infinity());
  interpolate<4>(Interpolation::kPerspective, 3, weights, infinite, infinite, infinite, out);
  EXPECT_EQ(out[0], 0x7fc00000u);
}

TEST(Interpolate, AllComponentsEqualEachAlone) {
  Random random(44);
  const auto any = [&] {
    const int kind = random.integer(0, 9);
    return kind == 0   ? 0xffc12345u
           : kind == 1 ? bits(std::numeric_limits<float>::infinity())
           : kind == 2 ? bits(-0.0f)
                       : bits(static_cast<float>(random.real(-100, 100)));
  };
  for (int i = 0; i < 3000; ++i) {
    Barycentrics<4> weights;
    for (float* weight : {weights.p1, weights.p2, weights.l1, weights.l2})
      for (int lane = 0; lane < 4; ++lane) weight[lane] = value(any());
    std::array<uint32_t, 4> a[3];
    for (auto& vertex : a)
      for (uint32_t& word : vertex) word = any();
    for (const Interpolation mode :
         {Interpolation::kPerspective, Interpolation::kLinear, Interpolation::kFlat})
      for (uint32_t vertices = 1; vertices <= 3; ++vertices) {
        uint32_t all[4][4], alone[4];
        interpolate(mode, vertices, weights, a[0], a[1], a[2], all);
        for (int c = 0; c < 4; ++c) {
          interpolate<4>(mode, vertices, weights, a[0][c], a[1][c], a[2][c], alone);
          for (int lane = 0; lane < 4; ++lane)
            ASSERT_EQ(all[c][lane], alone[lane]) << vertices << " vertices";
        }
      }
  }
}

TEST(Interpolate, LanesDoNotDependOnTheirNumber) {
  const arch::Registers r = registers(kSize, kSize);
  Random random(43);
  for (int i = 0; i < 300; ++i) {
    Case c = random_case(random);
    if (i % 3 == 0) c.w[1] = -c.w[1];
    Primitive primitive;
    if (set_up(r, c.vertices(r), primitive) != SetupResult::kAccepted) continue;
    Positions<32> wide;
    for (int k = 0; k < 8; ++k) {
      const Positions<4> quad = quad_positions(random.integer(0, 63), random.integer(0, 63));
      std::copy(quad.x, quad.x + 4, wide.x + 4 * k);
      std::copy(quad.y, quad.y + 4, wide.y + 4 * k);
    }
    const SampleOffset sample = sample_offset(4, static_cast<uint32_t>(i) % 4);
    Barycentrics<32> wide_weights;
    float wide_z[32], wide_coord[4][32];
    uint32_t wide_out[32];
    barycentrics<32>(primitive, wide, sample, wide_weights);
    depth<32>(primitive, wide, sample, wide_z);
    frag_coord<32>(wide, sample, wide_z, wide_weights.inv_w, wide_coord);
    interpolate<32>(Interpolation::kPerspective, 3, wide_weights, bits(c.a[0]), bits(c.a[1]), bits(c.a[2]),
                    wide_out);
    for (int k = 0; k < 8; ++k) {
      Positions<4> quad;
      std::copy(wide.x + 4 * k, wide.x + 4 * k + 4, quad.x);
      std::copy(wide.y + 4 * k, wide.y + 4 * k + 4, quad.y);
      Barycentrics<4> weights;
      float z[4], coord[4][4];
      uint32_t out[4];
      barycentrics<4>(primitive, quad, sample, weights);
      depth<4>(primitive, quad, sample, z);
      frag_coord<4>(quad, sample, z, weights.inv_w, coord);
      interpolate<4>(Interpolation::kPerspective, 3, weights, bits(c.a[0]), bits(c.a[1]), bits(c.a[2]), out);
      for (int lane = 0; lane < 4; ++lane) {
        const int w = 4 * k + lane;
        ASSERT_EQ(bits(weights.p1[lane]), bits(wide_weights.p1[w]));
        ASSERT_EQ(bits(weights.l2[lane]), bits(wide_weights.l2[w]));
        ASSERT_EQ(bits(z[lane]), bits(wide_z[w]));
        ASSERT_EQ(out[lane], wide_out[w]);
        for (int n = 0; n < 4; ++n) ASSERT_EQ(bits(coord[n][lane]), bits(wide_coord[n][w]));
      }
    }
  }
}

TEST(Interpolate, FlushToZeroOfTheHostChangesNothing) {
  const arch::Registers r = registers(kSize, kSize);
  Random random(44);
  const unsigned before = _mm_getcsr();
  for (int i = 0; i < 2000; ++i) {
    Case c = random_case(random);
    std::array<Position, 3> vertices = c.vertices(r);
    // Denormals, and values with denormal products and quotients.
    vertices[i % 3][2] = i % 2 == 0 ? 0x1p-130f : 0x1p-125f;
    vertices[(i + 1) % 3][2] = 0;
    if (i % 5 == 0) vertices[2][3] = 0x1p-140f;
    if (i % 7 == 0)
      for (Position& v : vertices)
        for (float& f : v) f *= 0x1p126f;
    Primitive plain, flushed;
    const SetupResult result = set_up(r, vertices, plain);
    float z[2][4];
    Barycentrics<4> weights[2];
    const Positions<4> at = quad_positions(30, 30);
    if (result == SetupResult::kAccepted) {
      depth<4>(plain, at, {}, z[0]);
      barycentrics<4>(plain, at, {}, weights[0]);
    }
    _mm_setcsr(before | 0x8040);
    const SetupResult again = set_up(r, vertices, flushed);
    if (again == SetupResult::kAccepted) {
      depth<4>(flushed, at, {}, z[1]);
      barycentrics<4>(flushed, at, {}, weights[1]);
    }
    _mm_setcsr(before);
    ASSERT_EQ(result, again);
    if (result != SetupResult::kAccepted) continue;
    for (int lane = 0; lane < 4; ++lane) {
      ASSERT_EQ(bits(z[0][lane]), bits(z[1][lane]));
      ASSERT_EQ(bits(weights[0].p1[lane]), bits(weights[1].p1[lane]));
      ASSERT_EQ(bits(weights[0].inv_w[lane]), bits(weights[1].inv_w[lane]));
    }
  }
}

TEST(Interpolate, FragCoord) {
  float out[4][4];
  const float z[4] = {0.1f, 0.2f, 0.3f, 0.4f}, inv_w[4] = {1, 2, 3, 4};
  frag_coord<4>(quad_positions(10, 20), {}, z, inv_w, out);
  EXPECT_EQ(out[0][0], 10.5f);
  EXPECT_EQ(out[0][1], 11.5f);
  EXPECT_EQ(out[1][1], 20.5f);
  EXPECT_EQ(out[1][2], 21.5f);
  EXPECT_EQ(out[2][3], 0.4f);
  EXPECT_EQ(out[3][2], 3);
  frag_coord<4>(quad_positions(10, 20), sample_offset(4, 0), z, inv_w, out);
  EXPECT_EQ(out[0][0], 10.375f);
  EXPECT_EQ(out[1][0], 20.125f);
}

}  // namespace
}  // namespace cutaway::func::interpolate_test
