#include <algorithm>
#include <span>

#include "icd/command/command_buffer.h"
#include "icd/device/offer.h"

// Dynamic state.
namespace cutaway::icd {
namespace {

DynamicState& dynamic(VkCommandBuffer commands) { return object(commands)->draws().change_dynamic(); }

template <class Change>
void change_faces(VkCommandBuffer commands, VkStencilFaceFlags faces, Change&& change) {
  DynamicState& state = dynamic(commands);
  if (faces & VK_STENCIL_FACE_FRONT_BIT) change(state.front);
  if (faces & VK_STENCIL_FACE_BACK_BIT) change(state.back);
}

}  // namespace

void CmdSetViewport(VkCommandBuffer commands, uint32_t first, uint32_t count, const VkViewport* viewports) {
  DynamicState& state = dynamic(commands);
  for (uint32_t i = 0; i < count && first + i < arch::kViewports; i++)
    state.viewport[first + i] = viewports[i];
}

void CmdSetScissor(VkCommandBuffer commands, uint32_t first, uint32_t count, const VkRect2D* scissors) {
  DynamicState& state = dynamic(commands);
  for (uint32_t i = 0; i < count && first + i < arch::kViewports; i++) state.scissor[first + i] = scissors[i];
}

void CmdSetLineWidth(VkCommandBuffer commands, float width) { dynamic(commands).line_width = width; }

void CmdSetLineStippleEXT(VkCommandBuffer commands, uint32_t factor, uint16_t pattern) {
  dynamic(commands).extended.raster.line_stipple = line_stipple(factor, pattern);
}

void CmdSetDepthBias(VkCommandBuffer commands, float constant, float clamp, float slope) {
  DynamicState& state = dynamic(commands);
  state.depth_bias_constant = constant;
  state.depth_bias_clamp = clamp;
  state.depth_bias_slope = slope;
}

void CmdSetBlendConstants(VkCommandBuffer commands, const float constants[4]) {
  std::copy_n(constants, 4, dynamic(commands).blend_constants);
}

void CmdSetDepthBounds(VkCommandBuffer commands, float min, float max) {
  DynamicState& state = dynamic(commands);
  state.bounds_min = min;
  state.bounds_max = max;
}

void CmdSetStencilCompareMask(VkCommandBuffer commands, VkStencilFaceFlags faces, uint32_t mask) {
  change_faces(commands, faces, [mask](auto& face) { face.read_mask = mask; });
}

void CmdSetStencilWriteMask(VkCommandBuffer commands, VkStencilFaceFlags faces, uint32_t mask) {
  change_faces(commands, faces, [mask](auto& face) { face.write_mask = mask; });
}

void CmdSetStencilReference(VkCommandBuffer commands, VkStencilFaceFlags faces, uint32_t reference) {
  change_faces(commands, faces, [reference](auto& face) { face.reference = reference; });
}

void CmdSetColorWriteEnableEXT(VkCommandBuffer commands, uint32_t count, const VkBool32* on) {
  DynamicState& state = dynamic(commands);
  for (uint32_t i = 0; i < std::min(count, arch::kColorTargets); i++)
    state.color_writes = (state.color_writes & ~(1u << i)) | (on[i] ? 1u << i : 0);
}

// VK_EXT_extended_dynamic_state.

void CmdSetViewportWithCount(VkCommandBuffer commands, uint32_t count, const VkViewport* viewports) {
  dynamic(commands).viewports = std::min(count, arch::kViewports);
  CmdSetViewport(commands, 0, count, viewports);
}

void CmdSetScissorWithCount(VkCommandBuffer commands, uint32_t count, const VkRect2D* scissors) {
  dynamic(commands).scissors = std::min(count, arch::kViewports);
  CmdSetScissor(commands, 0, count, scissors);
}

void CmdSetCullMode(VkCommandBuffer commands, VkCullModeFlags mode) { dynamic(commands).cull_mode = mode; }

void CmdSetFrontFace(VkCommandBuffer commands, VkFrontFace face) { dynamic(commands).front_face = face; }

void CmdSetPrimitiveTopology(VkCommandBuffer commands, VkPrimitiveTopology topology) {
  object(commands)->record([&] {
    if (!offer().has(topology)) unsupported("primitive topology {}", static_cast<int>(topology));
    dynamic(commands).topology = topology;
  });
}

void CmdSetDepthTestEnable(VkCommandBuffer commands, VkBool32 on) { dynamic(commands).depth_test = on; }

void CmdSetDepthWriteEnable(VkCommandBuffer commands, VkBool32 on) { dynamic(commands).depth_write = on; }

void CmdSetDepthCompareOp(VkCommandBuffer commands, VkCompareOp compare) {
  dynamic(commands).depth_compare = compare;
}

void CmdSetDepthBoundsTestEnable(VkCommandBuffer commands, VkBool32 on) {
  dynamic(commands).bounds_test = on;
}

void CmdSetStencilTestEnable(VkCommandBuffer commands, VkBool32 on) { dynamic(commands).stencil_test = on; }

void CmdSetStencilOp(VkCommandBuffer commands, VkStencilFaceFlags faces, VkStencilOp fail, VkStencilOp pass,
                     VkStencilOp depth_fail, VkCompareOp compare) {
  change_faces(commands, faces, [=](auto& face) {
    face.fail = fail, face.pass = pass, face.depth_fail = depth_fail;
    face.compare = compare;
  });
}

// VK_EXT_extended_dynamic_state2.

void CmdSetRasterizerDiscardEnable(VkCommandBuffer commands, VkBool32 on) { dynamic(commands).discard = on; }

void CmdSetDepthBiasEnable(VkCommandBuffer commands, VkBool32 on) { dynamic(commands).depth_bias = on; }

void CmdSetPrimitiveRestartEnable(VkCommandBuffer commands, VkBool32 on) {
  dynamic(commands).primitive_restart = on;
}

void CmdSetPatchControlPointsEXT(VkCommandBuffer commands, uint32_t count) {
  dynamic(commands).patch_vertices = count;
}

// VK_EXT_vertex_input_dynamic_state. Replaces all bindings and attributes.
void CmdSetVertexInputEXT(VkCommandBuffer commands, uint32_t binding_count,
                          const VkVertexInputBindingDescription2EXT* bindings, uint32_t attribute_count,
                          const VkVertexInputAttributeDescription2EXT* attributes) {
  object(commands)->record([&] {
    VertexInput input;
    for (const auto& from : std::span(bindings, binding_count)) {
      input.add_binding(from.binding, from.inputRate, from.divisor);
      object(commands)->draws().set_vertex_stride(from.binding, from.stride);
    }
    for (const auto& from : std::span(attributes, attribute_count))
      input.add_attribute(from.location, from.binding, from.format, from.offset);
    dynamic(commands).vertex_input = input;
  });
}

void CmdSetLogicOpEXT(VkCommandBuffer commands, VkLogicOp operation) {
  dynamic(commands).extended.colors.logic_op = operation;
}

}  // namespace cutaway::icd
