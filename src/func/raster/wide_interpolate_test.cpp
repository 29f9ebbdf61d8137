#include "func/raster/wide_interpolate.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "func/float_mode.h"
#include "func/raster/raster_testing.h"

namespace cutaway::func {
namespace {

using namespace testing;
using arch::Interpolation;

class WideInterpolateTest : public ::testing::TestWithParam<AluPath> {
 protected:
  void SetUp() override {
    if (GetParam() == AluPath::kAvx2 && !has_avx2()) GTEST_SKIP() << "no AVX2";
  }
  static constexpr uint32_t kLanes = 32;
  FloatMode mode_;
  Random random_{3};

  // Triangles in front of the eye, some with a vertex behind it or far away.
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
      if (set_up(r, vertices, primitive) == SetupResult::kAccepted) return primitive;
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
    Positions<kLanes> at;
    for (uint32_t i = 0; i < kLanes; i++)
      at.x[i] = static_cast<int32_t>(random_.integer(-2, 66)),
      at.y[i] = static_cast<int32_t>(random_.integer(-2, 66));
    float z[kLanes], expected_z[kLanes];
    wide.depth(primitive, at.x, at.y, kLanes, z);
    depth<kLanes>(primitive, at, {}, expected_z);
    ASSERT_NO_FATAL_FAILURE(expect_same(z, expected_z, kLanes));

    Barycentrics<kLanes> weights, expected;
    wide.barycentrics(primitive, at.x, at.y, kLanes, {}, weights);
    barycentrics<kLanes>(primitive, at, {}, expected);
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.p1, expected.p1, kLanes));
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.p2, expected.p2, kLanes));
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.l1, expected.l1, kLanes));
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.l2, expected.l2, kLanes));
    ASSERT_NO_FATAL_FAILURE(expect_same(weights.inv_w, expected.inv_w, kLanes));

    uint32_t value[3], out[kLanes], expected_out[kLanes];
    for (uint32_t& v : value) v = std::bit_cast<uint32_t>(static_cast<float>(random_.real(-100, 100)));
    if (round % 16 == 0) value[round % 3] = std::bit_cast<uint32_t>(std::numeric_limits<float>::infinity());
    for (const auto mode : {Interpolation::kPerspective, Interpolation::kFlat, Interpolation::kLinear})
      for (uint32_t vertices = 1; vertices <= 3; vertices++) {
        wide.interpolate(mode, vertices, weights, kLanes, value, out);
        interpolate<kLanes>(mode, vertices, expected, value[0], value[1], value[2], expected_out);
        for (uint32_t i = 0; i < kLanes; i++) ASSERT_EQ(out[i], expected_out[i]);
      }
  }
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

TEST_P(WideInterpolateTest, LanesBeyondTheLastAreLeftAlone) {
  const arch::Registers r = registers(64, 64);
  const Primitive primitive = random_primitive(r);
  const int32_t x[kLanes] = {}, y[kLanes] = {};
  float z[8] = {9, 9, 9, 9, 9, 9, 9, 9};
  wide_interpolation(GetParam()).depth(primitive, x, y, 4, z);
  for (int i = 4; i < 8; i++) EXPECT_EQ(z[i], 9);
}

INSTANTIATE_TEST_SUITE_P(Paths, WideInterpolateTest, ::testing::Values(AluPath::kPortable, AluPath::kAvx2),
                         [](const auto& path) { return path.param == AluPath::kAvx2 ? "Avx2" : "Portable"; });

}  // namespace
}  // namespace cutaway::func
