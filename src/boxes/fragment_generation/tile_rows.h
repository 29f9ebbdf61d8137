#pragma once

#include "boxes/fragment_generation/scan_order.h"

namespace cutaway::boxes {

// Divides the screen into rows, and each row into columns as wide as a tile of the rasterisers. A primitive
// is walked row by row, within a row column by column, and within a column downwards, its 8×8 tiles from left
// to right (G80-1: two rows of tiles of 16×16 pixels are drawn at a time).
class TileRows : public ScanOrder {
 public:
  // In pixels: width of a column and height of a row; multiples of 8. halves: of an 8×8 tile the upper half
  // is visited first, and the lower half after the upper halves of its column.
  TileRows(unsigned width, unsigned height, bool halves = false)
      : width_(static_cast<int32_t>(width)), height_(static_cast<int32_t>(height)), halves_(halves) {}
  explicit TileRows(const ScanOrderOptions& options) : TileRows(options.tile, options.tile * options.rows) {}

  void start(const TileRect& rect) override;
  bool next() override;

 private:
  void begin_row(int32_t top);
  void begin_column(int32_t left);

  int32_t width_, height_;
  bool halves_;
  TileRect rect_;
  TileRect column_;  // the part of the rectangle in this column of this row
};

// The same in rows of sub-tiles of 8×4 pixels: a column of two is walked left, right, left, right (G80-4).
class SubTileRows final : public TileRows {
 public:
  explicit SubTileRows(const ScanOrderOptions& options)
      : TileRows(options.tile, options.tile * options.rows, true) {}
};

}  // namespace cutaway::boxes
