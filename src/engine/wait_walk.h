#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/box.h"

namespace cutaway::engine {

// Who holds the machine up at this instant. What a box says and what its wires hold is all of one cycle:
// nothing is assumed of averages.
//
// In a pipeline that is bound by one stage, the stages before it have messages waiting, and those after it
// have none. So the search begins at the box that the oldest work has not left yet and goes up the inputs to
// the first box with messages waiting before it. From there it goes on while a wire out of the box is backed
// up, or while the box waits for another, and ends at one that acts. What acts on messages as they come,
// without any waiting, holds nobody up, unless there is nothing else under way: then the box nearest to the
// end that works or waits is the one. Where an answer is on its way, its sender is named: that is latency.
class WaitWalk {
 public:
  struct Link {
    const Port *out, *in;
    // The wire is of the flow of work: it does not bring answers to a box's own requests, or orders.
    bool flows = true;
  };
  // start: the box to begin at; null while nothing is under way. Ports are elaborated.
  WaitWalk(const std::vector<std::unique_ptr<Box>>& boxes, const std::vector<Link>& links,
           std::function<const Box*()> start);

  static constexpr uint32_t kNobody = ~0u;
  // The box, as a place in `boxes`; kNobody: nothing is under way.
  uint32_t find() const;

 private:
  struct Links {
    std::vector<Link> in;          // that flow
    std::vector<const Port*> out;  // all
  };
  const Links& links_of(const Box& box) const;
  bool has_waiting(const Box& box) const;
  const Box* upstream(const Box& box) const;
  const Box* sender_of_what_comes(const Box& box) const;
  const Box& behind_which_work_waits(const Box& end) const;
  const Box& who_acts(const Box& box) const;

  std::function<const Box*()> start_;
  std::unordered_map<const Box*, uint32_t> places_;
  std::vector<Links> links_;  // by box
};

}  // namespace cutaway::engine
