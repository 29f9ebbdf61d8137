#include "func/format/texel.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <emmintrin.h>
#include <utility>

#include "func/format/numeric.h"
#include "func/format/srgb.h"

namespace cutaway::func {
namespace {

using arch::FormatInfo;
using arch::NumericKind;

// An element as a 128-bit number.
struct Bits {
  uint64_t word[2] = {0, 0};

  uint32_t field(FormatInfo::Channel channel) const {  // fields do not straddle the words
    return static_cast<uint32_t>(word[channel.offset / 64] >> (channel.offset % 64) & low_mask(channel.bits));
  }
  void set_field(FormatInfo::Channel channel, uint32_t value) {
    word[channel.offset / 64] |= (value & low_mask(channel.bits)) << (channel.offset % 64);
  }
};

float float_of(uint32_t bits) { return bits_float(bits); }

uint32_t decode_channel(NumericKind kind, uint32_t value, uint32_t bits, bool alpha) {
  switch (kind) {
    case NumericKind::kUnorm:
      return float_bits(unorm_to_float(value, bits));
    case NumericKind::kSnorm:
      return float_bits(snorm_to_float(value, bits));
    case NumericKind::kUscaled:
      return float_bits(static_cast<float>(value));
    case NumericKind::kSscaled:
      return float_bits(static_cast<float>(sign_extend(value, bits)));
    case NumericKind::kUint:
      return value;
    case NumericKind::kSint:
      return static_cast<uint32_t>(sign_extend(value, bits));
    case NumericKind::kUfloat:
      return small_float_to_bits(value, bits - 5);
    case NumericKind::kSfloat:
      return bits == 32 ? value : half_to_bits(value);
    case NumericKind::kSrgb:
      return float_bits(alpha ? kUnorm8ToFloat[value] : kSrgb8ToFloat[value]);
    case NumericKind::kNone:
      break;
  }
  return 0;
}

uint32_t encode_channel(NumericKind kind, uint32_t value, uint32_t bits, bool alpha) {
  const auto max_signed = static_cast<int32_t>(low_mask(bits - 1));
  const float number = float_of(value);
  switch (kind) {
    case NumericKind::kUnorm:
      return float_to_unorm(number, bits);
    case NumericKind::kSnorm:
      return float_to_snorm(number, bits);
    case NumericKind::kUscaled: {
      const auto most = static_cast<double>(low_mask(bits));
      return static_cast<uint32_t>(round_even(number > 0 ? std::min<double>(number, most) : 0.0));
    }
    case NumericKind::kSscaled: {
      const double clamped =
          number == number ? std::clamp<double>(number, -max_signed - 1.0, max_signed) : 0.0;
      return static_cast<uint32_t>(round_even(clamped));
    }
    case NumericKind::kUint:
      return std::min(value, low_mask32(bits));
    case NumericKind::kSint:
      return static_cast<uint32_t>(std::clamp(static_cast<int32_t>(value), -max_signed - 1, max_signed));
    case NumericKind::kUfloat:
      return bits_to_ufloat(value, bits - 5);
    case NumericKind::kSfloat:
      return bits == 32 ? value : bits_to_half(value);
    case NumericKind::kSrgb:
      return alpha ? float_to_unorm(number, 8) : float_to_srgb8(number);
    case NumericKind::kNone:
      break;
  }
  return 0;
}

// float_to_unorm of four channels of 8 bits at once; kBgra: in that order.
template <bool kBgra>
void encode_four_unorm8(const uint32_t in[4], std::byte* element) {
  __m128 value;
  std::memcpy(&value, in, sizeof value);
  if constexpr (kBgra) value = _mm_shuffle_ps(value, value, _MM_SHUFFLE(3, 0, 1, 2));
  // MAXPS returns its second operand, 0, if the first is a NaN.
  value = _mm_min_ps(_mm_max_ps(value, _mm_setzero_ps()), _mm_set1_ps(1));
  const auto codes = [](__m128 two) {  // of the lower lanes
    return _mm_cvtpd_epi32(_mm_mul_pd(_mm_cvtps_pd(two), _mm_set1_pd(255)));
  };
  const __m128i words = _mm_unpacklo_epi64(codes(value), codes(_mm_movehl_ps(value, value)));
  const __m128i halves = _mm_packs_epi32(words, words);
  const int bytes = _mm_cvtsi128_si32(_mm_packus_epi16(halves, halves));
  std::memcpy(element, &bytes, sizeof bytes);
}

// Vulkan "Shared Exponent to RGB" and back: 9-bit mantissas without a hidden bit, exponent of bias 15.
void decode_shared_exponent(uint32_t value, uint32_t out[4]) {
  const uint32_t exponent = value >> 27;  // scale 2^(exponent - 15 - 9), a normal float
  const float scale = bits_float((exponent + 127 - 24) << 23);
  for (uint32_t c = 0; c < 3; c++) out[c] = float_bits(static_cast<float>(value >> (9 * c) & 511) * scale);
  out[3] = kFloatOne;
}

uint32_t encode_shared_exponent(const uint32_t in[4]) {
  constexpr float kMost = 65408;  // 511/512 × 2^16
  float clamped[3], most = 0;
  for (uint32_t c = 0; c < 3; c++) {
    const float value = float_of(in[c]);
    clamped[c] = value > 0 ? std::min(value, kMost) : 0;
    most = std::max(most, clamped[c]);
  }
  int exponent = std::max(-16, static_cast<int>(float_bits(most) >> 23) - 127) + 16;
  const auto scaled = [&](float value) {  // value / 2^(exponent - 24), rounded half up
    const double scale = std::bit_cast<double>(static_cast<uint64_t>(1023 + 24 - exponent) << 52);
    return static_cast<uint32_t>(static_cast<double>(value) * scale + 0.5);
  };
  if (scaled(most) == 512) exponent++;
  return scaled(clamped[0]) | scaled(clamped[1]) << 9 | scaled(clamped[2]) << 18 |
         static_cast<uint32_t>(exponent) << 27;
}

void decode_generic(const FormatInfo& format, const std::byte* element, uint32_t out[4]) {
  Bits bits;
  std::memcpy(&bits, element, format.bytes);
  out[0] = out[1] = out[2] = 0;
  out[3] = format.is_integer() ? 1 : kFloatOne;
  if (format.shared_exponent_bits) return decode_shared_exponent(bits.field({0, 32}), out);
  if (format.has_depth()) {
    const uint32_t depth = bits.field(format.depth);
    out[0] = format.depth_float ? depth : float_bits(unorm_to_float(depth, format.depth.bits));
    return;
  }
  if (format.has_stencil()) {
    out[0] = bits.field(format.stencil);
    return;
  }
  for (uint32_t c = 0; c < 4; c++)
    if (format.channel[c].bits)
      out[c] = decode_channel(format.kind, bits.field(format.channel[c]), format.channel[c].bits, c == 3);
}

void encode_generic(const FormatInfo& format, const uint32_t in[4], std::byte* element) {
  Bits bits;
  if (format.shared_exponent_bits) {
    bits.word[0] = encode_shared_exponent(in);
  } else if (format.has_depth() || format.has_stencil()) {
    if (format.has_depth())
      bits.set_field(format.depth,
                     format.depth_float ? in[0] : float_to_unorm(float_of(in[0]), format.depth.bits));
    if (format.has_stencil()) bits.set_field(format.stencil, std::min(in[format.has_depth() ? 1 : 0], 255u));
  } else {
    for (uint32_t c = 0; c < 4; c++)
      if (format.channel[c].bits)
        bits.set_field(format.channel[c], encode_channel(format.kind, in[c], format.channel[c].bits, c == 3));
  }
  std::memcpy(element, &bits, format.bytes);
}

bool has_channels(const FormatInfo& format, std::initializer_list<int> offsets, uint32_t width) {
  uint32_t c = 0;
  for (int offset : offsets) {
    const FormatInfo::Channel channel = format.channel[c++];
    if (channel.bits != width || channel.offset != offset) return false;
  }
  for (; c < 4; c++)
    if (format.channel[c].bits) return false;
  return true;
}

TexelLayout block_layout(std::string_view name) {
  constexpr std::pair<std::string_view, TexelLayout> kLayouts[] = {
      {"BC1_RGB_", TexelLayout::kBc1Rgb}, {"BC1_RGBA_", TexelLayout::kBc1Rgba}, {"BC2_", TexelLayout::kBc2},
      {"BC3_", TexelLayout::kBc3},        {"BC4_", TexelLayout::kBc4},          {"BC5_", TexelLayout::kBc5},
      {"BC6H_", TexelLayout::kBc6h},      {"BC7_", TexelLayout::kBc7}};
  for (const auto& [prefix, layout] : kLayouts)
    if (name.starts_with(prefix)) return layout;
  return TexelLayout::kNone;
}

bool power_of_two_bytes(const FormatInfo& format) { return std::has_single_bit(format.bytes); }

bool decodable_color(const FormatInfo& format) {
  return format.is_color() && !format.compressed && texel_layout(format) != TexelLayout::kNone;
}

bool is_scaled(const FormatInfo& format) {
  return format.kind == NumericKind::kUscaled || format.kind == NumericKind::kSscaled;
}

}  // namespace

TexelLayout texel_layout(const FormatInfo& format) {
  if (format.compressed) return block_layout(format.name);
  if (format.bytes == 0 || format.bytes > kMaxTexelBytes) return TexelLayout::kNone;
  for (const auto& channel : format.channel)
    if (channel.bits > 32) return TexelLayout::kNone;
  const bool rgba8 = has_channels(format, {0, 8, 16, 24}, 8), bgra8 = has_channels(format, {16, 8, 0, 24}, 8);
  switch (format.kind) {
    case NumericKind::kUnorm:
      if (rgba8) return TexelLayout::kRgba8Unorm;
      if (bgra8) return TexelLayout::kBgra8Unorm;
      if (has_channels(format, {0}, 8)) return TexelLayout::kR8Unorm;
      if (has_channels(format, {0, 8}, 8)) return TexelLayout::kRg8Unorm;
      return TexelLayout::kGeneric;
    case NumericKind::kSrgb:
      return rgba8 ? TexelLayout::kRgba8Srgb : bgra8 ? TexelLayout::kBgra8Srgb : TexelLayout::kGeneric;
    case NumericKind::kSfloat:
      if (has_channels(format, {0, 16, 32, 48}, 16)) return TexelLayout::kRgba16Float;
      return format.channel[0].bits == 32 && !format.has_depth() ? TexelLayout::kFloat32
                                                                 : TexelLayout::kGeneric;
    default:
      return TexelLayout::kGeneric;
  }
}

void decode_texel(const FormatInfo& format, TexelLayout layout, const std::byte* element, uint32_t out[4]) {
  const auto byte = [&](int i) { return static_cast<uint32_t>(element[i]); };
  const auto four = [&](const std::array<float, 256>& table, int red, int blue) {
    const __m128 color =
        _mm_setr_ps(table[byte(red)], table[byte(1)], table[byte(blue)], kUnorm8ToFloat[byte(3)]);
    std::memcpy(out, &color, sizeof color);
  };
  switch (layout) {
    case TexelLayout::kRgba8Unorm:
      return four(kUnorm8ToFloat, 0, 2);
    case TexelLayout::kBgra8Unorm:
      return four(kUnorm8ToFloat, 2, 0);
    case TexelLayout::kRgba8Srgb:
      return four(kSrgb8ToFloat, 0, 2);
    case TexelLayout::kBgra8Srgb:
      return four(kSrgb8ToFloat, 2, 0);
    case TexelLayout::kR8Unorm:
    case TexelLayout::kRg8Unorm:
      out[0] = float_bits(kUnorm8ToFloat[byte(0)]);
      out[1] = layout == TexelLayout::kRg8Unorm ? float_bits(kUnorm8ToFloat[byte(1)]) : 0;
      out[2] = 0;
      out[3] = kFloatOne;
      return;
    case TexelLayout::kRgba16Float: {
      uint16_t half[4];
      std::memcpy(half, element, sizeof half);
      for (uint32_t c = 0; c < 4; c++) out[c] = half_to_bits(half[c]);
      return;
    }
    case TexelLayout::kFloat32:
      out[1] = out[2] = 0;
      out[3] = kFloatOne;
      std::memcpy(out, element, format.bytes);
      return;
    case TexelLayout::kGeneric:
      return decode_generic(format, element, out);
    default:
      break;
  }
  out[0] = out[1] = out[2] = 0;
  out[3] = kFloatOne;
}

void decode_texel(const FormatInfo& format, const std::byte* element, uint32_t out[4]) {
  decode_texel(format, texel_layout(format), element, out);
}

void encode_texel(const FormatInfo& format, TexelLayout layout, const uint32_t in[4], std::byte* element) {
  switch (layout) {
    case TexelLayout::kRgba8Unorm:
      return encode_four_unorm8<false>(in, element);
    case TexelLayout::kBgra8Unorm:
      return encode_four_unorm8<true>(in, element);
    case TexelLayout::kRgba16Float: {
      uint16_t half[4];
      for (uint32_t c = 0; c < 4; c++) half[c] = static_cast<uint16_t>(bits_to_half(in[c]));
      std::memcpy(element, half, sizeof half);
      return;
    }
    case TexelLayout::kFloat32:
      std::memcpy(element, in, format.bytes);
      return;
    case TexelLayout::kR8Unorm:
    case TexelLayout::kRg8Unorm:
    case TexelLayout::kRgba8Srgb:
    case TexelLayout::kBgra8Srgb:
    case TexelLayout::kGeneric:
      return encode_generic(format, in, element);
    default:
      std::memset(element, 0, format.bytes);
  }
}

void encode_texel(const FormatInfo& format, const uint32_t in[4], std::byte* element) {
  encode_texel(format, texel_layout(format), in, element);
}

// An element whose size is a power of two never straddles a cache line.
bool can_sample(const FormatInfo& format) {
  return power_of_two_bytes(format) && !is_scaled(format) &&
         (decodable_color(format) || format.compressed || can_depth_stencil(format));
}

bool can_filter(const FormatInfo& format) { return can_sample(format) && !format.is_integer(); }

bool can_render(const FormatInfo& format) {
  return power_of_two_bytes(format) && !is_scaled(format) && decodable_color(format) &&
         !format.shared_exponent_bits;
}

bool can_blend(const FormatInfo& format) { return can_render(format) && !format.is_integer(); }

bool can_depth_stencil(const FormatInfo& format) { return format.has_depth() || format.has_stencil(); }

bool can_vertex(const FormatInfo& format) {
  return decodable_color(format) && !format.shared_exponent_bits && format.kind != NumericKind::kSrgb;
}

// Three 32-bit components are three words, each within a cache line.
bool can_texel_buffer(const FormatInfo& format) {
  return (power_of_two_bytes(format) || format.bytes == 12) && decodable_color(format) &&
         !is_scaled(format) && format.kind != NumericKind::kSrgb;
}

bool can_scan_out(const FormatInfo& format) { return can_blend(format); }

}  // namespace cutaway::func
