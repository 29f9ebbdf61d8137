#pragma once

#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/divisor.h"
#include "base/error.h"

namespace cutaway::structures {

// Assigns each square tile of the screen to one of several units. In a row of tiles the units follow one
// another; each row begins with its own shift, and the shifts repeat after their last: the owner of tile (i,
// j) is unit (i + shift[j mod shifts]) mod units (G80-1). Without shifts it is (i + j) mod units: neighbours
// in both directions belong to different units.
class TileMap {
 public:
  // tile: pixels per side, a power of two from 8 on, so that each 8×8 tile belongs to one unit.
  explicit TileMap(unsigned units = 1, unsigned tile = 8, std::vector<unsigned> shifts = {})
      : units_(units), count_(units), bits_(std::countr_zero(tile)), shift_(std::move(shifts)) {
    CUTAWAY_CHECK(units && tile >= 8 && std::has_single_bit(tile));
    if (shift_.empty()) {
      shift_.resize(units);
      std::iota(shift_.begin(), shift_.end(), 0u);
    }
    rows_ = Divisor(shift_.size());
  }

  // The owner of a pixel on the screen.
  unsigned owner(int32_t x, int32_t y) const {
    const uint32_t column = static_cast<uint32_t>(x) >> bits_, row = static_cast<uint32_t>(y) >> bits_;
    return static_cast<unsigned>(count_.remainder(column + shift_[rows_.remainder(row)]));
  }
  // The owners of all tiles with a pixel in [x0, x1) × [y0, y1), which must not be empty: one bit per unit.
  uint32_t owners(int32_t x0, int32_t y0, int32_t x1, int32_t y1) const {
    const int32_t columns = ((x1 - 1) >> bits_) - (x0 >> bits_) + 1,
                  rows = ((y1 - 1) >> bits_) - (y0 >> bits_) + 1;
    // Owners repeat after `units` columns; rows repeat after the number of shifts.
    uint32_t mask = 0;
    for (int32_t j = 0; j < rows && static_cast<size_t>(j) < shift_.size(); j++)
      for (int32_t i = 0; i < columns && static_cast<unsigned>(i) < units_; i++)
        mask |= 1u << owner(x0 + i * tile(), y0 + j * tile());
    return mask;
  }
  unsigned units() const { return units_; }
  int32_t tile() const { return int32_t{1} << bits_; }

 private:
  unsigned units_;
  Divisor count_, rows_;  // number of units, number of shifts
  int bits_;
  std::vector<unsigned> shift_;  // by row of tiles, repeated
};

}  // namespace cutaway::structures
