#include "boxes/hierarchical_z/hz_buffer.h"

#include <algorithm>

#include "func/raster/samples.h"

namespace cutaway::boxes {

using func::HzDirection;

HzBuffer::HzBuffer(uint32_t size, const func::HzFormat& entry)
    : size_(size / 8), entry_(entry), tiles_(size_t{size_} * size_) {}

HzBuffer::Tile* HzBuffer::tile(int32_t x, int32_t y) {
  const uint32_t column = static_cast<uint32_t>(x) / 8, row = static_cast<uint32_t>(y) / 8;
  return column < size_ && row < size_ ? &tiles_[size_t{row} * size_ + column] : nullptr;
}

void HzBuffer::reset(HzDirection direction) {
  direction_ = direction;
  for (Tile& tile : tiles_) tile = {func::hz_open(direction, entry_), epoch_};
}

void HzBuffer::begin_draw(const arch::Registers& registers) {
  epoch_++;
  tests_ = opens_ = false;
  const auto& depth = registers.depth;
  const arch::FormatInfo& format = arch::format_info(depth.surface.format);
  const arch::Address address =
      arch::element_address(depth.surface, arch::level_layout(depth.surface, depth.surface.base_level), 0, 0,
                            0, depth.surface.base_layer);
  if (!format.has_depth()) return;
  const HzDirection direction = func::hz_direction(registers);
  const bool writes = depth.depth_test && depth.depth_write;
  const uint32_t samples = func::sample_count(registers);
  if (address != surface_ || depth.surface.format != format_ || samples != samples_) {
    surface_ = address;
    format_ = depth.surface.format;
    samples_ = samples;
    reset(direction);
  } else if (direction != HzDirection::kOff && direction != direction_) {
    reset(direction);
  }
  tests_ = direction != HzDirection::kOff;
  // What is not compared in the buffer's direction may store anything.
  opens_ = writes && !tests_;
}

bool HzBuffer::rejects(const arch::Registers& registers, const func::Primitive& primitive, int32_t x,
                       int32_t y) {
  Tile* entry = tile(x, y);
  if (!entry) return false;
  if (opens_) *entry = {func::hz_open(direction_, entry_), epoch_};
  return tests_ && func::hz_rejects(registers, func::hz_decode(entry->bound, entry_), primitive, x, y);
}

bool HzBuffer::update(const parts::HzUpdate& update) {
  Tile* entry = tile(update.x, update.y);
  if (!entry || direction_ == HzDirection::kOff || update.epoch <= entry->opened ||
      update.surface != surface_)
    return false;
  const float bound = direction_ == HzDirection::kGreatest ? update.greatest : update.least;
  const func::HzEntry encoded = func::hz_encode(direction_, bound, entry_);
  if (entry->described == 0) entry->gathered = encoded;
  else if (direction_ == HzDirection::kGreatest) entry->gathered = std::max(entry->gathered, encoded);
  else entry->gathered = std::min(entry->gathered, encoded);
  entry->described |= 1u << update.sample;
  if (entry->described != (1u << samples_) - 1) return false;
  entry->described = 0;
  if (entry->gathered == entry->bound) return false;
  entry->bound = entry->gathered;
  return true;
}

}  // namespace cutaway::boxes
