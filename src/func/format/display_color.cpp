#include "func/format/display_color.h"

#include <cstring>

#include "func/format/numeric.h"
#include "func/format/srgb.h"

namespace cutaway::func {

bool has_display_color(const arch::FormatInfo& format) {
  return format.is_color() && !format.is_integer() && !format.compressed &&
         texel_layout(format) != TexelLayout::kNone;
}

uint32_t display_color(const arch::FormatInfo& format, TexelLayout layout, const std::byte* element) {
  uint32_t codes = 0;
  switch (layout) {
    case TexelLayout::kRgba8Unorm:
    case TexelLayout::kRgba8Srgb:
      std::memcpy(&codes, element, 4);
      return codes;
    case TexelLayout::kBgra8Unorm:
    case TexelLayout::kBgra8Srgb:
      std::memcpy(&codes, element, 4);
      return (codes & 0xff00ff00) | (codes & 0xff) << 16 | (codes >> 16 & 0xff);
    default:
      break;
  }
  uint32_t value[4];
  decode_texel(format, layout, element, value);
  for (uint32_t c = 0; c < 4; c++) {
    const float number = bits_float(value[c]);
    const bool srgb = format.kind == arch::NumericKind::kSrgb && c < 3;
    codes |= (srgb ? float_to_srgb8(number) : float_to_unorm(number, 8)) << 8 * c;
  }
  return codes;
}

}  // namespace cutaway::func
