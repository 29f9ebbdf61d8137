#pragma once

#include "boxes/work_distributor/distribution.h"

namespace cutaway::boxes {

// Serves the taker with most room for groups; of several the next in turn.
class LeastLoaded : public Distribution {
 public:
  explicit LeastLoaded(unsigned takers) : takers_(takers) {}

  int choose(const Group&, const Room& room) const override {
    int best = kNobody;
    uint32_t most = 0;
    for (unsigned i = 0; i < takers_; i++) {
      const unsigned taker = (turn_ + i) % takers_;
      if (const uint32_t room_of = room[taker]; room_of > most) {
        most = room_of;
        best = static_cast<int>(taker);
      }
    }
    return best;
  }
  void given(const Group&, unsigned taker) override { turn_ = (taker + 1) % takers_; }
  unsigned waits_for(const Group&) const override { return turn_; }

 private:
  unsigned takers_;
  unsigned turn_ = 0;
};

}  // namespace cutaway::boxes
