#pragma once

#include <cstdint>

#include "engine/domain.h"
#include "messages/messages.h"
#include "structures/gathered_group.h"
#include "structures/group_order.h"

namespace cutaway::boxes {

// Gathers patches into groups for their control programs (hull shading), and keeps groups and ends of batches
// in the order of the API until their turn comes. A group holds patches of one batch; each patch occupies one
// lane for each vertex that its control program writes. Control programs end in any order.
class PatchGroups {
 public:
  // groups: under way at most; wait: cycles without a new patch after which a group closes; front_end: the
  // one of the box; lanes: threads of a group.
  PatchGroups(uint32_t groups, engine::Cycle wait, uint32_t front_end, uint32_t lanes,
              messages::Pools& pools);

  // ---- The group that is being gathered ----
  bool gathers() const { return !gathered_.empty(); }
  bool closed() const { return gathered_.closed(); }
  uint32_t gathered() const { return patches_; }
  // Cycle at which the group closes by itself; kAsleep if it does not wait.
  engine::Cycle closes() const { return gathered_.closes(); }
  // Adds the patch of a message, with zeros in its memory. Not when closed.
  messages::Patch& add(engine::Cycle now, const messages::PrimitiveMessage& message);
  void close() { gathered_.close(); }
  // Closes the group if it has waited long enough, or must not wait. Returns whether it did.
  bool close_in_time(engine::Cycle now, bool waits) { return gathered_.close_in_time(now, waits); }
  // The group can go to the control programs: it is closed, and there is room in the order.
  bool can_send() const { return closed() && order_.takes_group(); }
  // Takes the group; its results come back with its slot. Only if can_send().
  messages::VertexGroup send();

  // ---- Results of control programs ----
  void finish(messages::EmittedPrimitives&& done) { order_[done.slot].done = std::move(done.primitives); }

  // ---- The order ----
  bool empty() const { return order_.empty(); }
  uint32_t size() const { return order_.size(); }  // groups and ends
  bool takes_end() const { return !order_.full(); }
  // Adds the end of a batch or draw. Only if takes_end().
  void add_end(const messages::PrimitiveMessage& end);
  // State and origin of the oldest group or end. Not when empty, as the next two.
  const structures::GroupOrder::Entry& next() const { return order_.front(); }
  bool next_has_patch() const { return !next().is_end() && next().done; }
  bool next_is_end() const { return next().is_end(); }
  // The next patch of the oldest group. Only if next_has_patch().
  const messages::PoolRef<messages::Patch>& patch() const;
  // Leaves it; after the last patch of a group, the group.
  void pop_patch();
  void pop_end() { order_.pop(); }

 private:
  uint32_t lanes_;
  messages::Pools& pools_;
  structures::GatheredGroup gathered_;
  uint32_t patches_ = 0;  // in gathered_
  structures::GroupOrder order_;
  uint32_t next_patch_ = 0;  // in the oldest group
};

}  // namespace cutaway::boxes
