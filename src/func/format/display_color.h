#pragma once

#include "func/format/texel.h"

namespace cutaway::func {

// True if elements of a color format have a displayable color. Integers do not.
bool has_display_color(const arch::FormatInfo& format);

// An element as an 8-bit display shows it: R in the lowest 8 bits, then G, B, A. sRGB and 8-bit unorm codes
// pass unchanged; other fixed-point codes are scaled; floats are clamped to [0, 1] and rounded, without a
// transfer function. Absent components give 0, alpha 255.
uint32_t display_color(const arch::FormatInfo& format, TexelLayout layout, const std::byte* element);

}  // namespace cutaway::func
