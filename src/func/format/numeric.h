#pragma once

#include <array>
#include <bit>
#include <cstdint>

// Conversions between numbers and the bit fields of formats (Vulkan "Numeric Representation and
// Computation"). Each is an exact function of its argument: computed in double, where every product is exact,
// and rounded once, to the nearest, ties to even.
namespace cutaway::func {

constexpr uint32_t kFloatOne = 0x3f800000;

constexpr uint32_t float_bits(float value) { return std::bit_cast<uint32_t>(value); }
constexpr float bits_float(uint32_t bits) { return std::bit_cast<float>(bits); }
constexpr bool is_nan_bits(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

constexpr uint64_t low_mask(uint32_t bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }
constexpr uint32_t low_mask32(uint32_t bits) { return static_cast<uint32_t>(low_mask(bits)); }
constexpr int32_t sign_extend(uint32_t value, uint32_t bits) {
  return bits >= 32 ? static_cast<int32_t>(value) : static_cast<int32_t>(value << (32 - bits)) >> (32 - bits);
}

// Nearest integer, ties to even; |value| < 2^51.
constexpr int64_t round_even(double value) {
  constexpr double kMagic = 6755399441055744.0;  // 1.5 × 2^52: its unit in the last place is 1
  return static_cast<int64_t>(std::bit_cast<uint64_t>(value + kMagic) - std::bit_cast<uint64_t>(kMagic));
}

// Largest integer not above value; |value| < 2^62.
constexpr int64_t floor_to_int(double value) {
  const auto whole = static_cast<int64_t>(value);
  return whole - (static_cast<double>(whole) > value);
}

// NaN gives 0.
constexpr double clamp_unit(float value) { return value > 0 ? (value < 1 ? value : 1.0) : 0.0; }
constexpr double clamp_signed_unit(float value) {
  return value > -1 ? (value < 1 ? value : 1.0) : value <= -1 ? -1.0 : 0.0;
}

constexpr uint32_t float_to_unorm(float value, uint32_t bits) {
  return static_cast<uint32_t>(round_even(clamp_unit(value) * static_cast<double>(low_mask(bits))));
}
constexpr float unorm_to_float(uint32_t value, uint32_t bits) {
  return static_cast<float>(static_cast<double>(value) / static_cast<double>(low_mask(bits)));
}

constexpr uint32_t float_to_snorm(float value, uint32_t bits) {  // two's complement in the low bits
  const auto scale = static_cast<double>(low_mask(bits - 1));
  return static_cast<uint32_t>(round_even(clamp_signed_unit(value) * scale)) & low_mask32(bits);
}
constexpr float snorm_to_float(uint32_t value, uint32_t bits) {
  const double result =
      static_cast<double>(sign_extend(value, bits)) / static_cast<double>(low_mask(bits - 1));
  return static_cast<float>(result < -1 ? -1 : result);  // the lowest code is -1 too
}

namespace detail {
constexpr std::array<float, 256> make_unorm8_table() {
  std::array<float, 256> table{};
  for (uint32_t i = 0; i < 256; i++) table[i] = unorm_to_float(i, 8);
  return table;
}
}  // namespace detail
inline constexpr std::array<float, 256> kUnorm8ToFloat = detail::make_unorm8_table();

// Floating-point formats narrower than a float, with a 5-bit exponent of bias 15: half (10 mantissa bits and
// a sign), and the unsigned formats of 11 bits (6) and 10 bits (5).
constexpr uint32_t small_float_to_bits(uint32_t value, uint32_t mantissa_bits) {  // without the sign
  const uint32_t exponent = value >> mantissa_bits & 31, mantissa = value & low_mask32(mantissa_bits);
  if (exponent == 31) return 0x7f800000 | (mantissa ? 0x400000 : 0);
  if (exponent != 0) return (exponent + 112) << 23 | mantissa << (23 - mantissa_bits);
  if (mantissa == 0) return 0;
  const int shift = std::countl_zero(mantissa) - (31 - static_cast<int>(mantissa_bits));
  return static_cast<uint32_t>(113 - shift) << 23 | (mantissa << shift & low_mask32(mantissa_bits))
                                                        << (23 - mantissa_bits);
}

// Converts the magnitude of a float (its bits, sign cleared) to such a format. NaN gives the quiet NaN.
// Finite values that are too large give infinity, or with `saturate` the largest finite number.
constexpr uint32_t float_to_small(uint32_t magnitude, uint32_t mantissa_bits, bool saturate) {
  const uint32_t infinity = 31u << mantissa_bits;
  if (magnitude > 0x7f800000) return infinity | 1u << (mantissa_bits - 1);
  if (magnitude == 0x7f800000) return infinity;
  const int exponent = static_cast<int>(magnitude >> 23) - 112;
  const uint32_t significand = (magnitude & 0x7fffff) | 0x800000;
  const int shift = static_cast<int>(23 - mantissa_bits) + (exponent < 1 ? 1 - exponent : 0);
  if (shift > 25 || magnitude < 0x800000) return 0;
  const uint32_t kept = significand >> shift, rest = significand & low_mask32(static_cast<uint32_t>(shift));
  const uint32_t half = 1u << (shift - 1);
  uint32_t result = kept + (rest > half || (rest == half && (kept & 1)));
  if (exponent >= 1) result += static_cast<uint32_t>(exponent - 1) << mantissa_bits;  // the carry is intended
  if (result < infinity) return result;
  return saturate ? infinity - 1 : infinity;
}

constexpr uint32_t half_to_bits(uint32_t half) {
  return (half & 0x8000) << 16 | small_float_to_bits(half & 0x7fff, 10);
}
constexpr uint32_t bits_to_half(uint32_t bits) {
  return (bits >> 16 & 0x8000) | float_to_small(bits & 0x7fffffff, 10, false);
}

// Unsigned formats: negative numbers give 0, NaN stays NaN.
constexpr uint32_t bits_to_ufloat(uint32_t bits, uint32_t mantissa_bits) {
  if (bits >> 31 && !is_nan_bits(bits)) return 0;
  return float_to_small(bits & 0x7fffffff, mantissa_bits, true);
}

}  // namespace cutaway::func
