#pragma once

#include <cstdint>
#include <utility>

#include "arch/state.h"
#include "engine/domain.h"
#include "messages/messages.h"

namespace cutaway::structures {

// A group of invocations of programs on primitives, while it is being gathered from one batch. It is closed
// when it is full, when its batch ends, or when nothing has joined it for some cycles.
class GatheredGroup {
 public:
  // wait: number of these cycles.
  GatheredGroup(arch::Stage stage, uint32_t front_end, engine::Cycle wait, messages::Pools& pools)
      : stage_(stage), front_end_(front_end), wait_(wait), pools_(pools) {}

  // True if nothing has joined it.
  bool empty() const { return !group_.primitives; }
  // True if nothing more may join.
  bool closed() const { return closed_; }
  const messages::VertexGroup& group() const { return group_; }

  // Returns the group, for invocations of this primitive to fill its next lanes; call joined() afterwards.
  // Requires that it is not closed.
  messages::VertexGroup& join(const messages::PrimitiveMessage& message) {
    if (empty()) {
      group_.stage = stage_;
      group_.primitives = pools_.group_primitives.allocate();
      group_.state = message.state;
      group_.origin = message.origin;
      group_.front_end = front_end_;
    }
    return group_;
  }
  void joined(engine::Cycle now, bool full) { grown_ = now, closed_ = full; }

  void close() { closed_ = true; }
  // Closes the group if it has waited long enough, or need not wait; returns true if it did.
  bool close_in_time(engine::Cycle now, bool waits = true) {
    if (empty() || closed_ || (waits && now < grown_ + wait_)) return false;
    return closed_ = true;
  }
  // The cycle in which the wait ends; kAsleep: it does not wait.
  engine::Cycle closes() const { return !empty() && !closed_ ? grown_ + wait_ : engine::kAsleep; }

  // Removes the group; its results return to this slot.
  messages::VertexGroup take(uint32_t slot) {
    group_.slot = slot;
    closed_ = false;
    return std::exchange(group_, {});
  }

 private:
  arch::Stage stage_;
  uint32_t front_end_;
  engine::Cycle wait_;
  messages::Pools& pools_;
  messages::VertexGroup group_;  // without primitives: no group
  bool closed_ = false;
  engine::Cycle grown_ = 0;  // cycle of the last join
};

}  // namespace cutaway::structures
