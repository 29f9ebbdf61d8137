#pragma once

#include "func/format/texel.h"

namespace cutaway::func {

// Whether elements of a color format stand for a color that can be shown. Integers do not.
bool has_display_color(const arch::FormatInfo& format);

// An element as a display of 8 bits a component shows it: R in the lowest 8 bits, then G, B, A. sRGB and
// unorm codes of 8 bits pass as they are; other fixed-point codes are scaled, floats clamped to [0, 1] and
// rounded, without a transfer function. Absent components give 0, alpha 255.
uint32_t display_color(const arch::FormatInfo& format, TexelLayout layout, const std::byte* element);

}  // namespace cutaway::func
