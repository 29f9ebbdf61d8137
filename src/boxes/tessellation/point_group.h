#pragma once

#include <cstdint>

#include "messages/messages.h"

namespace cutaway::boxes {

// Fills a group of points for their evaluation programs (domain shading), a lane for each point. A group
// holds points of one state.
class PointGroup {
 public:
  // front_end: the one of the box; lanes: threads of a group.
  PointGroup(uint32_t front_end, uint32_t lanes, messages::Pools& pools);

  bool empty() const { return group_.lanes == 0; }
  uint32_t lanes() const { return group_.lanes; }  // in use
  // No point of `state` can join: the group is full, or has another state.
  bool closed_to(const messages::DrawState* state) const {
    return group_.lanes == lanes_ || group_.state != state;
  }
  // Adds a point of a patch, whose results come to `slot`. coordinate: u, v, w. Not if closed to its state,
  // unless empty.
  void add(messages::SlotIndex slot, const messages::PoolRef<messages::Patch>& patch,
           const messages::Vec4& coordinate, const messages::DrawState* state,
           const messages::Origin& origin);
  // Takes the group; the next one is empty.
  messages::VertexGroup take();

 private:
  void put(uint32_t input, uint32_t lane, const messages::Vec4& value);

  uint32_t front_end_, lanes_;
  uint32_t width_;  // lanes for which a group's registers are laid out
  messages::Pools& pools_;
  messages::VertexGroup group_;
};

}  // namespace cutaway::boxes
