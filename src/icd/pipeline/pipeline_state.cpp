#include "icd/pipeline/pipeline_state.h"

#include <algorithm>
#include <limits>

#include "arch/depth_clamp.h"
#include "arch/depth_promise.h"
#include "icd/device/limits.h"
#include "icd/device/offer.h"
#include "icd/object.h"
#include "icd/stream/dynamic_state.h"

namespace cutaway::icd {
namespace {

using arch::Registers;

constexpr VkColorComponentFlags kWholeColor = 0xf;

void translate_vertex_input(const VkPipelineVertexInputStateCreateInfo& info, Registers& registers) {
  VertexInput input;
  for (uint32_t i = 0; i < info.vertexBindingDescriptionCount; i++) {
    const VkVertexInputBindingDescription& from = info.pVertexBindingDescriptions[i];
    input.add_binding(from.binding, from.inputRate, 1);
    registers.assembly.binding[from.binding].stride = from.stride;
  }
  if (const auto* divisors = find_struct<VkPipelineVertexInputDivisorStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT))
    for (uint32_t i = 0; i < divisors->vertexBindingDivisorCount; i++) {
      const VkVertexInputBindingDivisorDescriptionEXT& from = divisors->pVertexBindingDivisors[i];
      if (from.binding < arch::kVertexBindings) input.binding[from.binding].divisor = from.divisor;
    }
  for (uint32_t i = 0; i < info.vertexAttributeDescriptionCount; i++) {
    const VkVertexInputAttributeDescription& from = info.pVertexAttributeDescriptions[i];
    input.add_attribute(from.location, from.binding, from.format, from.offset);
  }
  apply_vertex_input(input, registers);
}

void translate_assembly(const VkPipelineInputAssemblyStateCreateInfo& info, uint64_t dynamic,
                        Registers& registers) {
  if (offer().has(info.topology)) registers.assembly.topology = static_cast<uint32_t>(info.topology);
  else if (!(dynamic & kDynamicTopology))
    unsupported("primitive topology {}", static_cast<int>(info.topology));
  registers.assembly.primitive_restart = info.primitiveRestartEnable ? 1 : 0;
  registers.assembly.vertex_base_in_id = 1;
}

void translate_tessellation(const VkPipelineTessellationStateCreateInfo& info, PipelineState& state) {
  state.registers.tessellation.patch_vertices = info.patchControlPoints;
  // "Tessellator": coordinates do not depend on the origin, but the winding is reversed for the other origin.
  if (const auto* origin = find_struct<VkPipelineTessellationDomainOriginStateCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO))
    state.extended.raster.domain_origin = origin->domainOrigin;
  state.registers.tessellation.clockwise =
      !(state.dynamic & kDynamicDomainOrigin) &&
      state.extended.raster.domain_origin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
}

void translate_lines(const VkPipelineRasterizationStateCreateInfo& info, RasterState& raster) {
  const auto* line = find_struct<VkPipelineRasterizationLineStateCreateInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
  if (!line) return;
  raster.line_mode = line->lineRasterizationMode;
  raster.stippled = line->stippledLineEnable;
  raster.line_stipple = line_stipple(line->lineStippleFactor, line->lineStipplePattern);
}

void translate_rasterization(const VkPipelineRasterizationStateCreateInfo& info, PipelineState& state) {
  RasterState& extended = state.extended.raster;
  if (!(state.dynamic & kDynamicPolygonMode)) extended.polygon_mode = info.polygonMode;
  check(extended.polygon_mode);
  extended.depth_clamp = info.depthClampEnable;
  if (const auto* clip = find_struct<VkPipelineRasterizationDepthClipStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT))
    extended.depth_clip = clip->depthClipEnable, extended.clip_follows_clamp = false;
  translate_lines(info, extended);
  if (const auto* provoking = find_struct<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT))
    extended.provoking_vertex = provoking->provokingVertexMode;
  apply(extended, state.registers);
  auto& raster = state.registers.raster;
  raster.cull_mode = info.cullMode;
  raster.front_face = static_cast<uint32_t>(info.frontFace);
  raster.rasterizer_discard = info.rasterizerDiscardEnable && !(state.dynamic & kDynamicDiscard) ? 1 : 0;
  raster.depth_bias = info.depthBiasEnable ? 1 : 0;
  raster.depth_bias_constant = info.depthBiasConstantFactor;
  raster.depth_bias_slope = info.depthBiasSlopeFactor;
  raster.depth_bias_clamp = info.depthBiasClamp;
  raster.line_width = info.lineWidth;
}

