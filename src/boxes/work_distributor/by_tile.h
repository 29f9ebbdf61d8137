#pragma once

#include "boxes/work_distributor/distribution.h"

namespace cutaway::boxes {

// Whoever owns the quad's tile of the screen (G80-1): a group is gathered for each.
class ByTile final : public Distribution {
 public:
  explicit ByTile(const parts::TileMap& map) : map_(map) {}

  unsigned gathered() const override { return map_.units(); }
  unsigned group_of(int32_t x, int32_t y) const override { return map_.owner(x, y); }
  int choose(unsigned group, std::span<const uint32_t> room) const override {
    return room[group] ? static_cast<int>(group) : kNobody;
  }
  void given(unsigned) override {}
  unsigned waits_for(unsigned group) const override { return group; }

 private:
  parts::TileMap map_;
};

}  // namespace cutaway::boxes
