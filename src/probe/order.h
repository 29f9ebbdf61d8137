#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "run_record/timeline.h"

namespace cutaway::probe {

// The order in which the programs of a case's fragments ended.
struct Order {
  struct Pixel {
    uint32_t rank = 0;   // position among all fragments, from 1; the last one if there are several; 0: none
    uint32_t drawn = 0;  // the same for rasterisation; only if times are known
    uint64_t time = 0;   // core cycle
    uint32_t unit = 0;   // the unit that shaded it
  };
  std::vector<Pixel> pixels;  // of the window, row by row
  uint32_t fragments = 0;
  std::vector<std::string> units;  // paths; empty: neither times nor units are known
};

// From a simulated chip's frame with followed quads: the order in which they leave the shader units. The case
// is the frame's last draw.
Order order_of(const run_record::Timeline& timeline);

// From a real chip, by a counter that every fragment increments as it ends: the ranks of the pixels.
Order order_of(std::span<const uint32_t> ranks);

// Number of fragments that were rasterised after a slow one and ended before it. Times must be known.
uint32_t ended_past(const Order& order, std::pair<uint32_t, uint32_t> slow);

}  // namespace cutaway::probe
