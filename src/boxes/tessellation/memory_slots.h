#pragma once

#include <cstdint>
#include <vector>

#include "arch/registers.h"
#include "engine/wire.h"
#include "messages/memory_message.h"
#include "messages/messages.h"
#include "structures/commit_queue.h"
#include "structures/ring.h"

namespace cutaway::boxes {

// Slots in memory for shaded points that find none on the chip: the slots that lie elsewhere for a commit
// queue. A point is written there when its group comes back, which stays on its wire until then. It is read
// again when its turn comes, into one of a few places on the chip. Later uses in order find it there, until
// another point takes the place: first in, first out. One sector a cycle goes out, reads first. Only the
// outputs that its program writes travel, four to a sector. Equal sectors of all slots lie side by side, so
// that points spread over the channels.
class MemorySlots {
 public:
  static constexpr uint32_t kOutputsOfSector = messages::kSectorBytes / 16;
  static constexpr uint32_t kSectorsOfPoint = arch::kShaderOutputs / kOutputsOfSector;
  // Bytes of memory that so many slots need.
  static constexpr uint64_t bytes(uint32_t slots) {
    return uint64_t{slots} * kSectorsOfPoint * messages::kSectorBytes;
  }

  // first: number of the first slot; places: on the chip; order: points in order at most; shaders: units that
  // shade them; memory: address of the first slot.
  MemorySlots(uint32_t first, uint32_t slots, uint32_t places, uint32_t order, uint32_t shaders,
              arch::Address memory, messages::Pools& pools);

  // ---- In order ----
  // Gives the slot to a new point whose program writes these outputs, bit each.
  void begin(messages::SlotIndex slot, uint64_t outputs, const messages::Origin& origin);
  // Adds a use of the point to the order.
  void push(messages::SlotIndex slot) { to_read_.push(slot); }
  // The oldest of the order has such a slot, and is in a place on the chip.
  bool next_has_place() const { return held_ != 0; }
  // The oldest leaves the order.
  void pop(messages::SlotIndex slot);

  // ---- A cycle ----
  // Takes a reply of memory.
  bool take_reply(engine::Cycle now, engine::In<messages::MemoryReply>& memory_in,
                  structures::CommitQueue& commit);
  // Serves the next point in order that has no place yet: finds it in one, or asks memory for a sector of it.
  // kPoint: that was its last sector.
  enum class Read : uint8_t { kNothing, kFound, kSector, kPoint };
  Read read(engine::Cycle now, engine::Out<messages::MemoryRequest>& memory_out,
            structures::CommitQueue& commit);
  // Takes a group from each shader unit: points with a slot on the chip go to the queue, others to memory.
  bool take(engine::Cycle now, std::vector<engine::In<messages::ShadedVertices>>& points_in,
            engine::Out<messages::MemoryRequest>& memory_out, structures::CommitQueue& commit);

  bool reads() const { return reads_ != 0; }
  // Something could go out now if memory took it.
  bool sends() const { return groups_ || (!to_read_.empty() && slot(to_read_.front()).written); }
  bool idle() const { return !reads_ && !writes_; }

 private:
  static constexpr uint32_t kNone = ~0u;
  struct Slot {
    uint64_t outputs = 0;
    messages::Origin origin;
    uint32_t place = kNone;
    bool written = false;
  };
  struct Place {
    messages::VertexRef vertex;  // while it is being read
    uint32_t slot = kNone;       // its point is here
    uint32_t missing = 0;        // sectors
    uint32_t users = 0;          // uses in the order
  };
  // How far a group from a shader unit is written.
  struct Arrival {
    bool begun = false;
    uint32_t lane = 0, sector = 0;
  };

  Slot& slot(uint32_t number) { return slots_[number - first_]; }
  const Slot& slot(uint32_t number) const { return slots_[number - first_]; }
  arch::Address address(uint32_t number, uint32_t sector) const {
    return memory_ + (uint64_t{sector} * slots_.size() + number - first_) * messages::kSectorBytes;
  }
  static uint32_t sectors(uint64_t outputs);
  bool take_place(uint32_t number, structures::CommitQueue& commit);
  void skip_to_ours(const messages::ShadedVertices& shaded, Arrival& arrival) const;
  static void leave(engine::Cycle now, engine::In<messages::ShadedVertices>& in, Arrival& arrival);
  bool write(engine::Cycle now, std::vector<engine::In<messages::ShadedVertices>>& points_in,
             engine::Out<messages::MemoryRequest>& memory_out);

  uint32_t first_;
  arch::Address memory_;
  messages::Pools& pools_;
  std::vector<Slot> slots_;
  std::vector<Place> places_;
  structures::Ring<messages::SlotIndex> to_read_;  // uses in order that have no place yet
  uint32_t next_place_ = 0;                        // to be taken
  uint32_t next_sector_ = 0;                       // to be read of the first of to_read_
  uint32_t held_ = 0;                              // uses in order that have a place
  std::vector<Arrival> arrivals_;                  // by shader unit
  uint32_t groups_ = 0;                            // being written
  uint32_t turn_ = 0;                              // unit whose group is written
  uint32_t reads_ = 0, writes_ = 0;                // under way
};

}  // namespace cutaway::boxes
