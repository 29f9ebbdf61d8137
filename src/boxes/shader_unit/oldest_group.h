#pragma once

#include <vector>

#include "boxes/shader_unit/group_scheduler.h"

namespace cutaway::boxes {

// Of the groups that can issue, the one that came in first.
class OldestGroup : public GroupScheduler {
 public:
  explicit OldestGroup(uint32_t groups) : order_(groups) {}

  void admitted(uint32_t group, bool) override { order_[group] = count_++; }
  uint32_t pick(engine::Cycle now, const structures::IndexSet& ready,
                std::span<const engine::Cycle> time) override {
    uint32_t oldest = kNone;
    ready.for_each([&](uint32_t group) {
      if (time[group] <= now && (oldest == kNone || order_[group] < order_[oldest])) oldest = group;
    });
    return oldest;
  }

 protected:
  std::vector<uint64_t> order_;  // by group: how many came in before it; the least goes first
  uint64_t count_ = 0;
};

}  // namespace cutaway::boxes
