#include "boxes/fragment_generation/serpentine.h"

namespace cutaway::boxes {

const ScanOrders::Member<Serpentine> kSerpentine("serpentine");

void Serpentine::start(const TileRect& rect) {
  rect_ = rect;
  x_ = rect.left, y_ = rect.top;
  step_ = 8;
}

bool Serpentine::next() {
  if (x_ != (step_ > 0 ? rect_.right : rect_.left)) {
    x_ += step_;
    return true;
  }
  y_ += 8;
  step_ = -step_;
  return y_ <= rect_.bottom;
}

}  // namespace cutaway::boxes
