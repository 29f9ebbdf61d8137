#pragma once

#include <array>
#include <cstdint>

#include "func/rop/target_view.h"

namespace cutaway::structures {

// Positions of a quad's pixels in the lines of a cache: one line if the target is tiled, at most two if
// linear.
struct QuadPlan {
  struct Piece {
    arch::Address address = 0;  // of the line
    uint32_t sectors = 0;       // sectors that the quad touches, one bit each
  };
  std::array<Piece, 4> piece;
  uint8_t pieces = 0;
  std::array<uint8_t, 4> lane_piece{};
  std::array<uint16_t, 4> lane_offset{};  // bytes into the line
};

// For one sample. Lanes outside `mask` are ignored.
QuadPlan plan_quad(const func::TargetView& view, int32_t x, int32_t y, uint32_t mask, uint32_t line_bytes,
                   uint32_t sample = 0);

}  // namespace cutaway::structures
