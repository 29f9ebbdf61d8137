#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "arch/state.h"
#include "parts/messages.h"
#include "parts/ring.h"

namespace cutaway::parts {

// Where the vertices of a geometry stage wait until they are shaded and all before them have left: the order
// queue, and post-shading memory. A vertex enters the order with a slot of that memory, is shaded in any
// order, and leaves in order. Marks (restarts, ends of instances and of draws) stand between vertices and
// need no slot. Several vertices of the order may be the same shaded vertex and share its slot. Slots may lie
// elsewhere than in post-shading memory: whoever owns these puts what was shaded there back into the queue
// before its turn comes. Knows no clock; commit_port.h has its ports.
class CommitQueue {
 public:
  static constexpr uint32_t kMaxSlots = uint32_t{std::numeric_limits<SlotIndex>::max()} + 1;

  // `entries`: vertices and marks in order; `slots`: 1 or more; `stage`: whose outputs a vertex holds;
  // `elsewhere`: slots that lie elsewhere, with numbers behind the others. At most kMaxSlots of both.
  CommitQueue(uint32_t entries, uint32_t slots, arch::Stage stage, uint32_t elsewhere = 0);

  // ---- In ----
  bool full() const { return order_.full(); }
  bool has_free_slot() const { return !free_.empty() || !free_elsewhere_.empty(); }
  // A vertex to be shaded into the slot that it gets: elsewhere, if no other is free. Not when full or
  // without a free slot.
  SlotIndex push_new_vertex(const DrawState* state, const Origin& origin, const BatchVertex& batch = {});
  // One that is or will be shaded in this slot, which is in use.
  void push_vertex(SlotIndex slot, const DrawState* state, const Origin& origin,
                   const BatchVertex& batch = {});
  void push_mark(VertexMessage mark);

  // Keeps a slot that is in use beyond its last vertex in order, so that another may come; each hold is ended
  // by a release.
  void hold(SlotIndex slot);
  void release(SlotIndex slot);

  // ---- Shading ----
  // Those whose slots do not lie elsewhere.
  void take(const ShadedVertices& shaded);

  // ---- Slots elsewhere ----
  bool is_elsewhere(SlotIndex slot) const { return slot >= here_; }
  // The vertex of one is here, until it is taken away again.
  void put(SlotIndex slot, VertexRef vertex);
  void take_away(SlotIndex slot);

  // ---- Out ----
  bool empty() const { return order_.empty(); }
  // The oldest is a mark, or shaded.
  bool ready() const;
  // The oldest is one; not when empty.
  bool next_is_vertex() const { return order_.front().is_vertex(); }
  bool next_is_elsewhere() const { return next_is_vertex() && is_elsewhere(order_.front().slot); }
  // Cycles for which the oldest occupies a wire: one for each 16 outputs of a vertex or part of 16 (ATT-2).
  uint32_t wire_cycles() const;
  // Not unless ready.
  VertexMessage pop();
  // Of the oldest, a vertex.
  SlotIndex next_slot() const { return order_.front().slot; }

  uint32_t size() const { return order_.size(); }
  uint32_t free_slots() const { return static_cast<uint32_t>(free_.size()); }

 private:
  struct Slot {
    VertexRef vertex;    // once shaded
    uint32_t users = 0;  // entries of the order, and holds
    bool shaded = false;
  };
  struct Entry {
    VertexMessage message;  // without its vertex
    SlotIndex slot = 0;     // of a vertex
    bool is_vertex() const { return message.kind == VertexMessage::Kind::kVertex && !message.draw_end; }
  };

  arch::Stage stage_;
  Ring<Entry> order_;
  uint32_t here_;  // slots
  std::vector<Slot> slots_;
  std::vector<SlotIndex> free_, free_elsewhere_;  // the last is taken first
};

}  // namespace cutaway::parts
