#pragma once

#include <cstdint>

#include "parts/messages.h"

namespace cutaway::boxes {

// Fills a group of points for their evaluation programs (domain shading), a lane for each point. A group
// holds points of one state.
class PointGroup {
 public:
  // front_end: the one of the box; lanes: threads of a group.
  PointGroup(uint32_t front_end, uint32_t lanes, parts::Pools& pools);

  bool empty() const { return group_.lanes == 0; }
  uint32_t lanes() const { return group_.lanes; }  // in use
  // No point of `state` can join: the group is full, or has another state.
  bool closed_to(const parts::DrawState* state) const {
    return group_.lanes == lanes_ || group_.state != state;
  }
  // Adds a point of a patch, whose results come to `slot`. coordinate: u, v, w. Not if closed to its state,
  // unless empty.
  void add(parts::SlotIndex slot, const parts::PoolRef<parts::Patch>& patch, const parts::Vec4& coordinate,
           const parts::DrawState* state, const parts::Origin& origin);
  // Takes the group; the next one is empty.
  parts::VertexGroup take();

 private:
  void put(uint32_t input, uint32_t lane, const parts::Vec4& value);

  uint32_t front_end_, lanes_;
  uint32_t width_;  // lanes for which a group's registers are laid out
  parts::Pools& pools_;
  parts::VertexGroup group_;
};

}  // namespace cutaway::boxes
