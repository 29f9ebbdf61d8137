#include "func/raster/wide_interpolate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "func/float_mode.h"
#include "func/raster/coverage.h"
#include "func/raster/raster_testing.h"
#include "func/testing/alu_paths.h"

namespace cutaway::func {
namespace {

using namespace testing;
using arch::Interpolation;

class WideInterpolateTest : public ::testing::TestWithParam<AluPath> {
 protected:
  void SetUp() override {
    if (!has_path(GetParam())) GTEST_SKIP() << "not on this processor";
  }
  static constexpr uint32_t kLanes = 32, kQuads = kLanes / 4;
  FloatMode mode_;
  Random random_{3};
  uint32_t prepared_[2] = {};  // components that are equal in all lanes, and others

  // Lines, and triangles in front of the eye, some with a vertex behind it or far away.
  Primitive random_primitive(const arch::Registers& r, bool flat = false) {
    for (;;) {
      std::array<Position, 3> vertices;
      for (auto& v : vertices) {
        const auto w = static_cast<float>(std::exp(random_.real(-4, 4)));
        v = at_window(r, random_.real(-40, 100), random_.real(-40, 100),
                      static_cast<float>(random_.real(0, 1)), random_.integer(0, 5) ? w : -w);
      }
      const auto z = static_cast<float>(random_.integer(-1, 8)) / 8;
      if (flat)
        for (auto& v : vertices) v = at_window(r, random_.real(-40, 100), random_.real(-40, 100), z, 1);
      Primitive primitive;
      const bool line = random_.integer(0, 7) == 0;
      const SetupResult result =
          line ? set_up<2>(r, {vertices[0], vertices[1]}, primitive) : set_up(r, vertices, primitive);
      if (result == SetupResult::kAccepted) return primitive;
    }
  }
};

void expect_same(const float* a, const float* b, uint32_t lanes) {
  for (uint32_t i = 0; i < lanes; i++)
    ASSERT_EQ(std::bit_cast<uint32_t>(a[i]), std::bit_cast<uint32_t>(b[i])) << "lane " << i;
}

TEST_P(WideInterpolateTest, EveryFunctionAgrees) {
  const arch::Registers r = registers(64, 64);
  const WideInterpolation& wide = wide_interpolation(GetParam());
  for (int round = 0; round < 2000; round++) {
    const Primitive primitive = random_primitive(r);
    const uint32_t quads = 1 + static_cast<uint32_t>(round) % kQuads, lanes = 4 * quads;
    int32_t x[kQuads], y[kQuads];
    Positions<kLanes> at{};
    for (uint32_t i = 0; i < quads; i++) {
      x[i] = static_cast<int32_t>(random_.integer(-2, 66)),
      y[i] = static_cast<int32_t>(random_.integer(-2, 66));
      for (uint32_t l = 0; l < 4; l++)
        at.x[4 * i + l] = x[i] + static_cast<int32_t>(l & 1),
                     at.y[4 * i + l] = y[i] + static_cast<int32_t>(l >> 1);
    }
    float z[kLanes], expected_z[kLanes];
    wide.depth(primitive, x, y, quads, z);
    depth<kLanes>(primitive, at, {}, expected_z);
    ASSERT_NO_FATAL_FAILURE(expect_same(z, expected_z, lanes));

    Barycentrics<kLanes> weights, expected;
    wide.barycentrics(primitive, x, y, quads, {}, weights);
    barycentrics<kLanes>(primitive, at, {}, expected);
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.p1, expected.p1, lanes));
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.p2, expected.p2, lanes));
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.l1, expected.l1, lanes));
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.l2, expected.l2, lanes));
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.inv_w, expected.inv_w, lanes));

    uint32_t value[3], out[kLanes], expected_out[kLanes];
    for (uint32_t& v : value) v = std::bit_cast<uint32_t>(static_cast<float>(random_.real(-100, 100)));
    static constexpr float kSame[] = {1, -0.0f, 0, 1e-40f, -1e-40f, 1e-38f, -5, 1e30f};
    if (round % 8 == 1)
      for (uint32_t& v : value) v = std::bit_cast<uint32_t>(kSame[random_.integer(0, 7)]);
    if (round % 8 < 2) value[1] = value[2] = value[0];
    if (round % 16 == 0) value[round % 3] = std::bit_cast<uint32_t>(std::numeric_limits<float>::infinity());
    for (const auto mode : {Interpolation::kPerspective, Interpolation::kFlat, Interpolation::kLinear})
      for (uint32_t vertices = 1; vertices <= 3; vertices++) {
        const WideComponent component{mode, out};
        wide.interpolate(&component, 1, vertices, weights, quads, value, 0);
        interpolate<kLanes>(mode, vertices, expected, value[0], value[1], value[2], expected_out);
        for (uint32_t i = 0; i < lanes; i++) ASSERT_EQ(out[i], expected_out[i]);
        if (quads < kQuads) continue;
        std::fill_n(out, kLanes, 9u);
        WideVarying varying;
        const uint32_t count = wide.prepare(&component, 1, vertices, value, &varying);
        prepared_[count]++;
        wide.interpolate_all(&varying, count, weights);
        for (uint32_t i = 0; i < lanes; i++) ASSERT_EQ(out[i], expected_out[i]);
      }
  }
  EXPECT_GT(prepared_[0], 100u);
  EXPECT_GT(prepared_[1], 100u);
}