void translate_viewports(const VkPipelineViewportStateCreateInfo& info, PipelineState& state) {
  Registers& registers = state.registers;
  if (std::max(info.viewportCount, info.scissorCount) > arch::kViewports)
    invalid_usage("a pipeline with {} viewports of {}", std::max(info.viewportCount, info.scissorCount),
                  arch::kViewports);
  registers.raster.viewports = info.viewportCount;
  if (const auto* control = find_struct<VkPipelineViewportDepthClipControlCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT))
    state.extended.raster.from_minus_one = control->negativeOneToOne;
  apply(state.extended.raster, registers);
  if (!(state.dynamic & kDynamicViewport)) {
    for (uint32_t i = 0; i < info.viewportCount; i++) set_viewport(info.pViewports[i], i, registers);
    if (state.dynamic & kDynamicDepthRange)
      state.viewports.assign(info.pViewports, info.pViewports + info.viewportCount);
  }
  if (!(state.dynamic & kDynamicScissor))
    for (uint32_t i = 0; i < info.scissorCount; i++) set_scissor(info.pScissors[i], i, registers);
}

void translate_multisample(const VkPipelineMultisampleStateCreateInfo& info, PipelineState& state) {
  SampleState& samples = state.extended.samples;
  // A number that does not count is still what most draws will have.
  if (!(state.dynamic & kDynamicSamples) || counts_samples(info.rasterizationSamples))
    samples.samples = info.rasterizationSamples;
  check(samples.samples);
  if (info.pSampleMask && !(state.dynamic & kDynamicSampleMask)) samples.mask = info.pSampleMask[0];
  samples.alpha_to_coverage = info.alphaToCoverageEnable;
  samples.alpha_to_one = info.alphaToOneEnable;
  samples.least_shading = info.sampleShadingEnable ? info.minSampleShading : 0;
  apply(samples, state.registers);
  state.registers.raster.sample_shading = samples.shades_samples();
}

arch::StencilFace stencil_face(const VkStencilOpState& from) {
  return {static_cast<uint32_t>(from.failOp),
          static_cast<uint32_t>(from.depthFailOp),
          static_cast<uint32_t>(from.passOp),
          static_cast<uint32_t>(from.compareOp),
          from.reference,
          from.compareMask,
          from.writeMask};
}

// Enables everything that can be toggled later: see apply_dynamic().
void translate_depth_stencil(const VkPipelineDepthStencilStateCreateInfo& info, const SubpassShape& subpass,
                             uint64_t dynamic, Registers& registers) {
  auto& depth = registers.depth;
  depth.depth_test = subpass.depth && (info.depthTestEnable || dynamic & kDynamicDepthTest);
  depth.depth_write = depth.depth_test && (info.depthWriteEnable || dynamic & kDynamicDepthWrite);
  depth.depth_compare = static_cast<uint32_t>(info.depthCompareOp);
  depth.bounds_test = subpass.depth && (info.depthBoundsTestEnable || dynamic & kDynamicDepthBoundsTest);
  depth.bounds_min = info.minDepthBounds;
  depth.bounds_max = info.maxDepthBounds;
  depth.stencil_test = subpass.stencil && (info.stencilTestEnable || dynamic & kDynamicStencilTest);
  depth.front = stencil_face(info.front);
  depth.back = stencil_face(info.back);
}

// VK_EXT_color_write_enable: without the structure every attachment is writable.
bool color_write_on(const VkPipelineColorBlendStateCreateInfo& info, uint32_t attachment) {
  const auto* writes = find_struct<VkPipelineColorWriteCreateInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);
  return !writes || attachment >= writes->attachmentCount || writes->pColorWriteEnables[attachment];
}

void translate_target(const VkPipelineColorBlendAttachmentState& from, uint64_t dynamic,
                      ColorState::Target& to) {
  to.blend = from.blendEnable;
  to.equation = {from.srcColorBlendFactor, from.dstColorBlendFactor, from.colorBlendOp,
                 from.srcAlphaBlendFactor, from.dstAlphaBlendFactor, from.alphaBlendOp};
  const bool blends = from.blendEnable || dynamic & kDynamicBlendOn;
  if (blends && !(dynamic & kDynamicBlendEquation)) check(to.equation);
  to.write_mask = from.colorWriteMask;
}

