#pragma once

#include <bit>

#include "func/raster/setup.h"
#include "parts/draw_state.h"
#include "parts/messages.h"

namespace cutaway::parts {

// What clipping and setup read of a primitive's vertices. Points into itself: not to be copied.
class PrimitiveGeometry {
 public:
  // part, stipple_phase: func::SetupInput.
  explicit PrimitiveGeometry(const PrimitiveMessage& message, uint32_t part = 0, uint32_t stipple_phase = 0) {
    const auto& out = message.state->registers.vertex_out;
    const auto& vertices = message.vertex;
    const uint32_t count = message.vertices;
    const uint32_t distances = std::min(out.clip_distances + out.cull_distances, func::kMaxClipDistances);
    for (uint32_t i = 0; i < count; i++) {
      const auto& output = vertices[i]->output;
      for (uint32_t c = 0; c < 4; c++) position_[i][c] = std::bit_cast<float>(output[0][c]);
      for (uint32_t d = 0; d < distances; d++)
        distances_[i][d] =
            std::bit_cast<float>(output[(out.clip_distance + d / 4) % arch::kShaderOutputs][d % 4]);
    }
    input_.position = position_;
    input_.vertices = count;
    input_.first = message.first;
    input_.part = part;
    input_.stipple_phase = stipple_phase;
    input_.primitive_id = message.origin.primitive;
    const auto scalar = [&](uint32_t vertex, uint32_t reg) { return vertices[vertex]->output[reg][0]; };
    if (out.viewport_index < arch::kShaderOutputs) input_.viewport = scalar(0, out.viewport_index);
    if (out.point_size < arch::kShaderOutputs)
      input_.point_size = std::bit_cast<float>(scalar(func::point_vertex(input_), out.point_size));
    if (distances) input_.distances = distances_;
  }
  PrimitiveGeometry(const PrimitiveGeometry&) = delete;

  const func::SetupInput& input() const { return input_; }

 private:
  float position_[3][4] = {};
  func::ClipDistances distances_[3] = {};
  func::SetupInput input_;
};

}  // namespace cutaway::parts
