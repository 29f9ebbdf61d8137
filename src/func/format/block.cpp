#include "func/format/block.h"

#include <algorithm>
#include <cstring>

#include "func/format/numeric.h"
#include "func/format/srgb.h"

namespace cutaway::func {
namespace {

uint32_t half_word(const std::byte* at) {
  return static_cast<uint32_t>(at[0]) | static_cast<uint32_t>(at[1]) << 8;
}

uint64_t little_endian(const std::byte* at, uint32_t bytes) {
  uint64_t value = 0;
  std::memcpy(&value, at, bytes);
  return value;
}

// Expands 5, 6 and 5 bits to 8 each by repeating the highest bits.
void expand_565(uint32_t color, uint32_t out[3]) {
  const uint32_t red = color >> 11, green = color >> 5 & 63, blue = color & 31;
  out[0] = red << 3 | red >> 2;
  out[1] = green << 2 | green >> 4;
  out[2] = blue << 3 | blue >> 2;
}

// Decodes the 8 color bytes to R, G, B, A. three: the order of the end points may select three colors and
// transparent black.
void decode_colors(const std::byte* block, uint32_t texel, bool three, uint32_t out[4]) {
  const uint32_t c0 = half_word(block), c1 = half_word(block + 2);
  const auto index = static_cast<uint32_t>(little_endian(block + 4, 4) >> (2 * texel) & 3);
  uint32_t a[3], b[3];
  expand_565(c0, a);
  expand_565(c1, b);
  out[3] = 255;
  if (three && c0 <= c1 && index >= 2) {
    for (uint32_t c = 0; c < 3; c++) out[c] = index == 2 ? (a[c] + b[c]) / 2 : 0;
    if (index == 3) out[3] = 0;
    return;
  }
  constexpr uint32_t kSecond[4] = {0, 3, 1, 2};  // thirds of the second end point
  const uint32_t second = kSecond[index];
  for (uint32_t c = 0; c < 3; c++) out[c] = ((3 - second) * a[c] + second * b[c]) / 3;
}

// One channel in 8 bytes (BC3's alpha, BC4, BC5), as sum / parts in units of the end points.
struct Ramp {
  int32_t sum, parts;
};

Ramp decode_ramp(const std::byte* block, uint32_t texel, bool is_signed) {
  const auto end_point = [&](uint32_t i) {
    const auto raw = static_cast<int32_t>(block[i]);
    return is_signed ? static_cast<int32_t>(static_cast<int8_t>(raw)) : raw;
  };
  const int32_t raw0 = end_point(0), raw1 = end_point(1);
  const int32_t a = std::max(raw0, is_signed ? -127 : 0), b = std::max(raw1, is_signed ? -127 : 0);
  const auto index = static_cast<int32_t>(little_endian(block + 2, 6) >> (3 * texel) & 7);
  if (index == 0) return {a, 1};
  if (index == 1) return {b, 1};
  if (raw0 > raw1) return {(8 - index) * a + (index - 1) * b, 7};
  if (index < 6) return {(6 - index) * a + (index - 1) * b, 5};
  const int32_t most = is_signed ? 127 : 255;
  return {index == 7 ? most : is_signed ? -most : 0, 1};
}

uint32_t ramp_bits(const std::byte* block, uint32_t texel, bool is_signed) {
  const Ramp ramp = decode_ramp(block, texel, is_signed);
  const int32_t unit = is_signed ? 127 : 255;
  return float_bits(static_cast<float>(static_cast<double>(ramp.sum) / (ramp.parts * unit)));
}

void bytes_to_texel(const arch::FormatInfo& format, uint32_t bytes, uint32_t out[4]) {
  const auto& table = format.kind == arch::NumericKind::kSrgb ? kSrgb8ToFloat : kUnorm8ToFloat;
  for (uint32_t c = 0; c < 3; c++) out[c] = float_bits(table[bytes >> (8 * c) & 255]);
  out[3] = float_bits(kUnorm8ToFloat[bytes >> 24]);
}

}  // namespace

uint32_t block_components(TexelLayout layout) {
  switch (layout) {
    case TexelLayout::kBc4:
      return 1;
    case TexelLayout::kBc5:
      return 2;
    case TexelLayout::kBc1Rgb:
    case TexelLayout::kBc6h:
      return 3;
    default:
      return 4;
  }
}

uint32_t decode_block_bytes(TexelLayout layout, const std::byte* block, uint32_t texel) {
  uint32_t bytes[4];
  switch (layout) {
    case TexelLayout::kBc1Rgb:
    case TexelLayout::kBc1Rgba:
      decode_colors(block, texel, true, bytes);
      if (layout == TexelLayout::kBc1Rgb) bytes[3] = 255;
      break;
    case TexelLayout::kBc2:
      decode_colors(block + 8, texel, false, bytes);
      bytes[3] = static_cast<uint32_t>(little_endian(block, 8) >> (4 * texel) & 15) * 17;
      break;
    case TexelLayout::kBc3: {
      decode_colors(block + 8, texel, false, bytes);
      const Ramp alpha = decode_ramp(block, texel, false);
      bytes[3] = static_cast<uint32_t>(alpha.sum / alpha.parts);
      break;
    }
    case TexelLayout::kBc7: {
      uint8_t colors[4];
      decode_bc7(block, texel, colors);
      std::copy(std::begin(colors), std::end(colors), bytes);
      break;
    }
    default:
      return 0;
  }
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24;
}

void decode_whole_block(TexelLayout layout, const std::byte* block, uint32_t out[16]) {
  if (layout == TexelLayout::kBc7) {
    for (uint32_t i = 0; i < 16; i++) out[i] = decode_block_bytes(layout, block, i);
    return;
  }
  // The colors and alphas that its indices choose from are the texels of a block whose indices are all of
  // them in turn.
  const bool only_colors = layout == TexelLayout::kBc1Rgb || layout == TexelLayout::kBc1Rgba;
  const std::byte* const at = only_colors ? block : block + 8;
  std::byte colors[8];
  std::memcpy(colors, at, 4);
  colors[4] = std::byte{0xe4};
  uint32_t palette[4];
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t color[4];
    decode_colors(colors, i, only_colors, color);
    const bool opaque = layout == TexelLayout::kBc1Rgb;
    palette[i] = color[0] | color[1] << 8 | color[2] << 16 |
                 (opaque        ? 255
                  : only_colors ? color[3]
                                : 0)
                     << 24;
  }
  const auto index = static_cast<uint32_t>(little_endian(at + 4, 4));
  for (uint32_t i = 0; i < 16; i++) out[i] = palette[index >> (2 * i) & 3];
  if (layout == TexelLayout::kBc2) {
    const uint64_t alphas = little_endian(block, 8);
    for (uint32_t i = 0; i < 16; i++) out[i] |= static_cast<uint32_t>(alphas >> (4 * i) & 15) * 17 << 24;
  } else if (layout == TexelLayout::kBc3) {
    constexpr uint32_t kAllIndices = 076543210;
    std::byte ramp[8] = {block[0], block[1]};
    std::memcpy(ramp + 2, &kAllIndices, 3);
    uint32_t alpha[8];
    for (uint32_t i = 0; i < 8; i++) {
      const Ramp at_index = decode_ramp(ramp, i, false);
      alpha[i] = static_cast<uint32_t>(at_index.sum / at_index.parts) << 24;
    }
    const uint64_t indices = little_endian(block + 2, 6);
    for (uint32_t i = 0; i < 16; i++) out[i] |= alpha[indices >> (3 * i) & 7];
  }
}

void decode_block_texel(const arch::FormatInfo& format, TexelLayout layout, const std::byte* block,
                        uint32_t texel, uint32_t out[4]) {
  const bool is_signed =
      format.kind == arch::NumericKind::kSnorm || format.kind == arch::NumericKind::kSfloat;
  out[0] = out[1] = out[2] = 0;
  out[3] = kFloatOne;
  switch (layout) {
    case TexelLayout::kBc1Rgb:
    case TexelLayout::kBc1Rgba:
    case TexelLayout::kBc2:
    case TexelLayout::kBc3:
    case TexelLayout::kBc7:
      return bytes_to_texel(format, decode_block_bytes(layout, block, texel), out);
    case TexelLayout::kBc5:
      out[1] = ramp_bits(block + 8, texel, is_signed);
      [[fallthrough]];
    case TexelLayout::kBc4:
      out[0] = ramp_bits(block, texel, is_signed);
      return;
    case TexelLayout::kBc6h: {
      uint16_t halves[3];
      decode_bc6h(block, texel, is_signed, halves);
      for (uint32_t c = 0; c < 3; c++) out[c] = half_to_bits(halves[c]);
      return;
    }
    default:
      return;
  }
}

}  // namespace cutaway::func