void translate_blend(const VkPipelineColorBlendStateCreateInfo& info, const SubpassShape& subpass,
                     PipelineState& state) {
  ColorState& colors = state.extended.colors;
  colors.logic_op_on = info.logicOpEnable;
  colors.logic_op = info.logicOp;
  colors.used = subpass.color_used;
  for (uint32_t i = 0; i < arch::kColorTargets; i++) {
    // "pAttachments [...] is ignored" if all of its state is dynamic.
    if ((state.dynamic & kDynamicBlending) != kDynamicBlending && i < info.attachmentCount)
      translate_target(info.pAttachments[i], state.dynamic, colors.target[i]);
    if (state.dynamic & kDynamicWriteMask) colors.target[i].write_mask = kWholeColor;
    if (!(state.dynamic & kDynamicColorWrite) && !color_write_on(info, i)) colors.writable &= ~(1u << i);
  }
  apply(colors, state.registers);
  std::copy(info.blendConstants, info.blendConstants + 4, state.registers.color.blend_constant);
}

bool modifies(const arch::StencilFace& face) {
  const auto keep = static_cast<uint32_t>(arch::StencilOp::kKeep);
  return face.write_mask && (face.fail != keep || face.depth_fail != keep || face.pass != keep);
}

// Failing fragments change stencil, so the hierarchical Z buffer must not reject them.
bool modifies_on_failure(const arch::StencilFace& face) {
  const auto keep = static_cast<uint32_t>(arch::StencilOp::kKeep);
  return face.write_mask && (face.fail != keep || face.depth_fail != keep);
}

// Reports a part that a pipeline needs and does not have: it may be linked of libraries that lack it.
template <class Part>
const Part& needed(const Part* part, const char* name) {
  if (!part) invalid_usage("a pipeline without {} state", name);
  return *part;
}

// The same of a part that may be absent if all of its state is dynamic.
template <class Part>
const Part& needed(const Part* part, const char* name, uint64_t dynamic, uint64_t all) {
  static constexpr Part kNone{};
  return !part && (dynamic & all) == all ? kNone : needed(part, name);
}

constexpr uint64_t kAllAssembly = kDynamicTopology | kDynamicPrimitiveRestart;
constexpr uint64_t kAllRasterization = kDynamicDepthClamp | kDynamicDiscard | kDynamicPolygonMode |
                                       kDynamicCullMode | kDynamicFrontFace | kDynamicDepthBiasOn |
                                       kDynamicDepthBias | kDynamicLineWidth;
constexpr uint64_t kAllViewports = kDynamicViewportCount | kDynamicScissorCount;
// Without the feature alphaToOne its state need not be dynamic; without the structure it is off.
constexpr uint64_t kAllSamples = kDynamicSamples | kDynamicSampleMask | kDynamicAlphaToCoverage;
constexpr uint64_t kAllDepthStencil = kDynamicDepthTest | kDynamicDepthWrite | kDynamicDepthCompare |
                                      kDynamicDepthBoundsTest | kDynamicDepthBounds | kDynamicStencilTest |
                                      kDynamicStencilOp;
constexpr uint64_t kAllBlending =
    kDynamicLogicOpOn | kDynamicLogicOp | kDynamicBlending | kDynamicBlendConstants;

// State behind the rasterizer.
void translate_fragments(const VkGraphicsPipelineCreateInfo& info, const SubpassShape& subpass,
                         PipelineState& state) {
  const uint64_t dynamic = state.dynamic;
  translate_viewports(needed(info.pViewportState, "viewport", dynamic, kAllViewports), state);
  translate_multisample(needed(info.pMultisampleState, "multisample", dynamic, kAllSamples), state);
  if (subpass.depth || subpass.stencil)
    translate_depth_stencil(needed(info.pDepthStencilState, "depth-stencil", dynamic, kAllDepthStencil),
                            subpass, dynamic, state.registers);
  if (subpass.color_used)
    translate_blend(needed(info.pColorBlendState, "color blend", dynamic, kAllBlending), subpass, state);
}

}  // namespace

PipelineState translate_pipeline(const VkGraphicsPipelineCreateInfo& info, const SubpassShape& subpass) {
  PipelineState state;
  if (info.pDynamicState)
    for (uint32_t i = 0; i < info.pDynamicState->dynamicStateCount; i++)
      state.dynamic |= dynamic_bits(info.pDynamicState->pDynamicStates[i]);
  if (!(state.dynamic & kDynamicVertexInput))
    translate_vertex_input(needed(info.pVertexInputState, "vertex input"), state.registers);
  translate_assembly(needed(info.pInputAssemblyState, "input assembly", state.dynamic, kAllAssembly),
                     state.dynamic, state.registers);
  const auto divides = [](const VkPipelineShaderStageCreateInfo& stage) {
    return stage.stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
  };
  if (std::any_of(info.pStages, info.pStages + info.stageCount, divides) && info.pTessellationState)
    translate_tessellation(*info.pTessellationState, state);
  translate_rasterization(needed(info.pRasterizationState, "rasterization", state.dynamic, kAllRasterization),
                          state);
  // With rasterizer discard, Vulkan ignores, and does not read, the later state.
  if (!state.registers.raster.rasterizer_discard) translate_fragments(info, subpass, state);
  return state;
}

