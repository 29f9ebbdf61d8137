#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "engine/domain.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// Instructions that groups have another unit carry out quad by quad, with a request and an answer for each:
// textures of the texture unit, interpolants of the interpolator. Requests leave in the order in which groups
// asked, quads of a group in rising order; answers may come in any order.
class QuadRequests {
 public:
  // groups: places of the unit, numbered from 0; 0 if no group ever asks.
  explicit QuadRequests(uint32_t groups) : order_(groups), asked_(groups) {}

  // A group asks for each of its quads with lanes in `active`, of which there is one at least. The first
  // request can leave in cycle `leaves`.
  void ask(uint16_t group, uint64_t active, engine::Cycle leaves) {
    uint16_t quads = 0;
    for (uint32_t q = 0; active; q++, active >>= 4)
      if (active & 15) quads |= static_cast<uint16_t>(1u << q);
    asked_[group] = {quads, quads, leaves};
    order_.push(group);
  }

  // True if requests wait to leave; if the next one can leave in cycle `now`.
  bool waiting() const { return !order_.empty(); }
  bool due(engine::Cycle now) const { return waiting() && leaves() <= now; }
  // The cycle from which on the next request can leave, its group, and its quad. Not unless one waits.
  engine::Cycle leaves() const { return asked_[group()].leaves; }
  uint16_t group() const { return order_.front(); }
  uint32_t quad() const { return static_cast<uint32_t>(std::countr_zero(asked_[group()].to_send)); }
  // The next request has left. True if it was the last one of its group.
  bool sent() {
    uint16_t& left = asked_[group()].to_send;
    left &= static_cast<uint16_t>(left - 1);
    if (left) return false;
    order_.drop();
    return true;
  }
  // The answer for a quad has come. True if it was the last one of the group.
  bool answered(uint32_t group, uint32_t quad) {
    uint16_t& missing = asked_[group].missing;
    missing &= static_cast<uint16_t>(~(1u << quad));
    return !missing;
  }

 private:
  struct Asked {                        // by group
    uint16_t to_send = 0, missing = 0;  // quads, bit each
    engine::Cycle leaves = 0;
  };
  structures::Ring<uint16_t> order_;  // groups with requests to send
  std::vector<Asked> asked_;
};

}  // namespace cutaway::boxes
