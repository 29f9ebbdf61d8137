#pragma once

#include <span>
#include <vector>

#include "engine/domain.h"
#include "run_record/fragment_log.h"

namespace cutaway::messages {

// Log of the fate of fragments, written by boxes, with limited capacity.
class FragmentLog {
 public:
  // limit: capacity in events, allocated at the start; pages that are never written take no memory. core: the
  // clock whose cycles are recorded.
  FragmentLog(const engine::Domain& core, uint64_t limit) : core_(core), limit_(limit) {
    events_.reserve(limit);
  }

  // Adds an event and sets its cycle. The event is lost if the log is full.
  void add(const run_record::FragmentEvent& event) {
    if (events_.size() == limit_) {
      if (!end_) end_ = core_.now();
      return;
    }
    events_.push_back(event);
    events_.back().cycle = core_.now();
  }

  // All events before the cycle end(), in an order that does not depend on the order of boxes in a cycle.
  // Nothing may be added before clear().
  std::span<run_record::FragmentEvent> sorted();
  engine::Cycle end() const { return end_; }  // the first cycle in which an event was lost; 0: none
  void clear() { events_.clear(), end_ = 0; }

 private:
  const engine::Domain& core_;
  uint64_t limit_;
  std::vector<run_record::FragmentEvent> events_;
  engine::Cycle end_ = 0;
};

}  // namespace cutaway::messages
