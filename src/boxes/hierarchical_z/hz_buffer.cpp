#include "boxes/hierarchical_z/hz_buffer.h"

#include <algorithm>

#include "command_stream/primitive_geometry.h"
#include "func/copy/clear_surface.h"
#include "func/raster/samples.h"

namespace cutaway::boxes {

using func::HzDirection;

HzBuffer::HzBuffer(HzMemory& memory, const func::HzFormat& entry, bool accepts, HzFlip flip)
    : memory_(memory),
      entry_(entry),
      accepts_(accepts),
      flip_(flip),
      two_sided_(accepts || flip == HzFlip::kTwoBounds),
      depths_(memory.surfaces()) {}

// Returns the entry of a tile of the surface that this draw or clear is of; null: it has none.
HzBuffer::Tile* HzBuffer::tile(int32_t x, int32_t y) {
  if (!now_ || !memory_.lives(region_)) return nullptr;
  const uint32_t entry = memory_.entry(region_, x, y);
  return entry == HzMemory::kNone ? nullptr : &now_->tiles[entry];
}

void HzBuffer::reset(HzDirection direction) {
  now_->direction = direction;
  for (Tile& tile : now_->tiles) {
    tile = tile.cleared ? cleared_tile() : open_tile();
    // A new draw moves depths in this direction only, so updates made after its first fragment count.
    tile.opened = epoch_ - 1;
  }
}

// Call before a draw that the buffer's bounds do not serve.
void HzBuffer::turn(HzDirection direction) {
  if (now_->waits_for_clear) return;
  if (now_->direction == HzDirection::kOff || flip_ == HzFlip::kRelearn) return reset(direction);
  if (flip_ == HzFlip::kTwoBounds) return;
  now_->waits_for_clear = true;
  for (Tile& tile : now_->tiles) tile.cleared = false;
  reset(HzDirection::kOff);
}

HzBuffer::Tile HzBuffer::open_tile() const {
  return {.bound = func::hz_open(now_->direction, entry_),
          .other_side = func::hz_open(func::hz_opposite(now_->direction), entry_),
          .opened = epoch_};
}

HzBuffer::Tile HzBuffer::cleared_tile() const {
  Tile tile = open_tile();
  tile.cleared = true;
  if (now_->direction == HzDirection::kOff) return tile;
  tile.bound = func::hz_encode(now_->direction, now_->cleared_to, entry_);
  tile.other_side = func::hz_encode(func::hz_opposite(now_->direction), now_->cleared_to, entry_);
  return tile;
}

// Nothing is known of a surface whose region is new.
void HzBuffer::take_surface(const arch::Surface& surface, uint32_t samples) {
  region_ = memory_.take(depth_image(surface, samples));
  now_ = &depths_[region_.index];
  if (now_->life == region_.life) return;
  *now_ = {.life = region_.life};
  now_->tiles.resize(region_.entries);
  reset(HzDirection::kOff);
}

uint32_t HzBuffer::clear(const arch::ClearPacket& packet) {
  epoch_++;
  const arch::Surface& surface = packet.surface;
  if (!arch::format_info(surface.format).has_depth() ||
      packet.aspect == static_cast<uint32_t>(arch::CopyAspect::kStencil))
    return 0;
  now_ = nullptr;
  if (surface.layer_count > 1) {
    memory_.drop(surface);
    return 0;
  }
  take_surface(surface, surface.samples());
  now_->waits_for_clear = false;
  const float depth = func::stored_clear_depth(packet);
  // Tiles cleared to another value keep their bound.
  if (depth != now_->cleared_to)
    for (Tile& tile : now_->tiles) tile.cleared = false;
  now_->cleared_to = depth;
  return memory_.for_cleared(region_, packet, [&](uint32_t entry) { now_->tiles[entry] = cleared_tile(); });
}

void HzBuffer::begin_draw(const arch::Registers& registers) {
  epoch_++;
  compares_ = HzDirection::kOff;
  opens_ = writes_ = false;
  now_ = nullptr;
  const auto& depth = registers.depth;
  if (!arch::format_info(depth.surface.format).has_depth()) return;
  if (command_stream::chooses_layer(registers))
    return memory_.drop(depth.surface);  // a region is of one layer
  take_surface(depth.surface, func::sample_count(registers));
  compares_ = func::hz_direction(registers);
  writes_ = depth.depth_test && depth.depth_write;
  if (compares_ != HzDirection::kOff && compares_ != now_->direction &&
      (writes_ || now_->direction == HzDirection::kOff))
    turn(compares_);
  // A draw that does not compare in the buffer's direction may store any depth.
  opens_ = writes_ && compares_ != now_->direction;
  exports_ = registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags & arch::kShaderWritesDepth;
}

// Returns the bound of a side, open if nothing is known.
func::HzEntry HzBuffer::known(const Tile& entry, HzDirection side) const {
  if (side == now_->direction) return entry.bound;
  if (entry.cleared) return func::hz_encode(side, now_->cleared_to, entry_);
  if (two_sided_ && side == func::hz_opposite(now_->direction)) return entry.other_side;
  return func::hz_open(side, entry_);
}

bool HzBuffer::rejects(const Tile& entry, const arch::Registers& registers, const func::Primitive& primitive,
                       int32_t x, int32_t y) const {
  if (compares_ == HzDirection::kOff) return false;
  const func::HzEntry bound = known(entry, compares_);
  // An open entry also covers depths outside [0, 1].
  return bound != func::hz_open(compares_, entry_) &&
         func::hz_rejects(registers, func::hz_decode(bound, entry_), primitive, x, y);
}

bool HzBuffer::accepts(const Tile& entry, const arch::Registers& registers, const func::Primitive& primitive,
                       int32_t x, int32_t y) const {
  if (!accepts_ || compares_ == HzDirection::kOff || exports_) return false;
  const HzDirection side = func::hz_opposite(compares_);
  const func::HzEntry bound = known(entry, side);
  return bound != func::hz_open(side, entry_) &&
         func::hz_accepts(registers, func::hz_decode(bound, entry_), primitive, x, y);
}

void HzBuffer::widen(func::HzEntry& bound, HzDirection side, const func::Primitive& primitive, int32_t x,
                     int32_t y) const {
  if (exports_) bound = func::hz_open(side, entry_);
  if (side == HzDirection::kLeast)
    bound = std::min(bound, func::hz_encode(side, func::tile_min_depth(primitive, x, y), entry_));
  if (side == HzDirection::kGreatest)
    bound = std::max(bound, func::hz_encode(side, func::tile_max_depth(primitive, x, y), entry_));
}

// A comparison with one side keeps that side's bound: what is stored lies within.
void HzBuffer::may_store(Tile& entry, const func::Primitive& primitive, int32_t x, int32_t y) const {
  entry.cleared = false;
  const HzDirection side = func::hz_opposite(now_->direction);
  if (two_sided_ && compares_ != side) widen(entry.other_side, side, primitive, x, y);
  if (!opens_) return;
  widen(entry.bound, now_->direction, primitive, x, y);
  entry.opened = epoch_;
  entry.described = 0;
}

HzBuffer::Verdict HzBuffer::test(const arch::Registers& registers, const func::Primitive& primitive,
                                 int32_t x, int32_t y) {
  Tile* entry = tile(x, y);
  if (!entry) return Verdict::kMixed;
  if (rejects(*entry, registers, primitive, x, y)) return Verdict::kRejected;
  const bool accepted = accepts(*entry, registers, primitive, x, y);
  if (opens_) opened_++;
  if (opens_ && flip_ != HzFlip::kTwoBounds) *entry = open_tile();
  else if (writes_) may_store(*entry, primitive, x, y);
  return accepted ? Verdict::kAccepted : Verdict::kMixed;
}

HzBuffer::Outcome HzBuffer::update(const messages::HzUpdate& update) {
  const HzMemory::Region* region = memory_.at(update.surface);
  if (!region) return Outcome::kStale;
  Depths& depths = depths_[region->index];
  const uint32_t entry = memory_.entry(*region, update.x, update.y);
  const HzDirection direction = depths.direction;
  if (entry == HzMemory::kNone || depths.life != region->life || direction == HzDirection::kOff ||
      update.epoch <= depths.tiles[entry].opened)
    return Outcome::kStale;
  Tile& tile = depths.tiles[entry];
  const float bound = direction == HzDirection::kGreatest ? update.greatest : update.least;
  const func::HzEntry encoded = func::hz_encode(direction, bound, entry_);
  if (tile.described == 0) tile.gathered = encoded;
  else if (direction == HzDirection::kGreatest) tile.gathered = std::max(tile.gathered, encoded);
  else tile.gathered = std::min(tile.gathered, encoded);
  tile.described |= 1u << update.sample;
  if (tile.described != (1u << region->image.samples) - 1) return Outcome::kNothingNew;
  tile.described = 0;
  if (tile.gathered == tile.bound) return Outcome::kNothingNew;
  tile.bound = tile.gathered;
  return Outcome::kNarrowed;
}

}  // namespace cutaway::boxes
