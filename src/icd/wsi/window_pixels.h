#pragma once

#include <cstdint>
#include <span>

#include "arch/memory.h"
#include "arch/surface.h"

namespace cutaway::icd {

// Reads a surface of 8-bit channels (RGBA or BGRA) as a window takes it: rows of pixels with B in the lowest
// 8 bits, then G, R, and alpha as it is. pixels: width times height.
void read_window_pixels(const arch::Surface& surface, const arch::Memory& memory, std::span<uint32_t> pixels);

}  // namespace cutaway::icd
