#pragma once

#include "boxes/shader_unit/oldest_group.h"

namespace cutaway::boxes {

// Groups of stages before the rasteriser, so that it does not starve behind long fragment programs; then the
// others. Of each the one that came in first.
class VerticesFirst final : public OldestGroup {
 public:
  using OldestGroup::OldestGroup;

  void admitted(uint32_t group, bool feeds) override { order_[group] = count_++ + (feeds ? 0 : kOthers); }

 private:
  static constexpr uint64_t kOthers = uint64_t{1} << 63;
};

}  // namespace cutaway::boxes
