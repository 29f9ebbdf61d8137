#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace cutaway::report {

// Writes rows from the top, R, G, B, A of 8 bits. Alpha is dropped, as on a display. UserError: not writable.
void write_png(const std::filesystem::path& path, uint32_t width, uint32_t height,
               std::span<const uint8_t> rgba);

}  // namespace cutaway::report
