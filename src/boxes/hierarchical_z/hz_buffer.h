#pragma once

#include <cstdint>
#include <vector>

#include "arch/packet.h"
#include "arch/registers.h"
#include "func/raster/hz.h"
#include "parts/messages.h"

namespace cutaway::boxes {

// The hierarchical Z buffer on chip: an entry per 8×8 tile of one depth surface, a bound of what the tile
// stores.
//
// Draws that may move stored depths the other way open the tiles that they touch. Updates come from the Z
// caches, late: one counts only if it was made after a draw that came after the last opening of its tile, so
// that nothing of the opening draw can still be on its way. Epochs are numbers of draws.
//
// With several samples an update describes one sample of a tile. Since an opening the depths of each have
// only moved in the buffer's direction, so the entry may narrow to what bounds them all once there was an
// update for each.
//
// The bound of the other side, which accepts tiles, needs no updates: it moves with what the draws of the
// buffer's direction may store, before they store it.
class HzBuffer {
 public:
  // accepts: entries bound the other side, too.
  HzBuffer(uint32_t size, const func::HzFormat& entry, bool accepts = false);

  // Before the first tile of each draw: what the draw compares and writes. False: the
  // buffer is of no use to it.
  void begin_draw(const arch::Registers& registers);
  // kRejected: no fragment of the tile can pass; kAccepted: none can fail the depth comparison.
  enum class Verdict : uint8_t { kRejected, kMixed, kAccepted };
  // Opens the tile if the draw may move depths the other way.
  Verdict test(const arch::Registers& registers, const func::Primitive& primitive, int32_t x, int32_t y);
  uint32_t epoch() const { return epoch_; }
  // Something else than draws has written depths: every entry is open.
  void forget() { surface_ = 0, direction_ = func::HzDirection::kOff; }
  // Before memory is cleared: all that the rectangle's tiles store is known. Returns how many entries it has.
  uint32_t clear(const arch::ClearPacket& packet);
  enum class Outcome : uint8_t { kNarrowed, kNothingNew, kStale };
  Outcome update(const parts::HzUpdate& update);
  uint64_t opened() const { return opened_; }  // tiles by draws, so far

 private:
  struct Tile {
    func::HzEntry bound = 0;
    func::HzEntry other_side = 0;  // of kLeast, if the buffer's direction is kGreatest
    uint32_t opened = 0;           // epoch
    func::HzEntry gathered = 0;    // bound of the samples described since the last narrowing
    uint32_t described = 0;        // those samples, bit each
    bool cleared = false;          // all depths are cleared_to_: a bound whichever way draws compare
  };
  Tile* tile(int32_t x, int32_t y);
  void reset(func::HzDirection direction);
  void take_surface(const arch::Surface& surface, uint32_t samples);
  Tile cleared_tile() const;
  Tile open_tile() const;
  bool accepts(const Tile& entry, const arch::Registers& registers, const func::Primitive& primitive,
               int32_t x, int32_t y) const;
  void may_store(Tile& entry, const func::Primitive& primitive, int32_t x, int32_t y) const;

  uint32_t size_;  // tiles a side
  func::HzFormat entry_;
  bool accepts_;
  std::vector<Tile> tiles_;
  func::HzDirection direction_ = func::HzDirection::kOff;
  arch::Address surface_ = 0;
  uint32_t format_ = 0;
  uint32_t samples_ = 1;
  uint32_t epoch_ = 0;
  float cleared_to_ = 1;
  bool tests_ = false;  // of this draw
  bool opens_ = false, writes_ = false;
  bool exports_ = false;  // its programs choose the depths: not those of the primitive
  uint64_t opened_ = 0;
};

}  // namespace cutaway::boxes
