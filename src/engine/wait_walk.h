#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/box.h"

namespace cutaway::engine {

// Who holds the machine up at this instant: the walk begins at a box that the oldest work has not left yet,
// and goes from each box that waits to the one that it waits for, until one acts. It assumes nothing of
// averages: what a box says, it says of this cycle.
//
// A box that has nothing to do waits for what its inputs bring, though it does not say so: the walk goes up
// its inputs, from the end of the pipeline towards the beginning. Where a message is on its way, its sender
// is named: that is latency.
class WaitWalk {
 public:
  // A wire of the flow of work: not one that brings answers to a box's own requests, or orders.
  struct Link {
    const Port *out, *in;
  };
  // start: the box to begin at; null while nothing is under way. Ports are elaborated.
  WaitWalk(const std::vector<std::unique_ptr<Box>>& boxes, const std::vector<Link>& links,
           std::function<const Box*()> start);

  static constexpr uint32_t kNobody = ~0u;
  // The box, as a place in `boxes`; kNobody: nothing is under way.
  uint32_t find() const;

 private:
  struct Step {
    const Box* box;
    bool ends;
  };
  Step step(const Box& box) const;
  Step upstream(const Box& box) const;
  uint32_t place(const Box& box) const;

  std::function<const Box*()> start_;
  std::unordered_map<const Box*, uint32_t> places_;
  std::vector<std::vector<Link>> inputs_;  // by box
};

}  // namespace cutaway::engine
