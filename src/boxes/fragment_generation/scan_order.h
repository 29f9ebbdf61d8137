#pragma once

#include <cstdint>
#include <memory>

#include "base/field.h"
#include "engine/domain.h"

namespace cutaway::boxes {

// Order in which a rasteriser tests the tiles of a primitive.
enum class ScanOrderKind { kSerpentine, kTileRows, kRecursive };
constexpr EnumName<ScanOrderKind> kScanOrderNames[] = {
    {ScanOrderKind::kSerpentine, "serpentine"},
    {ScanOrderKind::kTileRows, "tile-rows"},
    {ScanOrderKind::kRecursive, "recursive"},
};

// A rectangle of 8×8 tiles, given by their upper left pixels, multiples of 8: from (left, top) to (right,
// bottom) inclusive.
struct TileRect {
  int32_t left = 0, top = 0, right = 0, bottom = 0;
};

// A walk over a rectangle of 8×8 tiles that visits each once, except those in blocks that are not entered.
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
};

// Parameters of a scan order (fragment_generation).
struct ScanOrderOptions {
  ScanOrderKind kind = ScanOrderKind::kSerpentine;
  unsigned tile = 8;    // width and height of the rasterisers' tiles in pixels
  unsigned rows = 1;    // such tiles in a row of the screen
  unsigned block = 16;  // the largest, in pixels per side
  unsigned level_cycles = 1;
};
std::unique_ptr<ScanOrder> make_scan_order(const ScanOrderOptions& spec);

}  // namespace cutaway::boxes
