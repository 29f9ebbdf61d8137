#pragma once

#include "boxes/shader_unit/oldest_group.h"

namespace cutaway::boxes {

// The group that issued last as long as it can, else the one that came in first.
class GreedyOldestGroup final : public GroupScheduler {
 public:
  explicit GreedyOldestGroup(uint32_t groups) : oldest_(groups) {}

  void admitted(uint32_t group, bool feeds) override {
    oldest_.admitted(group, feeds);
    if (group == last_) last_ = kNone;
  }
  uint32_t pick(engine::Cycle now, const structures::IndexSet& ready,
                std::span<const engine::Cycle> time) override {
    if (last_ != kNone && ready.contains(last_) && time[last_] <= now) return last_;
    const uint32_t group = oldest_.pick(now, ready, time);
    if (group != kNone) last_ = group;
    return group;
  }

 private:
  OldestGroup oldest_;
  uint32_t last_ = kNone;  // the group that issued last, if it is still inside
};

}  // namespace cutaway::boxes
