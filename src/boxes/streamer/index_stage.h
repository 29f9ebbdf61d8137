#pragma once

#include <cstdint>

#include "func/fetch/index_fetch.h"
#include "parts/draw_state.h"
#include "parts/messages.h"
#include "parts/ring.h"

namespace cutaway::boxes {

// What comes next in a draw: a vertex, or a mark between vertices.
struct IndexedVertex {
  enum class Kind : uint8_t { kVertex, kRestart, kNextInstance, kDrawEnd } kind = Kind::kVertex;
  uint32_t vertex = 0;    // after vertex_offset or first
  uint32_t instance = 0;  // from 0 in the draw
};

// Walks the indices of one draw: counts, or reads the index buffer ahead sector by sector. Knows no clock.
class IndexStage {
 public:
  explicit IndexStage(uint32_t sectors) : sectors_(sectors) {}

  void start(const parts::DrawCommand& command);
  bool active() const { return active_; }
  const parts::DrawCommand& command() const { return command_; }

  // The next sector of the index buffer to ask for, if there is room.
  bool wants(arch::Address& sector, uint32_t& tag) const;
  void asked();
  void reply(const parts::MemoryReply& reply);

  // The next item is at hand; take() moves on. The draw's end ends it.
  bool available() const;
  IndexedVertex next() const;
  void take();

 private:
  struct Slot {
    arch::Address address = 0;
    uint32_t tag = 0;
    bool arrived = false;
    parts::Sector data{};
  };
  const func::Assembly& assembly() const { return command_.state->registers.assembly; }
  void start_instance();
  void drop_used_sectors();

  parts::DrawCommand command_;
  bool active_ = false;
  uint32_t position_ = 0, instance_ = 0;
  parts::Ring<Slot> sectors_;
  arch::Address fetch_ = 0, fetch_end_ = 0;  // sectors of this instance still to ask for
  uint32_t next_tag_ = 0;
};

}  // namespace cutaway::boxes
