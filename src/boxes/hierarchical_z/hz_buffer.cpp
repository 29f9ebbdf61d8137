#include "boxes/hierarchical_z/hz_buffer.h"

#include <algorithm>

#include "command_stream/primitive_geometry.h"
#include "func/copy/clear_surface.h"
#include "func/raster/samples.h"

namespace cutaway::boxes {

using func::HzDirection;

HzBuffer::HzBuffer(uint32_t size, const func::HzFormat& entry, bool accepts, HzFlip flip)
    : size_(size / 8),
      entry_(entry),
      accepts_(accepts),
      flip_(flip),
      two_sided_(accepts || flip == HzFlip::kTwoBounds),
      tiles_(size_t{size_} * size_) {}

HzBuffer::Tile* HzBuffer::tile(int32_t x, int32_t y) {
  const uint32_t column = static_cast<uint32_t>(x) / 8, row = static_cast<uint32_t>(y) / 8;
  return column < size_ && row < size_ ? &tiles_[size_t{row} * size_ + column] : nullptr;
}

void HzBuffer::reset(HzDirection direction) {
  direction_ = direction;
  for (Tile& tile : tiles_) {
    tile = tile.cleared ? cleared_tile() : open_tile();
    // A new draw moves depths in this direction only, so updates made after its first fragment count.
    tile.opened = epoch_ - 1;
  }
}

// Call before a draw that the buffer's bounds do not serve.
void HzBuffer::turn(HzDirection direction) {
  if (waits_for_clear_) return;
  if (direction_ == HzDirection::kOff || flip_ == HzFlip::kRelearn) return reset(direction);
  if (flip_ == HzFlip::kTwoBounds) return;
  waits_for_clear_ = true;
  for (Tile& tile : tiles_) tile.cleared = false;
  reset(HzDirection::kOff);
}

HzBuffer::Tile HzBuffer::open_tile() const {
  return {.bound = func::hz_open(direction_, entry_),
          .other_side = func::hz_open(func::hz_opposite(direction_), entry_),
          .opened = epoch_};
}

HzBuffer::Tile HzBuffer::cleared_tile() const {
  Tile tile = open_tile();
  tile.cleared = true;
  if (direction_ == HzDirection::kOff) return tile;
  tile.bound = func::hz_encode(direction_, cleared_to_, entry_);
  tile.other_side = func::hz_encode(func::hz_opposite(direction_), cleared_to_, entry_);
  return tile;
}

// Nothing is known of a new surface.
void HzBuffer::take_surface(const arch::Surface& surface, uint32_t samples) {
  const arch::Address address = arch::element_address(
      surface, arch::level_layout(surface, surface.base_level), 0, 0, 0, surface.base_layer);
  if (address == surface_ && surface.format == format_ && samples == samples_) return;
  surface_ = address;
  format_ = surface.format;
  samples_ = samples;
  waits_for_clear_ = false;
  for (Tile& tile : tiles_) tile.cleared = false;
  reset(HzDirection::kOff);
}

uint32_t HzBuffer::clear(const arch::ClearPacket& packet) {
  epoch_++;
  const arch::Surface& surface = packet.surface;
  if (!arch::format_info(surface.format).has_depth() ||
      packet.aspect == static_cast<uint32_t>(arch::CopyAspect::kStencil))
    return 0;
  if (surface.layer_count > 1) {
    forget();
    return 0;
  }
  take_surface(surface, surface.samples());
  waits_for_clear_ = false;
  const float depth = func::stored_clear_depth(packet);
  // Tiles cleared to another value keep their bound.
  if (depth != cleared_to_)
    for (Tile& tile : tiles_) tile.cleared = false;
  cleared_to_ = depth;
  const auto tiles = [](uint32_t pixels) { return (pixels + 7) / 8; };
  const uint32_t right = std::min(tiles(packet.x + packet.width), size_);
  const uint32_t low = std::min(tiles(packet.y + packet.height), size_);
  uint32_t count = 0;
  for (uint32_t row = packet.y / 8; row < low; row++)
    for (uint32_t column = packet.x / 8; column < right; column++, count++)
      tiles_[size_t{row} * size_ + column] = cleared_tile();
  return count;
}

void HzBuffer::begin_draw(const arch::Registers& registers) {
  epoch_++;
  compares_ = HzDirection::kOff;
  opens_ = writes_ = false;
  const auto& depth = registers.depth;
  if (!arch::format_info(depth.surface.format).has_depth()) return;
  if (command_stream::chooses_layer(registers))
    return forget();  // only one surface and layer is tracked at a time
  take_surface(depth.surface, func::sample_count(registers));
  compares_ = func::hz_direction(registers);
  writes_ = depth.depth_test && depth.depth_write;
  if (compares_ != HzDirection::kOff && compares_ != direction_ &&
      (writes_ || direction_ == HzDirection::kOff))
    turn(compares_);
  // A draw that does not compare in the buffer's direction may store any depth.
  opens_ = writes_ && compares_ != direction_;
  exports_ = registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags & arch::kShaderWritesDepth;
}

// Returns the bound of a side, open if nothing is known.
func::HzEntry HzBuffer::known(const Tile& entry, HzDirection side) const {
  if (side == direction_) return entry.bound;
  if (entry.cleared) return func::hz_encode(side, cleared_to_, entry_);
  if (two_sided_ && side == func::hz_opposite(direction_)) return entry.other_side;
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
  const HzDirection side = func::hz_opposite(direction_);
  if (two_sided_ && compares_ != side) widen(entry.other_side, side, primitive, x, y);
  if (!opens_) return;
  widen(entry.bound, direction_, primitive, x, y);
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
  Tile* entry = tile(update.x, update.y);
  if (!entry || direction_ == HzDirection::kOff || update.epoch <= entry->opened ||
      update.surface != surface_)
    return Outcome::kStale;
  const float bound = direction_ == HzDirection::kGreatest ? update.greatest : update.least;
  const func::HzEntry encoded = func::hz_encode(direction_, bound, entry_);
  if (entry->described == 0) entry->gathered = encoded;
  else if (direction_ == HzDirection::kGreatest) entry->gathered = std::max(entry->gathered, encoded);
  else entry->gathered = std::min(entry->gathered, encoded);
  entry->described |= 1u << update.sample;
  if (entry->described != (1u << samples_) - 1) return Outcome::kNothingNew;
  entry->described = 0;
  if (entry->gathered == entry->bound) return Outcome::kNothingNew;
  entry->bound = entry->gathered;
  return Outcome::kNarrowed;
}

}  // namespace cutaway::boxes
