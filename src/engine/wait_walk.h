#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/box.h"

namespace cutaway::engine {

// Finds the box that holds the machine up at this instant, from the state of boxes and wires in one cycle; no
// averages are involved.
//
// In a pipeline bound by one stage, messages wait before the stages up to it and none after it. So the search
// begins at the box that still holds the oldest work and follows inputs upstream, first those of senders that
// act or wait, to the first box with a mostly full queue before it, or with a backlog of its own; without
// one, to the first with messages waiting before it. From there it goes on while a wire out of the box is
// backed up, or while the box waits for another box, and ends at a box that acts. A box that acts on messages
// as they come, with none waiting, holds nothing up, unless nothing else is in flight: then the answer is the
// active or waiting box nearest to the end. If an answer is on its way, the search names its sender: that is
// latency.
class WaitWalk {
 public:
  struct Link {
    const Port *out, *in;
    // True if the wire carries the flow of work, not answers to a box's own requests, or orders.
    bool flows = true;
  };
  // start: returns the box to begin at, or null while nothing is in flight. Ports must be elaborated.
  WaitWalk(const std::vector<std::unique_ptr<Box>>& boxes, const std::vector<Link>& links,
           std::function<const Box*()> start);

  static constexpr uint32_t kNobody = ~0u;
  // The box as an index into `boxes`; kNobody if nothing is in flight.
  uint32_t find() const;

 private:
  struct Links {
    std::vector<Link> in;          // inputs that carry the flow of work
    std::vector<const Port*> out;  // all outputs
  };
  const Links& links_of(const Box& box) const;
  struct Search {
    std::vector<const Box*> passed;
    const Box* active = nullptr;  // the first that acts or waits
  };
  // A queue before a box slower than its sender is mostly full; one that bursts fill now and then is not.
  enum class Queues { kMostlyFull, kAll };
  bool has_waiting(const Box& box, Queues queues) const;
  const Box* first_with_waiting(const Box& box, Queues queues, Search& search) const;
  const Box* upstream(const Box& box) const;
  const Box* sender_of_answers(const Box& box, const Port& input) const;
  const Box* sender_of_what_comes(const Box& box) const;
  const Box& behind_which_work_waits(const Box& end) const;
  const Box& who_acts(const Box& box) const;

  std::function<const Box*()> start_;
  std::unordered_map<const Box*, uint32_t> places_;
  std::vector<Links> links_;  // by box
};

}  // namespace cutaway::engine
