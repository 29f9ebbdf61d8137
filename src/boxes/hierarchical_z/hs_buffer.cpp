#include "boxes/hierarchical_z/hs_buffer.h"

#include <algorithm>

#include "command_stream/primitive_geometry.h"
#include "func/raster/samples.h"

namespace cutaway::boxes {

HsBuffer::HsBuffer(uint32_t size) : size_(size / 8), tiles_(size_t{size_} * size_) {}

HsBuffer::Tile* HsBuffer::tile(int32_t x, int32_t y) {
  const uint32_t column = static_cast<uint32_t>(x) / 8, row = static_cast<uint32_t>(y) / 8;
  return column < size_ && row < size_ ? &tiles_[size_t{row} * size_ + column] : nullptr;
}

// Nothing is known of a new surface.
void HsBuffer::take_surface(const arch::Surface& surface, uint32_t samples) {
  const arch::Address address = arch::element_address(
      surface, arch::level_layout(surface, surface.base_level), 0, 0, 0, surface.base_layer);
  if (address == surface_ && surface.format == format_ && samples == samples_) return;
  std::fill(tiles_.begin(), tiles_.end(), Tile{.forgotten = epoch_ - 1});
  surface_ = address;
  format_ = surface.format;
  samples_ = samples;
}

void HsBuffer::clear(const arch::ClearPacket& packet, uint32_t epoch) {
  epoch_ = epoch;
  const arch::Surface& surface = packet.surface;
  if (!arch::format_info(surface.format).has_stencil() ||
      packet.aspect == static_cast<uint32_t>(arch::CopyAspect::kDepth))
    return;
  if (surface.layer_count > 1) return forget();
  take_surface(surface, surface.samples());
  const auto tiles = [](uint32_t pixels) { return (pixels + 7) / 8; };
  const uint32_t right = std::min(tiles(packet.x + packet.width), size_);
  const uint32_t low = std::min(tiles(packet.y + packet.height), size_);
  for (uint32_t row = packet.y / 8; row < low; row++)
    for (uint32_t column = packet.x / 8; column < right; column++)
      tiles_[size_t{row} * size_ + column] = {
          .forgotten = epoch_, .value = static_cast<uint8_t>(packet.value[1]), .known = true};
}

// A program that exports the reference, or has effects of its own before the tests, keeps its fragments.
void HsBuffer::begin_draw(const arch::Registers& registers, const func::DepthState& state, uint32_t epoch) {
  epoch_ = epoch;
  tests_ = {};
  writes_ = false;
  if (!arch::format_info(registers.depth.surface.format).has_stencil()) return;
  if (command_stream::chooses_layer(registers)) return forget();
  take_surface(registers.depth.surface, func::sample_count(registers));
  if (!state.stencil_test) return;
  writes_ = state.stencil_writes[0] || state.stencil_writes[1];
  const uint32_t flags = registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags;
  const bool effects = flags & arch::kShaderWritesStencil ||
                       (flags & arch::kShaderWritesMemory && !(flags & arch::kShaderEarlyTests));
  for (uint32_t side = 0; side < 2; side++) {
    face_[side] = state.face[side];
    const bool keeps =
        face_[side].fail == static_cast<uint32_t>(arch::StencilOp::kKeep) || !(face_[side].write_mask & 255);
    tests_[side] = keeps && !effects;
  }
}

bool HsBuffer::rejects(bool front_facing, int32_t x, int32_t y) {
  Tile* entry = tile(x, y);
  if (!entry) return false;
  const uint32_t side = front_facing ? 0 : 1;
  if (tests_[side] && entry->known && !func::stencil_passes(face_[side], entry->value)) return true;
  if (writes_) *entry = {.forgotten = epoch_};
  return false;
}

void HsBuffer::update(const messages::HzUpdate& update) {
  Tile* entry = tile(update.x, update.y);
  if (!entry || update.surface != surface_ || update.epoch <= entry->forgotten || entry->known) return;
  if (!update.one_stencil || (entry->described && entry->value != update.stencil)) {
    entry->described = 0;
    return;
  }
  entry->value = update.stencil;
  entry->described |= 1u << update.sample;
  entry->known = entry->described == (1u << samples_) - 1;
}

}  // namespace cutaway::boxes
