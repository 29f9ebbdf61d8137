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
// need no slot. Several vertices of the order may be the same shaded vertex and share its slot. Knows no
// clock; commit_port.h has its ports.
class CommitQueue {
 public:
  static constexpr uint32_t kMaxSlots = uint32_t{std::numeric_limits<SlotIndex>::max()} + 1;

  // `entries`: vertices and marks in order; `slots`: 1 to kMaxSlots; `stage`: whose outputs a vertex holds.
  CommitQueue(uint32_t entries, uint32_t slots, arch::Stage stage);

  // ---- In ----
  bool full() const { return order_.full(); }
  bool has_free_slot() const { return !free_.empty(); }
  // A vertex to be shaded into the slot that it gets. Not when full or without a free slot.
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
  void take(const ShadedVertices& shaded);

  // ---- Out ----
  bool empty() const { return order_.empty(); }
  // The oldest is a mark, or shaded.
  bool ready() const;
  // The oldest is one; not when empty.
  bool next_is_vertex() const { return order_.front().is_vertex(); }
  // Cycles for which the oldest occupies a wire: one for each 16 outputs of a vertex or part of 16 (ATT-2).
  uint32_t wire_cycles() const;
  // Not unless ready.
  VertexMessage pop();

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
  std::vector<Slot> slots_;
  std::vector<SlotIndex> free_;  // the last is taken first
};

}  // namespace cutaway::parts
