#include "func/format/numeric.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "func/format/srgb.h"

namespace cutaway::func {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

float random_float(std::mt19937& random) { return bits_float(static_cast<uint32_t>(random())); }

TEST(Numeric, RoundEvenTakesTiesToEven) {
  EXPECT_EQ(round_even(0.5), 0);
  EXPECT_EQ(round_even(1.5), 2);
  EXPECT_EQ(round_even(2.5), 2);
  EXPECT_EQ(round_even(-0.5), 0);
  EXPECT_EQ(round_even(-1.5), -2);
  EXPECT_EQ(round_even(4294967294.5), 4294967294);
  EXPECT_EQ(floor_to_int(-0.25), -1);
  EXPECT_EQ(floor_to_int(-1.0), -1);
  EXPECT_EQ(floor_to_int(7.75), 7);
}

TEST(Numeric, UnormRoundTripsForEveryCodeOfUpTo24Bits) {
  for (uint32_t bits : {1u, 2u, 4u, 5u, 6u, 8u, 9u, 10u, 16u, 24u})
    for (uint32_t code = 0; code <= low_mask32(bits); code += bits == 24 ? 37 : 1)
      ASSERT_EQ(float_to_unorm(unorm_to_float(code, bits), bits), code) << bits;
}

TEST(Numeric, SnormRoundTripsForEveryCode) {
  for (uint32_t bits : {8u, 10u, 16u}) {
    const uint32_t lowest = 1u << (bits - 1);
    for (uint32_t code = 0; code <= low_mask32(bits); code++)
      ASSERT_EQ(float_to_snorm(snorm_to_float(code, bits), bits), code == lowest ? lowest + 1 : code);
    EXPECT_EQ(snorm_to_float(lowest, bits), -1);
  }
}

TEST(Numeric, UnormRoundsToNearest) {
  std::mt19937 random(1);
  for (int i = 0; i < 200000; i++) {
    const float value = static_cast<float>(random()) / 4294967296.0f;
    for (uint32_t bits : {8u, 16u, 24u}) {
      const long double exact = static_cast<long double>(value) * static_cast<long double>(low_mask(bits));
      ASSERT_EQ(float_to_unorm(value, bits), static_cast<uint32_t>(nearbyintl(exact))) << value;
    }
  }
}

TEST(Numeric, UnormAndSnormClamp) {
  EXPECT_EQ(float_to_unorm(kNan, 8), 0u);
  EXPECT_EQ(float_to_unorm(kInfinity, 8), 255u);
  EXPECT_EQ(float_to_unorm(-kInfinity, 8), 0u);
  EXPECT_EQ(float_to_unorm(1.5f, 24), 0xffffffu);
  EXPECT_EQ(float_to_unorm(0.5f, 8), 128u);  // 127.5
  EXPECT_EQ(float_to_snorm(kNan, 8), 0u);
  EXPECT_EQ(float_to_snorm(-2, 8), 0x81u);
  EXPECT_EQ(float_to_snorm(kInfinity, 16), 0x7fffu);
}

TEST(Numeric, HalfRoundTripsForEveryCode) {
  for (uint32_t half = 0; half < 65536; half++) {
    const uint32_t bits = half_to_bits(half);
    const bool nan = (half & 0x7fff) > 0x7c00;
    ASSERT_EQ(is_nan_bits(bits), nan);
    ASSERT_EQ(bits_to_half(bits), nan ? (half & 0x8000) | 0x7e00 : half);
  }
}

TEST(Numeric, HalfLiterals) {
  EXPECT_EQ(bits_to_half(float_bits(1.0f)), 0x3c00u);
  EXPECT_EQ(bits_to_half(float_bits(65504.0f)), 0x7bffu);
  EXPECT_EQ(bits_to_half(float_bits(65519.996f)), 0x7bffu);
  EXPECT_EQ(bits_to_half(float_bits(65520.0f)), 0x7c00u);
  EXPECT_EQ(bits_to_half(float_bits(5.9604645e-8f)), 0x0001u);  // 2^-24
  EXPECT_EQ(bits_to_half(float_bits(2.9802322e-8f)), 0x0000u);  // 2^-25: tie to even
  EXPECT_EQ(bits_to_half(float_bits(2.9802326e-8f)), 0x0001u);
  EXPECT_EQ(bits_to_half(float_bits(-2.0f)), 0xc000u);
  EXPECT_EQ(half_to_bits(0x0400), float_bits(6.1035156e-5f));
}

// The distance to the chosen half is no greater than to its neighbours; ties go to the even one.
TEST(Numeric, HalfRoundsToNearestEven) {
  std::mt19937 random(2);
  for (int i = 0; i < 300000; i++) {
    float value = random_float(random);
    if (i % 2)
      value =
          std::ldexp(1 + static_cast<float>(random()) / 4294967296.0f, static_cast<int>(random() % 48) - 28);
    if (!(std::fabs(value) < 65504)) continue;
    const uint32_t half = bits_to_half(float_bits(std::fabs(value)));
    const auto distance = [&](uint32_t code) {
      return std::fabs(static_cast<double>(bits_float(half_to_bits(code))) -
                       std::fabs(static_cast<double>(value)));
    };
    for (uint32_t other : {half + 1, half - 1}) {
      if (other > 0x7bff) continue;
      ASSERT_LE(distance(half), distance(other)) << value;
      const bool tie = distance(half) == distance(other);
      ASSERT_TRUE(!tie || half % 2 == 0) << value;
    }
  }
}

TEST(Numeric, UnsignedSmallFloats) {
  for (uint32_t mantissa : {5u, 6u}) {
    for (uint32_t code = 0; code < 32u << mantissa; code++) {
      const uint32_t bits = small_float_to_bits(code, mantissa);
      if (is_nan_bits(bits)) continue;
      ASSERT_EQ(bits_to_ufloat(bits, mantissa), code);
    }
  }
  EXPECT_EQ(bits_float(small_float_to_bits(0x7bf, 6)), 65024.0f);
  EXPECT_EQ(bits_float(small_float_to_bits(0x3df, 5)), 64512.0f);
  EXPECT_EQ(bits_to_ufloat(float_bits(1e9f), 6), 0x7bfu);  // finite values stay finite
  EXPECT_EQ(bits_to_ufloat(float_bits(kInfinity), 6), 0x7c0u);
  EXPECT_EQ(bits_to_ufloat(float_bits(-1.0f), 6), 0u);
  EXPECT_EQ(bits_to_ufloat(float_bits(-kInfinity), 6), 0u);
  EXPECT_EQ(bits_to_ufloat(float_bits(kNan), 5), 0x3f0u);
}

long double srgb_to_linear(long double code) {
  return code <= 0.04045L ? code / 12.92L : powl((code + 0.055L) / 1.055L, 2.4L);
}

TEST(Srgb, DecodesToTheNearestFloat) {
  for (uint32_t code = 0; code < 256; code++)
    EXPECT_EQ(kSrgb8ToFloat[code], static_cast<float>(srgb_to_linear(code / 255.0L))) << code;
}

TEST(Srgb, EncodesEveryCodeAndEveryThreshold) {
  for (uint32_t code = 0; code < 256; code++) EXPECT_EQ(float_to_srgb8(kSrgb8ToFloat[code]), code);
  for (uint32_t code = 0; code < 255; code++) {
    const auto middle = static_cast<float>(srgb_to_linear((code + 0.5L) / 255));
    const float above = std::nextafter(middle, 2.0f), below = std::nextafter(middle, -1.0f);
    EXPECT_EQ(float_to_srgb8(above), code + 1);
    EXPECT_EQ(float_to_srgb8(below), code);
  }
  EXPECT_EQ(float_to_srgb8(kNan), 0u);
  EXPECT_EQ(float_to_srgb8(-1), 0u);
  EXPECT_EQ(float_to_srgb8(kInfinity), 255u);
}

TEST(Srgb, EncodingIsMonotone) {
  uint32_t last = 0;
  for (uint32_t bits = float_bits(1e-5f); bits <= kFloatOne; bits += 101) {
    const uint32_t code = float_to_srgb8(bits_float(bits));
    ASSERT_GE(code, last);
    last = code;
  }
  EXPECT_EQ(last, 255u);
}

}  // namespace
}  // namespace cutaway::func
