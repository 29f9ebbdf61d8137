#pragma once

#include <array>
#include <cstdint>

#include "arch/surface.h"

namespace cutaway::parts {

// A render target's level and layer with what finding its pixels needs worked out once.
struct TargetView {
  arch::Address base = 0;
  uint64_t row_pitch = 0;  // tiled: of a row of tiles
  uint32_t bytes = 0;      // per element; 0: no target
  uint32_t samples = 1;
  uint32_t width = 0, height = 0;
  bool tiled = true;

  TargetView() = default;
  explicit TargetView(const arch::Surface& surface);

  arch::Address address(uint32_t x, uint32_t y) const {
    if (tiled) return base + arch::tiled_offset(x, y, row_pitch, bytes, samples);
    return base + y * row_pitch + uint64_t{x} * bytes;
  }
};

// Where the pixels of a quad lie in the lines of a cache: one line if the target is tiled, at most two if
// linear.
struct QuadPlan {
  struct Piece {
    arch::Address address = 0;  // of the line
    uint32_t sectors = 0;       // that the quad touches, bit each
  };
  std::array<Piece, 4> piece;
  uint8_t pieces = 0;
  std::array<uint8_t, 4> lane_piece{};
  std::array<uint16_t, 4> lane_offset{};  // bytes into the line
};

// Lanes outside `mask` are not looked at.
QuadPlan plan_quad(const TargetView& view, int32_t x, int32_t y, uint32_t mask, uint32_t line_bytes);

}  // namespace cutaway::parts
