#include "icd/stream/dynamic_state.h"

#include <algorithm>
#include <iterator>

#include "icd/api_error.h"
#include "icd/pipeline/pipeline_state.h"
#include "icd/resource/image.h"

namespace cutaway::icd {
namespace {

void apply_face(const DynamicState::Face& from, uint64_t dynamic, arch::StencilFace& to) {
  if (dynamic & kDynamicStencilReadMask) to.read_mask = from.read_mask;
  if (dynamic & kDynamicStencilWriteMask) to.write_mask = from.write_mask;
  if (dynamic & kDynamicStencilReference) to.reference = from.reference;
  if (dynamic & kDynamicStencilOp) {
    to.fail = static_cast<uint32_t>(from.fail);
    to.depth_fail = static_cast<uint32_t>(from.depth_fail);
    to.pass = static_cast<uint32_t>(from.pass);
    to.compare = static_cast<uint32_t>(from.compare);
  }
}

void apply_depth_stencil(const DynamicState& state, uint64_t dynamic, arch::Registers& registers) {
  auto& depth = registers.depth;
  const auto switch_off = [dynamic](uint64_t bit, bool on, uint32_t& is_on) {
    if (dynamic & bit && !on) is_on = 0;
  };
  switch_off(kDynamicDepthTest, state.depth_test, depth.depth_test);
  switch_off(kDynamicDepthWrite, state.depth_write, depth.depth_write);
  switch_off(kDynamicDepthBoundsTest, state.bounds_test, depth.bounds_test);
  switch_off(kDynamicStencilTest, state.stencil_test, depth.stencil_test);
  // "depthWriteEnable [...] Depth writes are always disabled when depthTestEnable is VK_FALSE."
  if (!depth.depth_test) depth.depth_write = 0;
  if (dynamic & kDynamicDepthCompare) depth.depth_compare = static_cast<uint32_t>(state.depth_compare);
  if (dynamic & kDynamicDepthBounds) {
    depth.bounds_min = state.bounds_min;
    depth.bounds_max = state.bounds_max;
  }
  apply_face(state.front, dynamic, depth.front);
  apply_face(state.back, dynamic, depth.back);
}

// A pipeline keeps its viewports if their registers depend on a range of depths that it leaves dynamic.
void apply_viewports(const DynamicState& state, const PipelineState& pipeline, arch::Registers& registers) {
  auto& raster = registers.raster;
  const uint64_t dynamic = pipeline.dynamic;
  // There are as many scissors as viewports.
  if (dynamic & kDynamicScissorCount) raster.viewports = state.scissors;
  if (dynamic & kDynamicViewportCount) raster.viewports = state.viewports;
  for (uint32_t i = 0; i < raster.viewports; i++) {
    if (dynamic & kDynamicViewport) set_viewport(state.viewport[i], i, registers);
    else if (i < pipeline.viewports.size()) set_viewport(pipeline.viewports[i], i, registers);
    if (dynamic & kDynamicScissor) set_scissor(state.scissor[i], i, registers);
  }
}

void apply_rasterization(const DynamicState& state, uint64_t dynamic, arch::Registers& registers) {
  auto& raster = registers.raster;
  if (dynamic & kDynamicTopology) registers.assembly.topology = static_cast<uint32_t>(state.topology);
  if (dynamic & kDynamicPatchVertices) registers.tessellation.patch_vertices = state.patch_vertices;
  if (dynamic & kDynamicPrimitiveRestart) registers.assembly.primitive_restart = state.primitive_restart;
  if (dynamic & kDynamicDiscard) raster.rasterizer_discard = state.discard;
  if (dynamic & kDynamicDepthBiasOn) raster.depth_bias = state.depth_bias;
  if (dynamic & kDynamicCullMode) raster.cull_mode = state.cull_mode;
  if (dynamic & kDynamicFrontFace) raster.front_face = static_cast<uint32_t>(state.front_face);
  if (dynamic & kDynamicLineWidth) raster.line_width = state.line_width;
  if (dynamic & kDynamicDepthBias) {
    raster.depth_bias_constant = state.depth_bias_constant;
    raster.depth_bias_clamp = state.depth_bias_clamp;
    raster.depth_bias_slope = state.depth_bias_slope;
  }
}

void apply_extended(const ExtendedState& joined, uint64_t dynamic, arch::Registers& registers) {
  apply(joined.raster, registers);
  apply(joined.samples, registers);
  apply(joined.colors, registers);
  const bool divides = registers.shader[static_cast<uint32_t>(arch::Stage::kTessControl)].instructions;
  if (dynamic & kDynamicDomainOrigin && divides &&
      joined.raster.domain_origin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT)
    registers.tessellation.clockwise ^= 1;
}

}  // namespace

void VertexInput::add_binding(uint32_t number, VkVertexInputRate rate, uint32_t divisor) {
  if (number >= arch::kVertexBindings)
    invalid_usage("vertex binding {} of {}", number, arch::kVertexBindings);
  binding[number] = {static_cast<uint32_t>(rate), divisor};
}

void VertexInput::add_attribute(uint32_t location, uint32_t from, VkFormat format, uint32_t offset) {
  if (location >= arch::kVertexAttributes)
    invalid_usage("vertex attribute location {} of {}", location, arch::kVertexAttributes);
  const arch::Format fetched = arch_format(format);
  if (fetched == arch::Format::UNDEFINED)
    unsupported("a vertex attribute of format {}", static_cast<int>(format));
  attribute[location] = {static_cast<uint32_t>(fetched), from, offset};
}

void apply_vertex_input(const VertexInput& input, arch::Registers& registers) {
  std::copy(std::begin(input.attribute), std::end(input.attribute), registers.assembly.attribute);
  for (uint32_t i = 0; i < arch::kVertexBindings; i++) {
    registers.assembly.binding[i].step_mode = input.binding[i].step_mode;
    registers.assembly.binding[i].divisor = input.binding[i].divisor;
  }
}

void apply_dynamic(const DynamicState& state, const ExtendedState& joined, const PipelineState& pipeline,
                   arch::Registers& registers) {
  const uint64_t dynamic = pipeline.dynamic;
  if (dynamic & kDynamicVertexInput) apply_vertex_input(state.vertex_input, registers);
  if (dynamic & kDynamicExtended) apply_extended(joined, dynamic, registers);
  apply_rasterization(state, dynamic, registers);
  apply_viewports(state, pipeline, registers);
  apply_depth_stencil(state, dynamic, registers);
  if (dynamic & kDynamicBlendConstants) std::copy_n(state.blend_constants, 4, registers.color.blend_constant);
  if (dynamic & kDynamicColorWrite)
    for (uint32_t i = 0; i < arch::kColorTargets; i++)
      if (!(state.color_writes >> i & 1)) registers.color.target[i].write_mask = 0;
}

}  // namespace cutaway::icd
