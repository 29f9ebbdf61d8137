#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch/state.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// The ways out of a shader unit, each with a pipeline of its own. A workgroup gives its end alone.
enum class GroupOutput : uint8_t { kVertices, kQuads, kWorkgroups, kPatches, kPoints, kEmitted };
constexpr uint32_t kGroupOutputs = 6;

// The output of the groups of a stage: vertices go to the streamer, patches and points to tessellation,
// emitted primitives to geometry shading, quads to the ROPs, ends of workgroups to their distributor.
GroupOutput output_of(arch::Stage stage);

// Groups that have finished, by output: each output takes them in the order in which they did.
class FinishOrder {
 public:
  static constexpr uint32_t kNone = ~0u;

  // groups: places of the unit, numbered from 0.
  explicit FinishOrder(uint32_t groups) : number_(groups) {
    for (structures::Ring<uint16_t>& order : orders_) order.reset(groups);
  }

  void finish(uint16_t group, GroupOutput output) {
    number_[group] = count_++;
    of(output).push(group);
  }
  // The group that leaves next by an output; kNone if there is none.
  uint32_t next(GroupOutput output) const {
    const structures::Ring<uint16_t>& order = orders_[static_cast<size_t>(output)];
    return order.empty() ? kNone : order.front();
  }
  // That group has left.
  void drop(GroupOutput output) { of(output).drop(); }
  // The group that finished first of all that have not left; kNone if there is none.
  uint32_t oldest() const {
    uint32_t oldest = kNone;
    for (const structures::Ring<uint16_t>& order : orders_)
      if (!order.empty() && (oldest == kNone || number_[order.front()] < number_[oldest]))
        oldest = order.front();
    return oldest;
  }
  // True if holds(group) is true for a group that leaves next by one of the outputs.
  template <class Predicate>
  bool any_next(const Predicate& holds) const {
    for (const structures::Ring<uint16_t>& order : orders_)
      if (!order.empty() && holds(order.front())) return true;
    return false;
  }

 private:
  structures::Ring<uint16_t>& of(GroupOutput output) { return orders_[static_cast<size_t>(output)]; }

  std::array<structures::Ring<uint16_t>, kGroupOutputs> orders_;
  std::vector<uint64_t> number_;  // by group: how many finished before it
  uint64_t count_ = 0;
};

}  // namespace cutaway::boxes
