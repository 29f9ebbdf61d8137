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

// A walk over a rectangle of 8×8 tiles: each once, but those in blocks that are not entered. Every order has
// a file of its own.
class ScanOrder {
 public:
  virtual ~ScanOrder() = default;
  // Stands on the first tile or block then.
  virtual void start(const TileRect& rect) = 0;
  // Goes to the next one. False: there is none.
  virtual bool next() = 0;

  // What the walk stands on: its upper left pixel, and how many pixels it has a side: 8 is a tile, more a
  // block of tiles.
  int32_t x() const { return x_; }
  int32_t y() const { return y_; }
  int32_t size() const { return size_; }

  // Whether that can be tested in this cycle yet, and from which cycle on it can.
  virtual bool ready(engine::Cycle) const { return true; }
  virtual engine::Cycle ready_at() const { return 0; }
  // Of a block: what is in it shall be walked too.
  virtual void enter(engine::Cycle) {}
  // The walk stands also on what lies outside of the rectangle or belongs to other rasterisers: the units
  // that test work in step, and have nothing else to do.
  virtual bool looks_beyond() const { return false; }

 protected:
  int32_t x_ = 0, y_ = 0, size_ = 8;
};

// What an order is made with: parameters of fragment_generation.
struct ScanOrderOptions {
  unsigned tile = 8;    // width and height of the rasterisers' tiles in pixels
  unsigned rows = 1;    // such tiles, of a row of the screen
  unsigned block = 16;  // the largest, in pixels a side
  unsigned level_cycles = 1;
};
struct ScanOrders : PolicyFamily<ScanOrders, ScanOrder, const ScanOrderOptions&> {};

}  // namespace cutaway::boxes
