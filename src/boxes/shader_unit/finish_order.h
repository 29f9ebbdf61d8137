#pragma once

#include <array>
#include <bit>
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
    waiting_ |= 1u << static_cast<uint32_t>(output);
  }
  // The group that leaves next by an output; kNone if there is none.
  uint32_t next(GroupOutput output) const {
    const structures::Ring<uint16_t>& order = orders_[static_cast<size_t>(output)];
    return order.empty() ? kNone : order.front();
  }
  // That group has left.
  void drop(GroupOutput output) {
    of(output).drop();
    if (of(output).empty()) waiting_ &= ~(1u << static_cast<uint32_t>(output));
  }
  // The group that finished first of all that have not left; kNone if there is none.
  uint32_t oldest() const {
    uint32_t oldest = kNone;
    for_waiting([&](GroupOutput output) {
      const uint32_t group = next(output);
      if (oldest == kNone || number_[group] < number_[oldest]) oldest = group;
    });
    return oldest;
  }
  // Calls visit(output) for each output that has groups. It may drop those of this output.
  template <class Visit>
  void for_waiting(const Visit& visit) const {
    for (uint32_t left = waiting_; left; left &= left - 1)
      visit(static_cast<GroupOutput>(std::countr_zero(left)));
  }

 private:
  structures::Ring<uint16_t>& of(GroupOutput output) { return orders_[static_cast<size_t>(output)]; }

  std::array<structures::Ring<uint16_t>, kGroupOutputs> orders_;
  std::vector<uint64_t> number_;  // by group: how many finished before it
  uint64_t count_ = 0;
  uint32_t waiting_ = 0;  // outputs with groups, a bit each
};

}  // namespace cutaway::boxes