uint32_t line_stipple(uint32_t factor, uint16_t pattern) { return pattern | factor << 16; }

void set_viewport(const VkViewport& viewport, uint32_t index, Registers& registers) {
  // "Controlling the Viewport": xf = (px / 2) xd + ox; zf = pz zd + oz.
  arch::Viewport& to = registers.raster.viewport[index];
  to.scale[0] = viewport.width / 2;
  to.scale[1] = viewport.height / 2;  // negative: y points up (maintenance1)
  // VK_EXT_depth_clip_control: pz = (maxDepth - minDepth) / 2, oz = (maxDepth + minDepth) / 2.
  const bool from_minus_one = registers.raster.depth_clip & arch::kClipFromMinusOne;
  to.scale[2] = (viewport.maxDepth - viewport.minDepth) / (from_minus_one ? 2.0f : 1.0f);
  to.offset[0] = viewport.x + viewport.width / 2;
  to.offset[1] = viewport.y + viewport.height / 2;
  to.offset[2] = from_minus_one ? (viewport.maxDepth + viewport.minDepth) / 2 : viewport.minDepth;
  registers.raster.depth_range_min[index] = std::min(viewport.minDepth, viewport.maxDepth);
  registers.raster.depth_range_max[index] = std::max(viewport.minDepth, viewport.maxDepth);
}

void set_scissor(const VkRect2D& scissor, uint32_t index, Registers& registers) {
  registers.raster.scissor[index] = {scissor.offset.x, scissor.offset.y, scissor.extent.width,
                                     scissor.extent.height};
}

void set_wide_depth(Registers& registers, bool everywhere) {
  registers.raster.depth_clamp = static_cast<uint32_t>(arch::DepthClamp::kWideRange);
  if (!everywhere) return;
  constexpr float kLargest = std::numeric_limits<float>::max();
  std::fill_n(registers.raster.depth_range_min, arch::kViewports, -kLargest);
  std::fill_n(registers.raster.depth_range_max, arch::kViewports, kLargest);
}

void choose_depth_mode(Registers& registers, bool reads_depth) {
  auto& depth = registers.depth;
  const uint32_t flags = registers.shader[static_cast<uint32_t>(arch::Stage::kFragment)].flags;
  const bool stencil_written = depth.stencil_test && (modifies(depth.front) || modifies(depth.back));
  const bool tested = depth.depth_test || depth.stencil_test || depth.bounds_test;
  // Shading changes coverage: fragments that are discarded or fail must not have been written.
  const bool kills =
      (flags & (arch::kShaderKills | arch::kShaderWritesSampleMask)) || registers.raster.alpha_to_coverage;
  const bool exports_depth = flags & arch::kShaderWritesDepth;
  const bool replaces = (flags & arch::kShaderWritesStencil) || !arch::interpolated_depth_rejects(registers);

  auto mode = arch::DepthMode::kEarly;
  if (!(flags & arch::kShaderEarlyTests) && tested) {
    const bool writes_late = kills || reads_depth || exports_depth;
    if (replaces || (flags & arch::kShaderWritesMemory) || (writes_late && stencil_written))
      mode = arch::DepthMode::kLate;
    else if (exports_depth || (writes_late && depth.depth_write)) mode = arch::DepthMode::kEarlyTestLateWrite;
  }
  depth.mode = static_cast<uint32_t>(mode);

  const auto compare = static_cast<arch::Compare>(depth.depth_compare);
  const bool ordered = compare == arch::Compare::kLess || compare == arch::Compare::kLessOrEqual ||
                       compare == arch::Compare::kEqual || compare == arch::Compare::kGreater ||
                       compare == arch::Compare::kGreaterOrEqual;
  const bool failure_counts =
      depth.stencil_test && (modifies_on_failure(depth.front) || modifies_on_failure(depth.back));
  const bool shading_counts = flags & (arch::kShaderWritesMemory) && !(flags & arch::kShaderEarlyTests);
  depth.hierarchical_z = depth.depth_test && ordered && !failure_counts && !shading_counts &&
                         !(replaces && mode != arch::DepthMode::kEarly);
}

}  // namespace cutaway::icd
