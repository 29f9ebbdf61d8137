#pragma once

#include <cstdint>

#include "func/fetch/index_fetch.h"
#include "messages/draw_state.h"
#include "messages/messages.h"
#include "structures/draw_batches.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// The next item of a draw: a vertex, or a marker between vertices.
struct IndexedVertex {
  enum class Kind : uint8_t { kVertex, kRestart, kNextInstance, kBatchEnd, kDrawEnd } kind = Kind::kVertex;
  uint32_t vertex = 0;    // including vertex_offset or first
  uint32_t instance = 0;  // from 0 in the draw
  messages::BatchVertex batch;
};

// Walks the indices of one draw, or of one front end's batches of it: counts them, or reads the index buffer
// ahead sector by sector. It has no clock.
class IndexStage {
 public:
  explicit IndexStage(uint32_t sectors, const structures::FrontEnds& front_ends = {})
      : front_ends_(front_ends), sectors_(sectors) {}

  // Starts with the command's batch and takes every front_ends.units-th.
  void start(const messages::DrawCommand& command);
  bool active() const { return active_; }
  const messages::DrawCommand& command() const { return command_; }

  // Returns the next sector of the index buffer to request, if there is room.
  bool wants(arch::Address& sector, uint32_t& tag) const;
  void asked();
  void reply(const messages::MemoryReply& reply);

  // True if the next item is available; take() advances. The end of the draw, or of its last batch here, ends
  // the walk.
  bool available() const;
  IndexedVertex next() const;
  void take();

 private:
  // Consecutive positions: a batch, the centre of a fan before it, or an instance of a whole draw.
  struct Stretch {
    uint32_t number = 0;  // sequence number
    uint32_t batch_number = 0, instance = 0;
    structures::Batch batch;
    bool centre = false;
    uint32_t begin = 0, end = 0;
  };
  struct Slot {
    arch::Address address = 0;
    uint32_t tag = 0;
    uint32_t stretch = 0;
    bool arrived = false;
    messages::Sector data{};
  };
  const func::Assembly& assembly() const { return command_.state->registers.assembly; }
  void begin_batch(uint32_t number, Stretch& stretch) const;
  bool next_stretch(Stretch& stretch) const;
  func::IndexFetch plan_of(uint32_t position) const {
    return func::plan_index_fetch(assembly(), uint64_t{command_.draw.first} + position);
  }
  IndexedVertex mark() const;
  uint32_t sectors_here() const;
  void walk_on();
  void begin_fetch(const Stretch& stretch);
  void read_ahead();
  void drop_used_sectors();

  structures::FrontEnds front_ends_;
  messages::DrawCommand command_;
  structures::DrawBatches batches_;
  bool active_ = false;
  Stretch here_, ahead_;  // where vertices are taken, and where sectors are requested
  uint32_t position_ = 0;
  structures::Ring<Slot> sectors_;
  arch::Address fetch_ = 0, fetch_end_ = 0;  // sectors of the stretch ahead still to request
  uint32_t next_tag_ = 0;
};

}  // namespace cutaway::boxes
