#pragma once

#include "boxes/work_distributor/distribution.h"

namespace cutaway::boxes {

// Serves the taker with most room for groups; of several the next in turn.
class LeastLoaded : public Distribution {
 public:
  explicit LeastLoaded(unsigned takers) : takers_(takers) {}

  int choose(const Group&, std::span<const uint32_t> room) const override {
    unsigned best = turn_;
    for (unsigned i = 1; i < takers_; i++) {
      const unsigned taker = (turn_ + i) % takers_;
      if (room[taker] > room[best]) best = taker;
    }
    return room[best] ? static_cast<int>(best) : kNobody;
  }
  void given(const Group&, unsigned taker) override { turn_ = (taker + 1) % takers_; }
  unsigned waits_for(const Group&) const override { return turn_; }

 private:
  unsigned takers_;
  unsigned turn_ = 0;
};

}  // namespace cutaway::boxes