TEST_P(WideInterpolateTest, DepthOfATileAgrees) {
  const arch::Registers r = registers(64, 64);
  const WideInterpolation& wide = wide_interpolation(GetParam());
  for (int round = 0; round < 500; round++) {
    const Primitive primitive = random_primitive(r, round % 4 == 0);
    const auto x = static_cast<int32_t>(8 * random_.integer(0, 7)),
               y = static_cast<int32_t>(8 * random_.integer(0, 7));
    float z[64];
    wide.tile_depth(primitive, x, y, z);
    for (int32_t sector = 0; sector < 4; sector++)
      for (int32_t row = 0; row < 4; row++) {
        Positions<4> at;
        for (int32_t i = 0; i < 4; i++)
          at.x[i] = x + (sector & 1) * 4 + i, at.y[i] = y + (sector >> 1) * 4 + row;
        float expected[4];
        depth<4>(primitive, at, {}, expected);
        ASSERT_NO_FATAL_FAILURE(expect_same(z + 16 * sector + 4 * row, expected, 4));
      }
  }
}

TEST_P(WideInterpolateTest, BarycentricsOfAHalfAgree) {
  const arch::Registers r = registers(64, 64);
  const WideInterpolation& wide = wide_interpolation(GetParam());
  for (int round = 0; round < 500; round++) {
    const Primitive primitive = random_primitive(r, round % 4 == 0);
    const auto x = static_cast<int32_t>(8 * random_.integer(0, 7)),
               y = static_cast<int32_t>(4 * random_.integer(0, 15));
    Positions<kLanes> at{};
    for (uint32_t i = 0; i < kLanes; i++) {
      at.x[i] = x + quad_x(i / 4) + static_cast<int32_t>(i & 1);
      at.y[i] = y + quad_y(i / 4) + static_cast<int32_t>(i >> 1 & 1);
    }
    Barycentrics<kLanes> weights, expected;
    wide.half_barycentrics(primitive, x, y, {}, weights);
    barycentrics<kLanes>(primitive, at, {}, expected);
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.p1, expected.p1, kLanes));
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.p2, expected.p2, kLanes));
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.l1, expected.l1, kLanes));
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.l2, expected.l2, kLanes));
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.inv_w, expected.inv_w, kLanes));
  }
}

TEST_P(WideInterpolateTest, LanesBeyondTheLastAreLeftAlone) {
  const arch::Registers r = registers(64, 64);
  const WideInterpolation& wide = wide_interpolation(GetParam());
  const Primitive primitive = random_primitive(r);
  const int32_t x[kQuads] = {}, y[kQuads] = {};
  const uint32_t value[3] = {1, 2, 3};
  for (uint32_t quads = 1; quads < kQuads; quads++) {
    float z[kLanes];
    uint32_t out[kLanes];
    Barycentrics<kLanes> weights;
    std::fill_n(z, kLanes, 9.0f), std::fill_n(out, kLanes, 9u), std::fill_n(weights.p1, kLanes, 9.0f);
    wide.depth(primitive, x, y, quads, z);
    wide.barycentrics(primitive, x, y, quads, {}, weights);
    for (const auto mode : {Interpolation::kFlat, Interpolation::kPerspective}) {
      const WideComponent component{mode, out};
      wide.interpolate(&component, 1, 3, weights, quads, value, 0);
      for (uint32_t i = 4 * quads; i < kLanes; i++) {
        EXPECT_EQ(z[i], 9);
        EXPECT_EQ(weights.p1[i], 9);
        EXPECT_EQ(out[i], 9u);
      }
    }
  }
}

CUTAWAY_ALL_PATHS(WideInterpolateTest);

}  // namespace
}  // namespace cutaway::func
