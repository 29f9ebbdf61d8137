#pragma once

#include <cstdint>

namespace cutaway::icd {

// A texel of E5B9G9R9_UFLOAT_PACK32: Vulkan "RGB to Shared Exponent Conversion". Red, green, blue; NaN is 0.
uint32_t to_shared_exponent(const float color[3]);

}  // namespace cutaway::icd
