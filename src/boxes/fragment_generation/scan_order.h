#pragma once

#include <cstdint>

#include "base/policy.h"
#include "engine/domain.h"

namespace cutaway::boxes {

// 8×8 tiles by their upper left pixels, which are multiples of 8: all from (left, top) to
// (right, bottom), these included.
struct TileRect {
  int32_t left = 0, top = 0, right = 0, bottom = 0;
};

// A walk over a rectangle of 8×8 tiles that visits each once, or each half of it, except those in blocks that
// are not entered.
// Every order has its own file.
class ScanOrder {
 public:
  virtual ~ScanOrder() = default;
  // Moves to the first tile or block.
  virtual void start(const TileRect& rect) = 0;
  // Moves to the next one; returns false if there is none.
  virtual bool next() = 0;

  // The current tile or block: its upper left pixel, and its pixels per side: 8 is a tile, more is a block of
  // tiles.
  int32_t x() const { return x_; }
  int32_t y() const { return y_; }
  int32_t size() const { return size_; }
  // Pixels of the current tile that this visit is for, bit y × 8 + x; other visits are for the others.
  static constexpr uint64_t kWhole = ~0ull, kUpperHalf = 0xffffffffull, kLowerHalf = ~kUpperHalf;
  uint64_t part() const { return part_; }

  // True if it can already be tested in this cycle, and the cycle from which it can be.
  virtual bool ready(engine::Cycle) const { return true; }
  virtual engine::Cycle ready_at() const { return 0; }
  // Walks the inside of the current block too.
  virtual void enter(engine::Cycle) {}
  // True if the walk also visits blocks outside the rectangle or of other rasterisers, because the test units
  // work in lockstep.
  virtual bool looks_beyond() const { return false; }

 protected:
  int32_t x_ = 0, y_ = 0, size_ = 8;
  uint64_t part_ = kWhole;
};

// Parameters of fragment_generation that an order is made with.
struct ScanOrderOptions {
  unsigned tile = 8;    // width and height of the rasterisers' tiles in pixels
  unsigned rows = 1;    // such tiles in a row of the screen
  unsigned block = 16;  // the largest, in pixels per side
  unsigned level_cycles = 1;
};
struct ScanOrders : PolicyFamily<ScanOrders, ScanOrder, const ScanOrderOptions&> {};

}  // namespace cutaway::boxes
