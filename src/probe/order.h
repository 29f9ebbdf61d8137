#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/timeline.h"

namespace cutaway::probe {

// In which order the programs of a case's fragments ended.
struct Order {
  struct Pixel {
    uint32_t rank = 0;   // among all fragments, from 1; of several fragments the last; 0: none
    uint32_t drawn = 0;  // the same of their being rasterised; times are known
    uint64_t time = 0;   // core cycle
    uint32_t unit = 0;   // that shaded it
  };
  std::vector<Pixel> pixels;  // of the window, row by row
  uint32_t fragments = 0;
  std::vector<std::string> units;  // paths; empty: neither times nor units are known
};

// Of a frame on a simulated chip, in which quads are followed: as they leave the shader units. Of the frame's
// draws it is the last.
Order order_of(const Timeline& timeline);

// Of a real one, by a counter that every fragment raises as it ends: the ranks of the pixels.
Order order_of(std::span<const uint32_t> ranks);

// How many fragments that were rasterised after a slow one ended before it. Times are known.
uint32_t ended_past(const Order& order, std::pair<uint32_t, uint32_t> slow);

}  // namespace cutaway::probe
