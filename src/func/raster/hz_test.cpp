#include "func/raster/hz.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "func/raster/interpolate.h"
#include "func/raster/raster_testing.h"

namespace cutaway::func::hz_test {
namespace {

using namespace testing;
using arch::Compare;

constexpr int kSize = 64;

Primitive random_primitive(const arch::Registers& r, Random& random, SetupResult& result) {
  std::array<Position, 3> vertices;
  const double tilt = random.integer(0, 2) == 0 ? 1e-6 : 1;
  const float middle = static_cast<float>(random.real(0, 1));
  for (Position& v : vertices) {
    const float w = random.integer(0, 4) == 0 ? static_cast<float>(random.real(-1, 1)) : 1;
    v = at_window(r, random.real(-40, 100), random.real(-40, 100),
                  middle + static_cast<float>(random.real(-tilt, tilt)), w);
  }
  Primitive primitive;
  switch (random.integer(0, 9)) {
    case 0:
      result = set_up(r, std::array{vertices[0], vertices[1]}, primitive);
      break;
    case 1:
      result = set_up(r, std::array<Position, 1>{vertices[0]}, primitive, 9);
      break;
    default:
      result = set_up(r, vertices, primitive);
  }
  return primitive;
}

arch::Registers random_registers(Random& random) {
  arch::Registers r = registers(kSize, kSize);
  static constexpr arch::Format kFormats[] = {arch::Format::D16_UNORM, arch::Format::X8_D24_UNORM_PACK32,
                                              arch::Format::D32_SFLOAT};
  r.depth.surface.format = static_cast<uint32_t>(kFormats[random.integer(0, 2)]);
  r.depth.hierarchical_z = r.depth.depth_test = 1;
  r.raster.depth_clip = random.bits() & 1;
  r.raster.depth_bias = random.bits() & 1;
  r.raster.depth_bias_constant = static_cast<float>(random.real(-100, 100));
  r.raster.depth_bias_slope = static_cast<float>(random.real(-2, 2));
  r.raster.depth_clamp = random.bits() & 1;
  r.raster.depth_range_min[0] = 0.25f, r.raster.depth_range_max[0] = 0.75f;
  return r;
}

// Depths of the pixels of a tile, indexed by coverage bit.
std::array<float, 64> tile_depths(const Primitive& primitive, int32_t x, int32_t y) {
  std::array<float, 64> z;
  Positions<4> at;
  for (int bit = 0; bit < 64; bit += 4) {
    for (int k = 0; k < 4; ++k) at.x[k] = x + (bit + k) % 8, at.y[k] = y + bit / 8;
    depth<4>(primitive, at, {}, z.data() + bit);
  }
  return z;
}

// The stored value of a depth in a fixed-point format of n bits; 0: floating point.
double stored(float z, int depth_bits) {
  if (depth_bits == 0) return z;
  const double steps = std::exp2(depth_bits) - 1;
  return std::nearbyint(z * steps) / steps;
}
int depth_bits(const arch::Registers& r) {
  const arch::FormatInfo& info = arch::format_info(r.depth.surface.format);
  return info.depth_float ? 0 : info.depth.bits;
}

TEST(Hz, BoundsHoldForEveryCoveredPixel) {
  Random random(51);
  int pixels = 0;
  double tightest = 1;
  for (int i = 0; i < 3000; ++i) {
    const arch::Registers r = random_registers(random);
    SetupResult result;
    const Primitive primitive = random_primitive(r, random, result);
    if (result != SetupResult::kAccepted) continue;
    Picture picture(kSize, kSize);
    picture.draw(primitive, [&](int32_t x, int32_t y) {
      const float low = tile_min_depth(primitive, x & ~7, y & ~7);
      const float high = tile_max_depth(primitive, x & ~7, y & ~7);
      float z[4];
      depth<4>(primitive, quad_positions(x, y), {}, z);
      ASSERT_LE(low, z[0]);
      ASSERT_GE(high, z[0]);
      ASSERT_LE(low, stored(z[0], depth_bits(r)));
      ASSERT_GE(high, stored(z[0], depth_bits(r)));
      tightest = std::min(tightest, static_cast<double>(high) - low);
      ++pixels;
    });
  }
  EXPECT_GT(pixels, 100000);
  EXPECT_LT(tightest, 1e-6);
}

TEST(Hz, RejectsOnlyWhatFailsTheTest) {
  Random random(52);
  int rejected = 0, tiles = 0;
  for (int i = 0; i < 4000; ++i) {
    arch::Registers r = random_registers(random);
    r.depth.depth_compare = static_cast<uint32_t>(random.integer(0, 7));
    const HzDirection direction = hz_direction(r);
    SetupResult result;
    const Primitive primitive = random_primitive(r, random, result);
    if (result != SetupResult::kAccepted) continue;
    const int32_t x = random.integer(primitive.x0, primitive.x1 - 1) & ~7;
    const int32_t y = random.integer(primitive.y0, primitive.y1 - 1) & ~7;
    const uint64_t mask = tile_coverage(primitive, x, y);
    const std::array<float, 64> z = tile_depths(primitive, x, y);
    // The tile stores a depth at or near one of the primitive's: errors are visible there.
    const float held = std::min(
        std::max(z[random.integer(0, 63)] + static_cast<float>(random.integer(-2, 2)) * 0x1p-24f, 0.0f),
        1.0f);
    const double there = stored(held, depth_bits(r));
    const uint32_t bits = static_cast<uint32_t>(random.integer(0, 1) == 0 ? 24 : random.integer(4, 20));
    const HzFormat format{bits, static_cast<uint32_t>(random.integer(0, 3))};
    const float bound = hz_decode(hz_encode(direction, static_cast<float>(there), format), format);
    if (direction == HzDirection::kOff) {
      ASSERT_FALSE(hz_rejects(r, bound, primitive, x, y));
      continue;
    }
    ++tiles;
    if (!hz_rejects(r, bound, primitive, x, y)) continue;
    ++rejected;
    for (int bit = 0; bit < 64; ++bit) {
      if ((mask >> bit & 1) == 0) continue;
      const double incoming = stored(z[bit], depth_bits(r));
      switch (static_cast<Compare>(r.depth.depth_compare)) {
        case Compare::kLess:
          ASSERT_GE(incoming, there);
          break;
        case Compare::kLessOrEqual:
          ASSERT_GT(incoming, there);
          break;
        case Compare::kEqual:
          ASSERT_NE(incoming, there);
          break;
        case Compare::kGreater:
          ASSERT_LE(incoming, there);
          break;
        case Compare::kGreaterOrEqual:
          ASSERT_LT(incoming, there);
          break;
        default:
          FAIL();
      }
    }
  }
  EXPECT_GT(rejected, tiles / 40) << "of " << tiles;
}

TEST(Hz, AcceptsOnlyWhatPassesTheTest) {
  Random random(54);
  int accepted = 0, tiles = 0;
  for (int i = 0; i < 4000; ++i) {
    arch::Registers r = random_registers(random);
    r.depth.depth_compare = static_cast<uint32_t>(random.integer(0, 7));
    SetupResult result;
    const Primitive primitive = random_primitive(r, random, result);
    if (result != SetupResult::kAccepted) continue;
    const int32_t x = random.integer(primitive.x0, primitive.x1 - 1) & ~7;
    const int32_t y = random.integer(primitive.y0, primitive.y1 - 1) & ~7;
    const uint64_t mask = tile_coverage(primitive, x, y);
    const std::array<float, 64> z = tile_depths(primitive, x, y);
    const float held = std::min(
        std::max(z[random.integer(0, 63)] + static_cast<float>(random.integer(-2, 2)) * 0x1p-24f, 0.0f),
        1.0f);
    const double there = stored(held, depth_bits(r));
    ++tiles;
    if (!hz_accepts(r, static_cast<float>(there), primitive, x, y)) continue;
    ++accepted;
    const auto compare = static_cast<Compare>(r.depth.depth_compare);
    for (int bit = 0; bit < 64; ++bit) {
      if ((mask >> bit & 1) == 0) continue;
      const double incoming = stored(z[bit], depth_bits(r));
      const bool passes = compare == Compare::kLess             ? incoming < there
                          : compare == Compare::kLessOrEqual    ? incoming <= there
                          : compare == Compare::kGreater        ? incoming > there
                          : compare == Compare::kGreaterOrEqual ? incoming >= there
                                                                : false;
      ASSERT_TRUE(passes);
    }
  }
  EXPECT_GT(accepted, tiles / 40) << "of " << tiles;
}

TEST(Hz, RejectsAPrimitiveBehindATile) {
  arch::Registers r = registers(kSize, kSize);
  r.depth.hierarchical_z = r.depth.depth_test = 1;
  r.depth.depth_compare = static_cast<uint32_t>(Compare::kLess);
  r.depth.surface.format = static_cast<uint32_t>(arch::Format::X8_D24_UNORM_PACK32);
  Primitive primitive;
  ASSERT_EQ(
      set_up(r, std::array{at_window(r, 0, 0, 0.75f), at_window(r, 64, 0, 0.75f), at_window(r, 0, 64, 1)},
             primitive),
      SetupResult::kAccepted);
  EXPECT_TRUE(hz_rejects(r, 0.74f, primitive, 0, 0));
  EXPECT_FALSE(hz_rejects(r, 0.76f, primitive, 0, 0));
  EXPECT_TRUE(hz_rejects(r, 0.87f, primitive, 0, 32)) << "the plane rises downwards";
}

TEST(Hz, EntriesErrOnTheSafeSide) {
  Random random(53);
  for (const HzFormat format : {HzFormat{1}, {8}, {16}, {24}, {4, 3}, {8, 1}, {8, 4}, {12, 4}, {16, 4}})
    for (int i = 0; i < 2000; ++i) {
      const float z = i == 0       ? 0
                      : i == 1     ? 1
                      : i == 2     ? 0x1.fffffep-1f
                      : i == 3     ? 0x1p-40f
                      : i % 2 == 0 ? static_cast<float>(1 - std::exp2(-random.real(0, 20)))
                                   : static_cast<float>(random.real(0, 1));
      const float up = hz_decode(hz_encode(HzDirection::kGreatest, z, format), format);
      const float down = hz_decode(hz_encode(HzDirection::kLeast, z, format), format);
      ASSERT_GE(up, z);
      ASSERT_LE(down, z);
      // The smallest exponent's numbers are as far apart as those of the next.
      const double smallest = std::exp2(1 - std::exp2(format.exponent_bits));
      const uint32_t fine = format.bits - format.exponent_bits;
      const double step = format.exponent_bits ? std::max(1.0 - z, smallest) : 1;
      ASSERT_LE(up - down, 2.01 * step * std::exp2(-static_cast<double>(fine))) << z << ' ' << format.bits;
    }
}

TEST(Hz, EntriesRiseAndHaveTheirEnds) {
  for (const HzFormat format : {HzFormat{8}, {16}, {8, 4}, {12, 4}, {16, 3}}) {
    for (HzEntry entry = 1; entry < 1u << format.bits; entry++) {
      const float held = hz_decode(entry, format);
      ASSERT_GT(held, hz_decode(entry - 1, format));
      ASSERT_EQ(hz_encode(HzDirection::kGreatest, held, format), entry);
      ASSERT_EQ(hz_encode(HzDirection::kLeast, held, format), entry);
    }
    EXPECT_EQ(hz_decode(hz_open(HzDirection::kGreatest, format), format), 1);
    EXPECT_EQ(hz_decode(hz_open(HzDirection::kLeast, format), format), 0);
    EXPECT_EQ(hz_encode(HzDirection::kGreatest, std::numeric_limits<float>::quiet_NaN(), format),
              hz_open(HzDirection::kGreatest, format));
  }
  // 4 bits of exponent, 4 of mantissa: the nearest below 1 is 2^-15 / 16 away, and 1/2 is an entry.
  EXPECT_EQ(hz_decode(254, {8, 4}), 1 - 0x1p-19f);
  EXPECT_EQ(hz_decode(255 - 0xf0, {8, 4}), 0.5f);
}

TEST(Hz, DirectionFollowsTheComparison) {
  arch::Registers r{};
  r.depth.depth_test = r.depth.hierarchical_z = 1;
  const auto direction = [&](Compare compare) {
    r.depth.depth_compare = static_cast<uint32_t>(compare);
    return hz_direction(r);
  };
  EXPECT_EQ(direction(Compare::kLess), HzDirection::kGreatest);
  EXPECT_EQ(direction(Compare::kEqual), HzDirection::kGreatest);
  EXPECT_EQ(direction(Compare::kGreaterOrEqual), HzDirection::kLeast);
  EXPECT_EQ(direction(Compare::kAlways), HzDirection::kOff);
  EXPECT_EQ(direction(Compare::kNotEqual), HzDirection::kOff);
  r.depth.hierarchical_z = 0;
  EXPECT_EQ(direction(Compare::kLess), HzDirection::kOff);
}

}  // namespace
}  // namespace cutaway::func::hz_test
