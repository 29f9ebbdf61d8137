#include "boxes/fragment_generation/tile_rows.h"

#include <algorithm>

namespace cutaway::boxes {

const ScanOrders::Member<TileRows> kTileRows("tile-rows");
const ScanOrders::Member<SubTileRows> kSubTileRows("sub-tile-rows");

namespace {

// The last tile before the next multiple of `size`.
int32_t last_before_edge(int32_t from, int32_t size) { return from - from % size + size - 8; }

}  // namespace

void TileRows::start(const TileRect& rect) {
  rect_ = rect;
  begin_row(rect.top);
}

void TileRows::begin_row(int32_t top) {
  column_.top = top;
  column_.bottom = std::min(last_before_edge(top, height_), rect_.bottom);
  begin_column(rect_.left);
}

void TileRows::begin_column(int32_t left) {
  column_.left = left;
  column_.right = std::min(last_before_edge(left, width_), rect_.right);
  x_ = left, y_ = column_.top;
  part_ = halves_ ? kUpperHalf : kWhole;
}

bool TileRows::next() {
  if (x_ < column_.right) {
    x_ += 8;
  } else if (part_ == kUpperHalf) {
    x_ = column_.left;
    part_ = kLowerHalf;
  } else if (y_ < column_.bottom) {
    x_ = column_.left;
    y_ += 8;
    part_ = halves_ ? kUpperHalf : kWhole;
  } else if (column_.right < rect_.right) {
    begin_column(column_.right + 8);
  } else if (column_.bottom < rect_.bottom) {
    begin_row(column_.bottom + 8);
  } else {
    return false;
  }
  return true;
}

}  // namespace cutaway::boxes
