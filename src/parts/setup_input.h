#pragma once

#include <bit>

#include "func/raster/setup.h"
#include "parts/draw_state.h"
#include "parts/messages.h"

namespace cutaway::parts {

// What clipping and setup read of a primitive's vertices. Points into itself: not to be copied.
class PrimitiveGeometry {
 public:
  PrimitiveGeometry(const DrawState& state, const std::array<VertexRef, 3>& vertices, uint32_t count,
                    uint32_t id) {
    const auto& out = state.registers.vertex_out;
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
    input_.primitive_id = id;
    const auto scalar = [&](uint32_t reg) { return vertices[0]->output[reg][0]; };
    if (out.viewport_index < arch::kShaderOutputs) input_.viewport = scalar(out.viewport_index);
    if (count == 1 && out.point_size < arch::kShaderOutputs)
      input_.point_size = std::bit_cast<float>(scalar(out.point_size));
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
