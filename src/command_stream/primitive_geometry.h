#pragma once

#include <algorithm>
#include <cstring>

#include "arch/registers.h"
#include "func/geometry/assembly.h"
#include "func/raster/setup.h"

namespace cutaway::command_stream {

// A vertex after shading: its outputs in register order; output 0 is the position. Outputs that the program
// does not write are zero.
struct ShadedVertex {
  std::array<std::array<uint32_t, 4>, arch::kShaderOutputs> output;
};

// True if primitives may go to framebuffer layers other than the first.
inline bool chooses_layer(const arch::Registers& registers) {
  return registers.vertex_out.layer < arch::kShaderOutputs && registers.raster.layers > 1;
}

// The framebuffer layer of a primitive, from its provoking vertex; the first if there is no such layer.
inline uint32_t primitive_layer(const arch::Registers& registers, const ShadedVertex& provoking) {
  if (registers.vertex_out.layer >= arch::kShaderOutputs) return 0;
  const uint32_t layer = provoking.output[registers.vertex_out.layer][0];
  return layer < registers.raster.layers ? layer : 0;
}

// The id of a primitive in fragment programs: the value of the last stage at its provoking vertex, otherwise
// that of the assembled primitive.
inline uint32_t primitive_id(const arch::Registers& registers, uint32_t assembled,
                             const ShadedVertex& provoking) {
  const uint32_t output = registers.primitive_id_output;
  return output >= 1 && output <= arch::kShaderOutputs ? provoking.output[output - 1][0] : assembled;
}

// A primitive's vertices as input of clipping and setup. Points into itself: must not be copied.
class PrimitiveGeometry {
 public:
  // vertex: one pointer per vertex, the provoking vertex first. part, stipple_phase: as in func::SetupInput.
  PrimitiveGeometry(const arch::Registers& registers, const func::AssembledPrimitive& primitive,
                    const ShadedVertex* const vertex[3], uint32_t part = 0, uint32_t stipple_phase = 0) {
    const auto& out = registers.vertex_out;
    const uint32_t distances = std::min(out.clip_distances + out.cull_distances, func::kMaxClipDistances);
    for (uint32_t i = 0; i < primitive.vertices; i++) {
      const auto& output = vertex[i]->output;
      std::memcpy(position_[i], &output[0], sizeof position_[i]);
      for (uint32_t d = 0; d < distances; d++)
        std::memcpy(&distances_[i][d], &output[(out.clip_distance + d / 4) % arch::kShaderOutputs][d % 4], 4);
    }
    input_.position = position_;
    input_.vertices = primitive.vertices;
    input_.first = primitive.first;
    input_.part = part;
    input_.stipple_phase = stipple_phase;
    input_.primitive_id = primitive_id(registers, primitive.id, *vertex[0]);
    if (out.viewport_index < arch::kShaderOutputs) input_.viewport = vertex[0]->output[out.viewport_index][0];
    if (out.point_size < arch::kShaderOutputs)
      std::memcpy(&input_.point_size, &vertex[func::point_vertex(input_)]->output[out.point_size][0], 4);
    if (distances) input_.distances = distances_;
  }
  PrimitiveGeometry(const PrimitiveGeometry&) = delete;
  PrimitiveGeometry& operator=(const PrimitiveGeometry&) = delete;

  const func::SetupInput& input() const { return input_; }

 private:
  float position_[3][4] = {};
  func::ClipDistances distances_[3] = {};
  func::SetupInput input_;
};

}  // namespace cutaway::command_stream
