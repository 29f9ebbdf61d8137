#pragma once

#include <cstdint>
#include <vector>

#include "arch/registers.h"
#include "engine/wire.h"
#include "parts/commit_queue.h"
#include "parts/memory_message.h"
#include "parts/messages.h"
#include "parts/ring.h"

namespace cutaway::boxes {

// Slots of shaded points that lie in memory, for points that find none on the chip: those of a commit queue
// that lie elsewhere. What such a point was shaded to is written there when its group comes back, which stays
// on its wire until then. It is read again when the order comes to it, into one of a few places on the chip.
// There the next in order find it too, until its place is taken for another: first in, first out. A sector in
// a cycle goes out, of reads first. Of a point only the outputs that its program writes travel, four to a
// sector; the same sectors of all slots lie side by side, so that points spread over the channels.
class MemorySlots {
 public:
  static constexpr uint32_t kOutputsOfSector = parts::kSectorBytes / 16;
  static constexpr uint32_t kSectorsOfPoint = arch::kShaderOutputs / kOutputsOfSector;
  // That so many slots need.
  static constexpr uint64_t bytes(uint32_t slots) {
    return uint64_t{slots} * kSectorsOfPoint * parts::kSectorBytes;
  }

  // first: number of the first slot; places: on the chip; order: points in it; shaders: units that shade
  // them; memory: where they begin.
  MemorySlots(uint32_t first, uint32_t slots, uint32_t places, uint32_t order, uint32_t shaders,
              arch::Address memory, parts::Pools& pools);

  // ---- In order ----
  // A new point has the slot, whose program writes these outputs, bit each.
  void begin(parts::SlotIndex slot, uint64_t outputs, const parts::Origin& origin);
  // The point is in the order, once more.
  void push(parts::SlotIndex slot) { to_read_.push(slot); }
  // The oldest of the order, which has such a slot, has a place.
  bool next_has_place() const { return held_ != 0; }
  // It leaves.
  void pop(parts::SlotIndex slot);

  // ---- A cycle ----
  // What memory answers.
  bool take_reply(engine::Cycle now, engine::In<parts::MemoryReply>& memory_in, parts::CommitQueue& commit);
  // For the next point in order that has no place yet: it was found in one, or so much of it was asked for.
  enum class Read : uint8_t { kNothing, kFound, kSector, kPoint };
  Read read(engine::Cycle now, engine::Out<parts::MemoryRequest>& memory_out, parts::CommitQueue& commit);
  // A group from each shader unit: what has a slot in the queue is there, the rest is written.
  bool take(engine::Cycle now, std::vector<engine::In<parts::ShadedVertices>>& points_in,
            engine::Out<parts::MemoryRequest>& memory_out, parts::CommitQueue& commit);

  bool reads() const { return reads_ != 0; }
  // What nothing but memory holds up goes out.
  bool sends() const { return groups_ || (!to_read_.empty() && slot(to_read_.front()).written); }
  bool idle() const { return !reads_ && !writes_; }

 private:
  static constexpr uint32_t kNone = ~0u;
  struct Slot {
    uint64_t outputs = 0;
    parts::Origin origin;
    uint32_t place = kNone;
    bool written = false;
  };
  struct Place {
    parts::VertexRef vertex;  // that is being read
    uint32_t slot = kNone;    // whose point it has
    uint32_t missing = 0;     // sectors
    uint32_t users = 0;       // in the order
  };
  // Of a group that has come from a shader unit: how far it is written.
  struct Arrival {
    bool begun = false;
    uint32_t lane = 0, sector = 0;
  };

  Slot& slot(uint32_t number) { return slots_[number - first_]; }
  const Slot& slot(uint32_t number) const { return slots_[number - first_]; }
  arch::Address address(uint32_t number, uint32_t sector) const {
    return memory_ + (uint64_t{sector} * slots_.size() + number - first_) * parts::kSectorBytes;
  }
  static uint32_t sectors(uint64_t outputs);
  bool take_place(uint32_t number, parts::CommitQueue& commit);
  void skip_to_ours(const parts::ShadedVertices& shaded, Arrival& arrival) const;
  static void leave(engine::Cycle now, engine::In<parts::ShadedVertices>& in, Arrival& arrival);
  bool write(engine::Cycle now, std::vector<engine::In<parts::ShadedVertices>>& points_in,
             engine::Out<parts::MemoryRequest>& memory_out);

  uint32_t first_;
  arch::Address memory_;
  parts::Pools& pools_;
  std::vector<Slot> slots_;
  std::vector<Place> places_;
  parts::Ring<parts::SlotIndex> to_read_;  // in order, of those that have no place yet
  uint32_t next_place_ = 0;                // that is taken
  uint32_t next_sector_ = 0;               // of the point that is being asked for
  uint32_t held_ = 0;                      // of the order: have a place
  std::vector<Arrival> arrivals_;          // by shader unit
  uint32_t groups_ = 0;                    // that are being written
  uint32_t turn_ = 0;                      // unit whose group is
  uint32_t reads_ = 0, writes_ = 0;        // on the way
};

}  // namespace cutaway::boxes
