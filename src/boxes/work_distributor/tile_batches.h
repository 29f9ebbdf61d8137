#pragma once

#include <bit>

#include "boxes/work_distributor/distribution.h"
#include "boxes/work_distributor/least_loaded.h"

namespace cutaway::boxes {

// Groups of a tile of the screen, one after the other, stay together: up to a batch of them goes to one
// taker, and waits for it. The next batch goes to whoever has most room; of several to the next in turn. So
// what is side by side shares a texture cache, and nobody is short of work while others have too much.
class TileBatches final : public Distribution {
 public:
  // tile: pixels, a power of 2. batch: groups.
  TileBatches(unsigned takers, unsigned tile, unsigned batch)
      : fresh_(takers), shift_(std::countr_zero(tile)), batch_(batch) {}

  int choose(const Group& group, std::span<const uint32_t> room) const override {
    if (!goes_on(group)) return fresh_.choose(group, room);
    return room[taker_] ? static_cast<int>(taker_) : kNobody;
  }
  void given(const Group& group, unsigned taker) override {
    given_ = goes_on(group) ? given_ + 1 : 1;
    column_ = group.x >> shift_;
    row_ = group.y >> shift_;
    taker_ = taker;
    fresh_.given(group, taker);
  }
  unsigned waits_for(const Group& group) const override {
    return goes_on(group) ? taker_ : fresh_.waits_for(group);
  }

 private:
  bool goes_on(const Group& group) const {
    return given_ && given_ < batch_ && group.x >> shift_ == column_ && group.y >> shift_ == row_;
  }

  LeastLoaded fresh_;  // who gets a new batch
  int shift_;
  unsigned batch_;
  unsigned given_ = 0;  // groups of the batch; 0: there is none
  int32_t column_ = 0, row_ = 0;
  unsigned taker_ = 0;
};

}  // namespace cutaway::boxes
