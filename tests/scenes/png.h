#pragma once

#include <filesystem>

#include "arch/gpu.h"

namespace cutaway::scenes {

// For looking at; each pixel becomes scale×scale.
void write_png(const std::filesystem::path& path, const arch::Picture& picture, uint32_t scale = 1);

}  // namespace cutaway::scenes
