#include "replay/draw_views.h"

#include <algorithm>

#include "base/hash.h"
#include "command_stream/legal.h"
#include "replay/same_surface.h"
#include "replay/texture_picture.h"

namespace cutaway::replay {
namespace {

run_record::DrawName name_of(const emulator::ObservedDraw& draw) { return {draw.submission, draw.draw}; }

}  // namespace

size_t DrawViewRecorder::PositionHash::operator()(const Position& position) const {
  return hash_bytes(position.data(), sizeof position);
}

void DrawViewRecorder::record_into(run_record::DrawViewSink* sink) {
  sink_ = sink;
  drawing_ = false;
  targets_.clear(), textures_.clear();
  texture_count_ = 0;
}

void DrawViewRecorder::begin(const emulator::ObservedDraw& draw) {
  drawing_ = sink_ && !sink_->full();
  if (!drawing_) return;
  look(draw, true);
  note_textures(draw);
  vertices_.clear();
  mesh_ = {.draw = name_of(draw)};
  const arch::Viewport& viewport = draw.registers.raster.viewport[0];
  for (int axis = 0; axis < 2; axis++)
    mesh_.scale[axis] = viewport.scale[axis], mesh_.offset[axis] = viewport.offset[axis];
}

void DrawViewRecorder::primitive(const func::AssembledPrimitive& primitive,
                                 const command_stream::ShadedVertex* const vertex[3]) {
  if (!drawing_) return;
  if (!mesh_.corners) mesh_.corners = primitive.vertices;
  if (mesh_.indices.size() >= kMostPrimitives * 3 || mesh_.corners != primitive.vertices) {
    mesh_.left_out++;
    return;
  }
  for (uint32_t i = 0; i < primitive.vertices; i++) {
    const Position& position = vertex[i]->output[0];
    const auto [entry, fresh] = vertices_.emplace(position, static_cast<uint32_t>(vertices_.size()));
    if (fresh)
      for (const uint32_t bits : position) mesh_.positions.push_back(std::bit_cast<float>(bits));
    mesh_.indices.push_back(entry->second);
  }
}

void DrawViewRecorder::end(const emulator::ObservedDraw& draw) {
  if (!drawing_) return;
  look(draw, false);
  if (mesh_.corners) sink_->mesh(std::move(mesh_));
  drawing_ = false;
}

// Color targets that the draw may write; the depth target if there is none.
void DrawViewRecorder::look(const emulator::ObservedDraw& draw, bool before) {
  bool colors = false;
  for (const arch::ColorTarget& target : draw.registers.color.target)
    if (target.surface.format && target.write_mask) {
      colors = true;
      look_at(draw, target.surface, before);
    }
  if (!colors && draw.registers.depth.surface.format) look_at(draw, draw.registers.depth.surface, before);
}

void DrawViewRecorder::look_at(const emulator::ObservedDraw& draw, const arch::Surface& surface,
                               bool before) {
  auto found = std::find_if(targets_.begin(), targets_.end(), [&](const auto& target) {
    return same_surface(target->watch.surface(), surface);
  });
  if (found == targets_.end()) {
    if (!can_be_shown(surface) || !command_stream::target_error(surface).empty() ||
        arch::surface_bytes(surface) > kMostTargetBytes)
      return;
    targets_.push_back(
        std::make_unique<Target>(Target{static_cast<uint32_t>(targets_.size()), TargetWatch(surface)}));
    found = targets_.end() - 1;
    sink_->target((*found)->watch.described());
  }
  auto change = (*found)->watch.look(draw.memory);
  if (!change) return;
  change->draw = name_of(draw), change->before = before, change->target = (*found)->number;
  sink_->change(std::move(*change));
}

void DrawViewRecorder::note_textures(const emulator::ObservedDraw& draw) {
  constexpr uint32_t kNone = ~0u;
  for (uint32_t i = 0; i < arch::kStages; i++) {
    const command_stream::StageState& stage = draw.stage[static_cast<arch::Stage>(i)];
    if (!stage.program || static_cast<arch::Stage>(i) == arch::Stage::kCompute) continue;
    for (const uint32_t binding : stage.program->resources) {
      const func::TextureView& view = stage.resources[binding];
      if (!view.valid || func::is_buffer(view.surface.surface_type())) continue;
      const uint32_t level = shown_level(view, kTextureSide);
      const auto key =
          std::pair(hash_bytes(&view.surface, sizeof view.surface), texture_hash(draw.memory, view, level));
      auto found = textures_.find(key);
      if (found == textures_.end()) {
        const auto texture = texture_picture(draw.memory, view, level, kTextureSide);
        found = textures_.emplace(key, texture ? texture_count_++ : kNone).first;
        if (texture) sink_->texture(*texture);
      }
      if (found->second != kNone) sink_->use(name_of(draw), i, binding, found->second);
    }
  }
}

}  // namespace cutaway::replay
