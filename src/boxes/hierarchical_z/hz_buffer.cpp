#include "boxes/hierarchical_z/hz_buffer.h"

#include <algorithm>

#include "command_stream/primitive_geometry.h"
#include "func/copy/clear_surface.h"
#include "func/raster/samples.h"

namespace cutaway::boxes {

using func::HzDirection;

HzBuffer::HzBuffer(uint32_t size, const func::HzFormat& entry, bool accepts)
    : size_(size / 8), entry_(entry), accepts_(accepts), tiles_(size_t{size_} * size_) {}

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
  tests_ = opens_ = writes_ = false;
  const auto& depth = registers.depth;
  if (!arch::format_info(depth.surface.format).has_depth()) return;
  if (command_stream::chooses_layer(registers))
    return forget();  // only one surface and layer is tracked at a time
  const HzDirection direction = func::hz_direction(registers);
  take_surface(depth.surface, func::sample_count(registers));
  if (direction != HzDirection::kOff && direction != direction_) reset(direction);
  tests_ = direction != HzDirection::kOff;
  writes_ = depth.depth_test && depth.depth_write;
  // A draw that does not compare in the buffer's direction may store any depth.
  opens_ = writes_ && !tests_;
  exports_ = registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags & arch::kShaderWritesDepth;
}

bool HzBuffer::accepts(const Tile& entry, const arch::Registers& registers, const func::Primitive& primitive,
                       int32_t x, int32_t y) const {
  return accepts_ && tests_ && !exports_ &&
         entry.other_side != func::hz_open(func::hz_opposite(direction_), entry_) &&
         func::hz_accepts(registers, func::hz_decode(entry.other_side, entry_), primitive, x, y);
}

void HzBuffer::may_store(Tile& entry, const func::Primitive& primitive, int32_t x, int32_t y) const {
  entry.cleared = false;
  if (!accepts_) return;
  const HzDirection side = func::hz_opposite(direction_);
  if (exports_) entry.other_side = func::hz_open(side, entry_);
  if (side == HzDirection::kLeast)
    entry.other_side =
        std::min(entry.other_side, func::hz_encode(side, func::tile_min_depth(primitive, x, y), entry_));
  if (side == HzDirection::kGreatest)
    entry.other_side =
        std::max(entry.other_side, func::hz_encode(side, func::tile_max_depth(primitive, x, y), entry_));
}

HzBuffer::Verdict HzBuffer::test(const arch::Registers& registers, const func::Primitive& primitive,
                                 int32_t x, int32_t y) {
  Tile* entry = tile(x, y);
  if (!entry) return Verdict::kMixed;
  if (opens_) {
    *entry = open_tile();
    opened_++;
  }
  // An open entry also covers depths outside [0, 1].
  if (tests_ && entry->bound != func::hz_open(direction_, entry_) &&
      func::hz_rejects(registers, func::hz_decode(entry->bound, entry_), primitive, x, y))
    return Verdict::kRejected;
  const bool accepted = accepts(*entry, registers, primitive, x, y);
  if (writes_) may_store(*entry, primitive, x, y);
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
