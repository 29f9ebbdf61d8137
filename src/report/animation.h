#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace cutaway::report {

// A picture that fills up, as an animated PNG, which browsers show and which is shown whole where animations
// are not known: pixels of step 0 are there from the start, the others from their step on.
struct Animation {
  uint32_t width = 0, height = 0;
  std::span<const uint8_t> steps;                  // of each pixel, row by row
  std::span<const std::array<uint8_t, 3>> colors;  // R, G, B by step; 255 at most
  std::span<const uint32_t> milliseconds;          // by step: until the next one comes
};

// The bytes of its file.
std::string animated_png(const Animation& animation);

}  // namespace cutaway::report
