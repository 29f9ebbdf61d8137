#pragma once

#include "arch/registers.h"
#include "icd/device/limits.h"
#include "icd/stream/dynamic_bits.h"
#include "icd/stream/extended_state.h"
#include "icd/vulkan.h"

namespace cutaway::icd {

// Attributes and bindings of vertices, as registers: buffers and strides are stored elsewhere.
struct VertexInput {
  arch::VertexAttribute attribute[arch::kVertexAttributes] = {};
  struct Binding {
    uint32_t step_mode = 0, divisor = 0;
  } binding[arch::kVertexBindings];

  // ApiError: a number beyond the registers, or a format that the machine does not fetch.
  void add_binding(uint32_t number, VkVertexInputRate rate, uint32_t divisor);
  void add_attribute(uint32_t location, uint32_t binding, VkFormat format, uint32_t offset);
};

// Dynamic state set by a command buffer (Vulkan "Dynamic State"); strides are stored with the vertex buffers.
struct DynamicState {
  VkViewport viewport[arch::kViewports];
  VkRect2D scissor[arch::kViewports];
  uint32_t viewports = 1, scissors = 1;
  float line_width = 1;
  float depth_bias_constant = 0, depth_bias_clamp = 0, depth_bias_slope = 0;
  float blend_constants[4] = {};
  uint32_t color_writes = kAllColorTargets;  // bit i: target i may be written
  float bounds_min = 0, bounds_max = 1;
  VkCullModeFlags cull_mode = VK_CULL_MODE_NONE;
  VkFrontFace front_face = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  uint32_t patch_vertices = 1;
  bool primitive_restart = false, discard = false, depth_bias = false;
  bool depth_test = false, depth_write = false, bounds_test = false, stencil_test = false;
  VkCompareOp depth_compare = VK_COMPARE_OP_ALWAYS;
  struct Face {
    uint32_t read_mask = 0, write_mask = 0, reference = 0;
    VkStencilOp fail = VK_STENCIL_OP_KEEP, depth_fail = VK_STENCIL_OP_KEEP, pass = VK_STENCIL_OP_KEEP;
    VkCompareOp compare = VK_COMPARE_OP_ALWAYS;
  } front, back;
  VertexInput vertex_input;
  ExtendedState extended;
};

// Sets attributes, and how bindings step.
void apply_vertex_input(const VertexInput& input, arch::Registers& registers);

struct PipelineState;

// Applies dynamic state to the registers of a pipeline. In these, tests and writes that can be toggled are on
// if the subpass has the attachments for them (translate_pipeline).
// joined: the pipeline's extended state with what is dynamic.
void apply_dynamic(const DynamicState& state, const ExtendedState& joined, const PipelineState& pipeline,
                   arch::Registers& registers);

}  // namespace cutaway::icd
