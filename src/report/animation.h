#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace cutaway::report {

// An animated PNG of a picture that fills up step by step. Browsers play it; programs without animation
// support show the complete picture. Pixels of step 0 are visible from the start, the others from their step
// on.
struct Animation {
  uint32_t width = 0, height = 0;
  std::span<const uint8_t> steps;                  // step of each pixel, row by row
  std::span<const std::array<uint8_t, 3>> colors;  // R, G, B by step; at most 255 steps
  std::span<const uint32_t> milliseconds;          // duration of each step
};

// Encodes it as the bytes of a file.
std::string animated_png(const Animation& animation);

}  // namespace cutaway::report
