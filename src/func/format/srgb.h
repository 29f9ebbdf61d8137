#pragma once

#include <array>
#include <cstdint>

#include "func/format/numeric.h"

// The sRGB transfer function of 8-bit codes (Khronos Data Format Specification, "sRGB transfer functions").
namespace cutaway::func {
namespace detail {

constexpr double fifth_root(double value) {  // of a number in (0, 1]
  double root = 1;
  for (int i = 0; i < 60; i++) {
    const double power = root * root * root * root;
    root -= (power * root - value) / (5 * power);
  }
  return root;
}

constexpr double srgb_to_linear(double code) {  // code in [0, 1]
  if (code <= 0.04045) return code / 12.92;
  const double base = (code + 0.055) / 1.055;
  return base * base * fifth_root(base * base);  // base^2.4
}

constexpr std::array<float, 256> make_srgb_decode() {
  std::array<float, 256> table{};
  for (uint32_t i = 0; i < 256; i++) table[i] = static_cast<float>(srgb_to_linear(i / 255.0));
  return table;
}

// Entry i is the least float that rounds to a code above i: linear(i + 1/2), rounded up.
constexpr std::array<float, 256> make_srgb_thresholds() {
  std::array<float, 256> table{};
  for (uint32_t i = 0; i < 255; i++) {
    const double exact = srgb_to_linear((i + 0.5) / 255.0);
    const auto rounded = static_cast<float>(exact);
    table[i] = rounded < exact ? bits_float(float_bits(rounded) + 1) : rounded;
  }
  table[255] = 2;
  return table;
}

}  // namespace detail

inline constexpr std::array<float, 256> kSrgb8ToFloat = detail::make_srgb_decode();
inline constexpr std::array<float, 256> kSrgb8Thresholds = detail::make_srgb_thresholds();

namespace detail {

constexpr uint32_t kSrgbBucketShift = 18;                          // 32 buckets in a power of two
constexpr uint32_t kSrgbFirstBucket = 114u << 5;                   // of 2^-13, below the first threshold
constexpr uint32_t kSrgbBuckets = (127u << 5) - kSrgbFirstBucket;  // up to 1

constexpr std::array<uint8_t, kSrgbBuckets> make_srgb_buckets() {  // the code of each bucket's least float
  std::array<uint8_t, kSrgbBuckets> table{};
  uint32_t code = 0;
  for (uint32_t i = 0; i < kSrgbBuckets; i++) {
    const float least = bits_float((kSrgbFirstBucket + i) << kSrgbBucketShift);
    while (least >= kSrgb8Thresholds[code]) code++;
    table[i] = static_cast<uint8_t>(code);
  }
  return table;
}
inline constexpr std::array<uint8_t, kSrgbBuckets> kSrgbBucketTable = make_srgb_buckets();

}  // namespace detail

// The 8-bit code of a linear value, correctly rounded, so monotone; clamped, NaN gives 0.
constexpr uint32_t float_to_srgb8(float value) {
  if (!(value > 0)) return 0;
  if (value >= 1) return 255;
  const uint32_t bucket = float_bits(value) >> detail::kSrgbBucketShift;
  if (bucket < detail::kSrgbFirstBucket) return 0;
  uint32_t code = detail::kSrgbBucketTable[bucket - detail::kSrgbFirstBucket];
  while (value >= kSrgb8Thresholds[code]) code++;  // at most three steps
  return code;
}

}  // namespace cutaway::func
