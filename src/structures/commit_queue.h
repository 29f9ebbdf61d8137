#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "arch/state.h"
#include "messages/messages.h"
#include "structures/ring.h"

namespace cutaway::structures {

// A geometry stage's vertices, in order, until they are shaded and all earlier ones have left: the order
// queue, and post-shading memory. A vertex enters the order with a slot of that memory, is shaded in any
// order, and leaves in order. Markers (restarts, ends of instances and of draws) are between vertices and
// need no slot. Several vertices in the order may be the same shaded vertex and share its slot. Some slots
// may be elsewhere than in post-shading memory: their owner puts the shaded vertex back into the queue before
// its turn. The queue has no clock; commit_port.h has its ports.
class CommitQueue {
 public:
  static constexpr uint32_t kMaxSlots = uint32_t{std::numeric_limits<messages::SlotIndex>::max()} + 1;

  // `entries`: vertices and markers in order; `slots`: at least 1; `stage`: the stage whose outputs a vertex
  // holds; `elsewhere`: number of slots elsewhere, numbered after the others. At most kMaxSlots together.
  CommitQueue(uint32_t entries, uint32_t slots, arch::Stage stage, uint32_t elsewhere = 0);

  // ---- In ----
  bool full() const { return order_.full(); }
  bool has_free_slot() const { return !free_.empty() || !free_elsewhere_.empty(); }
  // Adds a vertex to be shaded into a new slot: elsewhere, if no other is free. Requires that the queue is
  // not full and a slot is free.
  messages::SlotIndex push_new_vertex(const messages::DrawState* state, const messages::Origin& origin,
                                      const messages::BatchVertex& batch = {});
  // Adds a vertex that is or will be shaded in this slot, which must be in use.
  void push_vertex(messages::SlotIndex slot, const messages::DrawState* state, const messages::Origin& origin,
                   const messages::BatchVertex& batch = {});
  void push_mark(messages::VertexMessage mark);

  // Keeps a used slot beyond its last vertex in order, so that another may follow; each hold needs a release.
  void hold(messages::SlotIndex slot);
  void release(messages::SlotIndex slot);

  // ---- Shading ----
  // Takes the shaded vertices whose slots do not lie elsewhere.
  void take(const messages::ShadedVertices& shaded);

  // ---- Slots elsewhere ----
  bool is_elsewhere(messages::SlotIndex slot) const { return slot >= here_; }
  // Puts the vertex of a slot elsewhere here, until it is removed again.
  void put(messages::SlotIndex slot, messages::VertexRef vertex);
  void take_away(messages::SlotIndex slot);

  // ---- Out ----
  bool empty() const { return order_.empty(); }
  // True if the oldest entry is a marker, or shaded.
  bool ready() const;
  // True if the oldest entry is a vertex. Requires that the queue is not empty.
  bool next_is_vertex() const { return order_.front().is_vertex(); }
  bool next_is_elsewhere() const { return next_is_vertex() && is_elsewhere(order_.front().slot); }
  // Cycles for which the oldest entry occupies a wire: one per 16 outputs of a vertex, rounded up (ATT-2).
  uint32_t wire_cycles() const;
  // Requires ready().
  messages::VertexMessage pop();
  // Slot of the oldest entry, which must be a vertex.
  messages::SlotIndex next_slot() const { return order_.front().slot; }

  uint32_t size() const { return order_.size(); }
  uint32_t free_slots() const { return static_cast<uint32_t>(free_.size()); }

 private:
  struct Slot {
    messages::VertexRef vertex;  // once shaded
    uint32_t users = 0;          // entries of the order, and holds
    bool shaded = false;
  };
  struct Entry {
    messages::VertexMessage message;  // without its vertex
    messages::SlotIndex slot = 0;     // of a vertex
    bool is_vertex() const {
      return message.kind == messages::VertexMessage::Kind::kVertex && !message.draw_end;
    }
  };

  arch::Stage stage_;
  Ring<Entry> order_;
  uint32_t here_;  // number of slots here
  std::vector<Slot> slots_;
  std::vector<messages::SlotIndex> free_, free_elsewhere_;  // the last one is taken first
};

}  // namespace cutaway::structures
