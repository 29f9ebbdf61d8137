#pragma once

#include <cstdint>
#include <vector>

#include "messages/messages.h"
#include "structures/ring.h"

namespace cutaway::structures {

// Groups of programs on primitives, and the ends of batches between them, in API order. Groups end in any
// order: their results wait here for their turn. It has no clock.
class GroupOrder {
 public:
  struct Entry {
    messages::PoolRef<messages::GroupPrimitives> done;  // results of a group whose programs have ended
    const messages::DrawState* state = nullptr;
    messages::Origin origin;
    uint32_t count = 0;     // number of elements in the group; 0: an end
    uint32_t reserved = 0;  // reserved for its results, if the owner reserves something
    bool draw_end = false;  // the end of a batch also ends its draw
    bool is_end() const { return count == 0; }
  };

  // groups: limit of groups in flight. There is room for as many ends in addition, so that ends never wait
  // for groups.
  explicit GroupOrder(uint32_t groups)
      : most_groups_(groups), entry_(size_t{2} * groups), order_(2 * groups) {
    for (auto slot = static_cast<uint16_t>(entry_.size()); slot-- > 0;) free_.push_back(slot);
  }

  bool empty() const { return order_.empty(); }
  bool full() const { return order_.full(); }
  bool takes_group() const { return !full() && groups_ < most_groups_; }
  uint32_t size() const { return order_.size(); }

  // Returns the slot for its results. Requires room for a group.
  uint16_t push_group(const messages::DrawState* state, const messages::Origin& origin, uint32_t count) {
    groups_++;
    const uint16_t slot = push(state, origin);
    entry_[slot].count = count;
    return slot;
  }
  // Requires that the queue is not full.
  void push_end(const messages::DrawState* state, const messages::Origin& origin, bool draw_end) {
    entry_[push(state, origin)].draw_end = draw_end;
  }

  Entry& operator[](uint32_t slot) { return entry_[slot]; }
  Entry& front() { return entry_[order_.front()]; }
  const Entry& front() const { return entry_[order_.front()]; }
  void pop() {
    groups_ -= !front().is_end();
    front() = {};
    free_.push_back(order_.pop());
  }

 private:
  uint16_t push(const messages::DrawState* state, const messages::Origin& origin) {
    const uint16_t slot = free_.back();
    free_.pop_back();
    entry_[slot].state = state, entry_[slot].origin = origin;
    return order_.push(slot);
  }

  uint32_t most_groups_, groups_ = 0;  // in flight
  std::vector<Entry> entry_;           // by slot
  Ring<uint16_t> order_;               // slots
  std::vector<uint16_t> free_;         // the last one is taken first
};

}  // namespace cutaway::structures
