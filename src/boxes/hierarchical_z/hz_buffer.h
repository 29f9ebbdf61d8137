#pragma once

#include <cstdint>
#include <vector>

#include "arch/packet.h"
#include "arch/registers.h"
#include "boxes/hierarchical_z/hz_memory.h"
#include "func/raster/hz.h"
#include "messages/messages.h"

namespace cutaway::boxes {

// The way of the buffer after a draw that may move stored depths against the direction of its bounds (DX-6).
enum class HzFlip : uint8_t {
  kRelearn,     // all entries open, and later draws and updates narrow them in the new direction
  kUntilClear,  // every tile passes until depth is cleared
  kTwoBounds    // entries bound both sides, and a draw widens the side that it may move
};

// The on-chip hierarchical Z buffer: an entry for each 8×8 tile of the depth surfaces that have a region of
// HzMemory, a bound of the tile's stored depths. Each surface has a direction of its own.
//
// Draws that may move stored depths in the opposite direction open the tiles that they touch. Updates arrive
// late from the Z caches: an update counts only if it was made after a draw that came after the tile's last
// opening, so that no write of the opening draw can still be in flight. Epochs are numbers of draws.
//
// With several samples, an update describes one sample of a tile. Since an opening, depths have moved only in
// the buffer's direction, so the entry may narrow to the bound of all samples once each has had an update.
//
// The opposite bound, which accepts tiles and rejects those of the other direction, needs no updates: it is
// moved by the depths that draws may store, before they store them. A draw that stores no depth moves
// nothing, whatever its direction: its tiles are tested by what is known of the side that it compares with.
class HzBuffer {
 public:
  // memory: must outlive it. accepts: the opposite bound accepts tiles.
  HzBuffer(HzMemory& memory, const func::HzFormat& entry, bool accepts = false,
           HzFlip flip = HzFlip::kRelearn);

  // Call before the first tile of each draw: determines what the draw compares and writes, and whether the
  // buffer is of use to it.
  void begin_draw(const arch::Registers& registers);
  // kRejected: no fragment of the tile can pass; kAccepted: none can fail the depth comparison.
  enum class Verdict : uint8_t { kRejected, kMixed, kAccepted };
  // Tests a tile; opens it if the draw may move depths in the opposite direction.
  Verdict test(const arch::Registers& registers, const func::Primitive& primitive, int32_t x, int32_t y);
  uint32_t epoch() const { return epoch_; }
  // Call before memory is cleared: the depths of the rectangle's tiles become known. Returns the number of
  // tiles that entries cover, those of other rasterisers among them.
  uint32_t clear(const arch::ClearPacket& packet);
  enum class Outcome : uint8_t { kNarrowed, kNothingNew, kStale };
  Outcome update(const messages::HzUpdate& update);
  uint64_t opened() const { return opened_; }  // tiles opened by draws so far

 private:
  struct Tile {
    func::HzEntry bound = 0;
    func::HzEntry other_side = 0;  // for kLeast, if the buffer's direction is kGreatest
    uint32_t opened = 0;           // epoch
    func::HzEntry gathered = 0;    // bound of the samples updated since the last narrowing
    uint32_t described = 0;        // those samples, one bit each
    bool cleared = false;          // all depths are cleared_to: a bound in either direction
  };
  struct Depths {       // of a surface
    uint64_t life = 0;  // of the region that this describes
    func::HzDirection direction = func::HzDirection::kOff;
    bool waits_for_clear = false;
    float cleared_to = 1;
    std::vector<Tile> tiles = {};  // by entry
  };
  Tile* tile(int32_t x, int32_t y);
  void reset(func::HzDirection direction);
  void turn(func::HzDirection direction);
  void take_surface(const arch::Surface& surface, uint32_t samples);
  Tile cleared_tile() const;
  Tile open_tile() const;
  func::HzEntry known(const Tile& entry, func::HzDirection side) const;
  bool rejects(const Tile& entry, const arch::Registers& registers, const func::Primitive& primitive,
               int32_t x, int32_t y) const;
  bool accepts(const Tile& entry, const arch::Registers& registers, const func::Primitive& primitive,
               int32_t x, int32_t y) const;
  void widen(func::HzEntry& bound, func::HzDirection side, const func::Primitive& primitive, int32_t x,
             int32_t y) const;
  void may_store(Tile& entry, const func::Primitive& primitive, int32_t x, int32_t y) const;

  HzMemory& memory_;
  func::HzFormat entry_;
  bool accepts_;
  HzFlip flip_;
  bool two_sided_;              // entries have the opposite bound
  std::vector<Depths> depths_;  // by region
  HzMemory::Region region_;     // of the surface of this draw or clear
  Depths* now_ = nullptr;       // its depths; null: it has no region
  uint32_t epoch_ = 0;
  func::HzDirection compares_ = func::HzDirection::kOff;  // side that this draw compares with
  bool opens_ = false, writes_ = false;
  bool exports_ = false;  // the draw's programs export depths, instead of the primitive's
  uint64_t opened_ = 0;
};

}  // namespace cutaway::boxes
