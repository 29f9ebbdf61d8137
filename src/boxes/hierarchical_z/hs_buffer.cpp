#include "boxes/hierarchical_z/hs_buffer.h"

#include <algorithm>

#include "command_stream/primitive_geometry.h"
#include "func/raster/samples.h"

namespace cutaway::boxes {

HsBuffer::HsBuffer(HzMemory& memory) : memory_(memory), stencils_(memory.surfaces()) {}

// Nothing is known of a surface whose region is new.
void HsBuffer::take_surface(const arch::Surface& surface, uint32_t samples) {
  region_ = memory_.take(depth_image(surface, samples));
  now_ = &stencils_[region_.index];
  if (now_->life == region_.life) return;
  now_->life = region_.life;
  now_->tiles.assign(region_.entries, Tile{.forgotten = epoch_ - 1});
}

void HsBuffer::clear(const arch::ClearPacket& packet, uint32_t epoch) {
  epoch_ = epoch;
  const arch::Surface& surface = packet.surface;
  if (!arch::format_info(surface.format).has_stencil() ||
      packet.aspect == static_cast<uint32_t>(arch::CopyAspect::kDepth))
    return;
  if (surface.layer_count > 1) return memory_.drop(surface);
  take_surface(surface, surface.samples());
  const Tile cleared{.forgotten = epoch_, .value = static_cast<uint8_t>(packet.value[1]), .known = true};
  memory_.for_cleared(region_, packet, [&](uint32_t entry) { now_->tiles[entry] = cleared; });
}

// A program that exports the reference, or has effects of its own before the tests, keeps its fragments.
void HsBuffer::begin_draw(const arch::Registers& registers, const func::DepthState& state, uint32_t epoch) {
  epoch_ = epoch;
  tests_ = {};
  writes_ = false;
  now_ = nullptr;
  if (!arch::format_info(registers.depth.surface.format).has_stencil()) return;
  if (command_stream::chooses_layer(registers)) return memory_.drop(registers.depth.surface);
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
  if (!now_ || !memory_.lives(region_)) return false;
  const uint32_t entry = memory_.entry(region_, x, y);
  if (entry == HzMemory::kNone) return false;
  Tile& tile = now_->tiles[entry];
  const uint32_t side = front_facing ? 0 : 1;
  if (tests_[side] && tile.known && !func::stencil_passes(face_[side], tile.value)) return true;
  if (writes_) tile = {.forgotten = epoch_};
  return false;
}

void HsBuffer::update(const messages::HzUpdate& update) {
  const HzMemory::Region* region = memory_.at(update.surface);
  if (!region || stencils_[region->index].life != region->life) return;
  const uint32_t entry = memory_.entry(*region, update.x, update.y);
  if (entry == HzMemory::kNone) return;
  Tile& tile = stencils_[region->index].tiles[entry];
  if (update.epoch <= tile.forgotten || tile.known) return;
  if (!update.one_stencil || (tile.described && tile.value != update.stencil)) {
    tile.described = 0;
    return;
  }
  tile.value = update.stencil;
  tile.described |= 1u << update.sample;
  tile.known = tile.described == (1u << region->image.samples) - 1;
}

}  // namespace cutaway::boxes
