#include "engine/storage.h"

#include "base/error.h"

namespace cutaway::engine {

void Place::give_back() {
  if (storage_ && *storage_) (*storage_)->give_back();
  storage_ = nullptr;
}

Storage::Storage(unsigned places)
    : Port(false), places_(places), free_(places), self_(std::make_shared<Storage*>(this)) {
  CUTAWAY_CHECK(places > 0, "a storage without places");
}

Place Storage::take(Cycle now) {
  CUTAWAY_CHECK(ready(now), "{}: no place is free in cycle {}", full_name(), now);
  if (coming_at_ <= now) free_ += std::exchange(coming_, 0);
  free_--;
  return Place(self_);
}

void Storage::give_back() {
  const Cycle next = box()->domain().now() + 1;
  if (coming_at_ != next) free_ += std::exchange(coming_, 0);
  coming_at_ = next;
  coming_++;
  box()->wake_at(next);
}

}  // namespace cutaway::engine
