#pragma once

#include <vector>

#include "boxes/shader_unit/group_scheduler.h"

namespace cutaway::boxes {

// Groups of stages before the rasteriser, so that it does not starve behind long fragment programs; then the
// others. Of each the one that came in first.
class VerticesFirst final : public GroupScheduler {
 public:
  explicit VerticesFirst(uint32_t groups) : order_(groups) {}

  void admitted(uint32_t group, bool feeds) override { order_[group] = count_++ + (feeds ? 0 : kOthers); }
  uint32_t pick(engine::Cycle now, const parts::IndexSet& ready,
                std::span<const engine::Cycle> time) override {
    uint32_t first = kNone;
    ready.for_each([&](uint32_t group) {
      if (time[group] <= now && (first == kNone || order_[group] < order_[first])) first = group;
    });
    return first;
  }

 private:
  static constexpr uint64_t kOthers = uint64_t{1} << 63;
  std::vector<uint64_t> order_;  // by group
  uint64_t count_ = 0;
};

}  // namespace cutaway::boxes
