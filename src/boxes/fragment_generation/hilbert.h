#pragma once

#include <array>

#include "boxes/fragment_generation/recursive.h"

namespace cutaway::boxes {

// Recursive descent along Hilbert curves (McCool, Wales, Moule 2001): two tiles that follow each other in a
// block share an edge. A curve begins at the upper left and ends at the upper right of a first block.
class Hilbert final : public Recursive {
 public:
  explicit Hilbert(const ScanOrderOptions& options) : Recursive(options, kTurns.data()) {}

 private:
  // The curve as it is, reflected at one diagonal, at the other one, and at both.
  static constexpr std::array<Turn, 4> kTurns = {{{{0, 2, 3, 1}, {1, 0, 0, 2}},
                                                  {{0, 1, 3, 2}, {0, 1, 1, 3}},
                                                  {{3, 2, 0, 1}, {3, 2, 2, 0}},
                                                  {{3, 1, 0, 2}, {2, 3, 3, 1}}}};
};

}  // namespace cutaway::boxes
