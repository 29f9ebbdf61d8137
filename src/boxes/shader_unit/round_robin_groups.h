#pragma once

#include "boxes/shader_unit/group_scheduler.h"

namespace cutaway::boxes {

// Groups in turn: the first that can, from the place after the one that issued last.
class RoundRobinGroups final : public GroupScheduler {
 public:
  explicit RoundRobinGroups(uint32_t groups) : groups_(groups) {}

  void admitted(uint32_t, bool) override {}
  uint32_t pick(engine::Cycle now, const structures::IndexSet& ready,
                std::span<const engine::Cycle> time) override {
    const uint32_t group = ready.find_round(turn_, [&](uint32_t at) { return time[at] <= now; });
    if (group != kNone) turn_ = (group + 1) % groups_;
    return group;
  }

 private:
  uint32_t groups_, turn_ = 0;
};

}  // namespace cutaway::boxes
