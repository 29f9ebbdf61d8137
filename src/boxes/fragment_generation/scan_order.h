#pragma once

#include <cstdint>
#include <memory>

#include "base/field.h"

namespace cutaway::boxes {

// In which order a rasteriser looks at the tiles of a primitive.
enum class ScanOrderKind { kSerpentine, kTileRows };
constexpr EnumName<ScanOrderKind> kScanOrderNames[] = {
    {ScanOrderKind::kSerpentine, "serpentine"},
    {ScanOrderKind::kTileRows, "tile-rows"},
};

// 8×8 tiles by their upper left pixels, which are multiples of 8: all from (left, top) to
// (right, bottom), these included.
struct TileRect {
  int32_t left = 0, top = 0, right = 0, bottom = 0;
};

// A walk over a rectangle of 8×8 tiles: each once. Every order has a file of its own.
class ScanOrder {
 public:
  virtual ~ScanOrder() = default;
  // Stands on the first tile then.
  virtual void start(const TileRect& rect) = 0;
  // Goes to the next tile. False: there is none.
  virtual bool next() = 0;

  // The upper left pixel of the tile that the walk stands on.
  int32_t x() const { return x_; }
  int32_t y() const { return y_; }

 protected:
  int32_t x_ = 0, y_ = 0;
};

// tile: width and height of the rasterisers' tiles in pixels, rows: such tiles, of a row of the screen
// (fragment_generation.tile, scan_rows).
std::unique_ptr<ScanOrder> make_scan_order(ScanOrderKind kind, unsigned tile, unsigned rows);

}  // namespace cutaway::boxes
