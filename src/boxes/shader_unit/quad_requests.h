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
  // groups: places of the unit, numbered from 0; 0 if no group ever asks. loads: instructions of a group that
  // may be under way.
  explicit QuadRequests(uint32_t groups, uint32_t loads = 1)
      : loads_(loads), order_(groups * loads), asked_(size_t{groups} * loads) {}

  // A group asks for each of its quads with lanes in `active`, of which there is one at least. The first
  // request can leave in cycle `leaves`. load: the number of the instruction among those of the group that
  // are under way.
  void ask(uint16_t group, uint32_t load, uint64_t active, engine::Cycle leaves) {
    uint16_t quads = 0;
    for_quads(active, [&](uint32_t quad) { quads |= static_cast<uint16_t>(1u << quad); });
    const uint32_t entry = group * loads_ + load;
    asked_[entry] = {quads, quads, leaves};
    if (order_.empty()) leaves_ = leaves;
    order_.push(entry);
  }
  // Calls visit(quad) for each quad that has lanes in `active`, in rising order.
  template <class Visit>
  static void for_quads(uint64_t active, const Visit& visit) {
    for (uint32_t quad = 0; active; quad++, active >>= 4)
      if (active & 15) visit(quad);
  }

  // True if requests wait to leave; if the next one can leave in cycle `now`.
  bool waiting() const { return !order_.empty(); }
  bool due(engine::Cycle now) const { return leaves_ <= now; }
  // The cycle from which on the next request can leave, its group, the number of its instruction, and its
  // quad. Not unless one waits.
  engine::Cycle leaves() const { return leaves_; }
  uint32_t group() const { return order_.front() / loads_; }
  uint32_t load() const { return order_.front() % loads_; }
  uint32_t quad() const { return static_cast<uint32_t>(std::countr_zero(asked_[order_.front()].to_send)); }
  // The quads of the next one's instruction that are in the same run of `run` quads of the group, a power of
  // 2, and have not left.
  uint32_t together(uint32_t run) const {
    if (run == 1) return 1;
    const uint32_t first = quad() & ~(run - 1);
    return static_cast<uint32_t>(std::popcount(asked_[order_.front()].to_send >> first & ((1u << run) - 1)));
  }
  // The next request has left. True if it was the last one of its instruction.
  bool sent() {
    uint16_t& left = asked_[order_.front()].to_send;
    left &= static_cast<uint16_t>(left - 1);
    if (left) return false;
    order_.drop();
    leaves_ = order_.empty() ? engine::kAsleep : asked_[order_.front()].leaves;
    return true;
  }
  // The answer for a quad has come. True if it was the last one of the instruction.
  bool answered(uint32_t group, uint32_t load, uint32_t quad) {
    uint16_t& missing = asked_[size_t{group} * loads_ + load].missing;
    missing &= static_cast<uint16_t>(~(1u << quad));
    return !missing;
  }

 private:
  struct Asked {                        // by group and instruction: group x loads + load
    uint16_t to_send = 0, missing = 0;  // quads, bit each
    engine::Cycle leaves = 0;
  };
  uint32_t loads_;
  engine::Cycle leaves_ = engine::kAsleep;  // of the next request
  structures::Ring<uint32_t> order_;        // those of asked_ that have requests to send
  std::vector<Asked> asked_;
};

}  // namespace cutaway::boxes
