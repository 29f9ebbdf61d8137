#pragma once

#include <span>
#include <vector>

#include "base/fragment_log.h"
#include "engine/domain.h"

namespace cutaway::parts {

// Where boxes tell what became of fragments, as far as there is room.
class FragmentLog {
 public:
  // limit: events that it holds; there is room for all of them from the start, and pages that are never
  // written take no memory. core: the clock whose cycles are noted.
  FragmentLog(const engine::Domain& core, uint64_t limit) : core_(core), limit_(limit) {
    events_.reserve(limit);
  }

  // The event gets its cycle. It is lost if the log is full.
  void add(const FragmentEvent& event) {
    if (events_.size() == limit_) {
      if (!end_) end_ = core_.now();
      return;
    }
    events_.push_back(event);
    events_.back().cycle = core_.now();
  }

  // All that happened before the cycle end(), in an order that does not depend on the order of boxes in a
  // cycle. No more is added before clear().
  std::span<FragmentEvent> sorted();
  engine::Cycle end() const { return end_; }  // the first cycle in which something was lost; 0: none
  void clear() { events_.clear(), end_ = 0; }

 private:
  const engine::Domain& core_;
  uint64_t limit_;
  std::vector<FragmentEvent> events_;
  engine::Cycle end_ = 0;
};

}  // namespace cutaway::parts
