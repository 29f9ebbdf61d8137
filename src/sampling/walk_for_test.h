#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "sampling/features.h"
#include "sampling/random.h"

namespace cutaway::sampling {

// About 190 of 200 intervals hold the truth, or more: 190 - 2 × √9.5.
constexpr double kLeastCovered = 0.919;

inline double normal(Random& random) {
  return std::sqrt(-2 * std::log(1 - random.unit())) * std::cos(2 * std::numbers::pi * random.unit());
}

// Frames of a walk through a scene: vertices, fragments of two programs, of which one rules some of the time,
// and bytes that few frames copy.
struct Walk {
  FeatureTable table{.first_frame = 1, .frames = 200, .features = {}};
  std::vector<double> vertices, plain, glass, copied;

  explicit Walk(Random& random) {
    for (uint64_t i = 0; i < table.frames; i++) {
      const double way = static_cast<double>(i) / 20;
      vertices.push_back(1 + 0.3 * std::sin(way) + 0.05 * normal(random));
      plain.push_back(1 + 0.3 * std::cos(1.7 * way) + 0.1 * normal(random));
      glass.push_back(std::max(0.0, 0.5 * std::sin(0.6 * way) + 0.1 * normal(random)));
      copied.push_back(i % 40 == 13 ? 1 : 0);
    }
    table.features = {{"vertices", "vertices", vertices},
                      {"plain", "fragments", plain},
                      {"glass", "fragments", glass},
                      {"copied", "copied", copied}};
  }
};

}  // namespace cutaway::sampling
