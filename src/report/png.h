#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace cutaway::report {

// Rows from the top, R, G, B, A of 8 bits, as a PNG. Alpha is kept only if `alpha` is set. UserError: libpng
// refuses the size.
std::vector<std::byte> png_of(uint32_t width, uint32_t height, std::span<const uint8_t> rgba, bool alpha);

// Writes such a picture without alpha, as on a display. UserError: not writable.
void write_png(const std::filesystem::path& path, uint32_t width, uint32_t height,
               std::span<const uint8_t> rgba);

}  // namespace cutaway::report
