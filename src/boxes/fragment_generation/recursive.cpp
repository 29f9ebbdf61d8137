#include "boxes/fragment_generation/recursive.h"

#include <algorithm>

namespace cutaway::boxes {

const ScanOrders::Member<Recursive> kRecursive("recursive");

void Recursive::start(const TileRect& rect) {
  rect_ = rect;
  held_ = found_ = 0;
  if (rect.left == rect.right && rect.top == rect.bottom) {  // a single tile is tested directly
    first_ = {rect.left, rect.top, 8};
    open_ = {};
    quarter_ = 3;
    x_ = rect.left, y_ = rect.top, size_ = 8;
    return;
  }
  const auto fits = [&](int32_t size) {
    return rect.right / size - rect.left / size <= 1 && rect.bottom / size - rect.top / size <= 1;
  };
  int32_t quarter = 8;
  while (2 * quarter < largest_ && !fits(quarter)) quarter *= 2;
  const int32_t corner = ~((fits(quarter) ? quarter : largest_) - 1);
  first_ = {rect.left & corner, rect.top & corner, 2 * quarter};
  open(first_);
}

bool Recursive::next() {
  if (quarter_ < 3) {
    stand_on(quarter_ + 1);
    return true;
  }
  std::reverse(blocks_.begin() + static_cast<ptrdiff_t>(held_ - found_),
               blocks_.begin() + static_cast<ptrdiff_t>(held_));
  found_ = 0;
  if (held_) {
    open(blocks_[--held_]);
    return true;
  }
  first_.x += first_.size;
  if (first_.x > rect_.right) {
    first_.x = rect_.left & ~(first_.size - 1);
    first_.y += first_.size;
  }
  if (first_.y > rect_.bottom) return false;
  open(first_);
  return true;
}

void Recursive::enter(engine::Cycle now) {
  blocks_[held_++] = {x_, y_, size_, turns_[open_.turn].turns[static_cast<size_t>(quarter_)], now + cycles_};
  found_++;
}

void Recursive::open(const Block& block) {
  open_ = block;
  size_ = block.size / 2;
  stand_on(0);
}

void Recursive::stand_on(int quarter) {
  quarter_ = quarter;
  const int place = turns_[open_.turn].quarters[static_cast<size_t>(quarter)];
  x_ = open_.x + (place & 1) * size_;
  y_ = open_.y + (place >> 1) * size_;
}

}  // namespace cutaway::boxes
