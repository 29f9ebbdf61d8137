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

constexpr uint16_t kSolidLine = 0xffff;  // until a command sets the pattern

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

void translate_assembly(const VkPipelineInputAssemblyStateCreateInfo& info, Registers& registers) {
  if (!offer().has(info.topology)) unsupported("primitive topology {}", static_cast<int>(info.topology));
  registers.assembly.topology = static_cast<uint32_t>(info.topology);
  registers.assembly.primitive_restart = info.primitiveRestartEnable ? 1 : 0;
  registers.assembly.vertex_base_in_id = 1;
}

void translate_tessellation(const VkPipelineTessellationStateCreateInfo& info, Registers& registers) {
  registers.tessellation.patch_vertices = info.patchControlPoints;
  // "Tessellator": coordinates do not depend on the origin, but the winding is reversed for the other origin.
  const auto* origin = find_struct<VkPipelineTessellationDomainOriginStateCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO);
  registers.tessellation.clockwise =
      origin && origin->domainOrigin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
}

void translate_lines(const VkPipelineRasterizationStateCreateInfo& info, uint32_t dynamic,
                     Registers& registers) {
  auto& raster = registers.raster;
  raster.line_width = info.lineWidth;
  const auto* line = find_struct<VkPipelineRasterizationLineStateCreateInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
  if (!line) return;
  raster.line_mode = static_cast<uint32_t>(line->lineRasterizationMode);
  if (!line->stippledLineEnable) return;
  raster.line_stipple = dynamic & kDynamicLineStipple
                            ? line_stipple(1, kSolidLine)
                            : line_stipple(line->lineStippleFactor, line->lineStipplePattern);
}

void translate_rasterization(const VkPipelineRasterizationStateCreateInfo& info, uint32_t dynamic,
                             Registers& registers) {
  auto& raster = registers.raster;
  if (info.polygonMode > VK_POLYGON_MODE_POINT)
    unsupported("polygon mode {}", static_cast<int>(info.polygonMode));
  raster.depth_clamp = info.depthClampEnable ? 1 : 0;
  raster.depth_clip = info.depthClampEnable ? 0u : arch::kClipDepth;
  if (const auto* clip = find_struct<VkPipelineRasterizationDepthClipStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT))
    raster.depth_clip = clip->depthClipEnable ? arch::kClipDepth : 0u;
  raster.cull_mode = info.cullMode;
  raster.front_face = static_cast<uint32_t>(info.frontFace);
  raster.polygon_mode = static_cast<uint32_t>(info.polygonMode);
  raster.rasterizer_discard = info.rasterizerDiscardEnable && !(dynamic & kDynamicDiscard) ? 1 : 0;
  raster.depth_bias = info.depthBiasEnable ? 1 : 0;
  raster.depth_bias_constant = info.depthBiasConstantFactor;
  raster.depth_bias_slope = info.depthBiasSlopeFactor;
  raster.depth_bias_clamp = info.depthBiasClamp;
  translate_lines(info, dynamic, registers);
  if (const auto* provoking = find_struct<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT))
    registers.assembly.provoking_vertex = static_cast<uint32_t>(provoking->provokingVertexMode);
}

void translate_viewports(const VkPipelineViewportStateCreateInfo& info, uint32_t dynamic,
                         Registers& registers) {
  if (std::max(info.viewportCount, info.scissorCount) > arch::kViewports)
    invalid_usage("a pipeline with {} viewports of {}", std::max(info.viewportCount, info.scissorCount),
                  arch::kViewports);
  registers.raster.viewports = info.viewportCount;
  if (const auto* control = find_struct<VkPipelineViewportDepthClipControlCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT))
    if (control->negativeOneToOne) registers.raster.depth_clip |= arch::kClipFromMinusOne;
  if (!(dynamic & kDynamicViewport))
    for (uint32_t i = 0; i < info.viewportCount; i++) set_viewport(info.pViewports[i], i, registers);
  if (!(dynamic & kDynamicScissor))
    for (uint32_t i = 0; i < info.scissorCount; i++) set_scissor(info.pScissors[i], i, registers);
}

void translate_multisample(const VkPipelineMultisampleStateCreateInfo& info, Registers& registers) {
  if (!(kSampleCounts & info.rasterizationSamples))
    unsupported("a pipeline of {} samples per pixel", static_cast<int>(info.rasterizationSamples));
  auto& raster = registers.raster;
  raster.samples = static_cast<uint32_t>(info.rasterizationSamples);
  raster.sample_mask = info.pSampleMask ? info.pSampleMask[0] : 0xffffffff;
  raster.alpha_to_coverage = info.alphaToCoverageEnable ? 1 : 0;
  raster.alpha_to_one = info.alphaToOneEnable ? 1 : 0;
  // "Sample Shading": at least max(ceil(minSampleShading × rasterizationSamples), 1) invocations; this GPU
  // runs one or all.
  raster.sample_shading =
      info.sampleShadingEnable && info.minSampleShading * static_cast<float>(info.rasterizationSamples) > 1;
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
                             uint32_t dynamic, Registers& registers) {
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

void translate_blend(const VkPipelineColorBlendStateCreateInfo& info, const SubpassShape& subpass,
                     uint32_t dynamic, Registers& registers) {
  registers.color.logic_op_enable = info.logicOpEnable ? 1 : 0;
  registers.color.logic_op = info.logicOpEnable ? static_cast<uint32_t>(info.logicOp) : 0;
  for (uint32_t i = 0; i < std::min(info.attachmentCount, arch::kColorTargets); i++) {
    if (!(subpass.color_used >> i & 1)) continue;
    const VkPipelineColorBlendAttachmentState& from = info.pAttachments[i];
    arch::ColorTarget& to = registers.color.target[i];
    if (from.blendEnable && (from.colorBlendOp > VK_BLEND_OP_MAX || from.alphaBlendOp > VK_BLEND_OP_MAX))
      unsupported("an advanced blend operation");
    to.blend = from.blendEnable ? 1 : 0;
    if (to.blend) {
      to.color_source = static_cast<uint32_t>(from.srcColorBlendFactor);
      to.color_destination = static_cast<uint32_t>(from.dstColorBlendFactor);
      to.color_op = static_cast<uint32_t>(from.colorBlendOp);
      to.alpha_source = static_cast<uint32_t>(from.srcAlphaBlendFactor);
      to.alpha_destination = static_cast<uint32_t>(from.dstAlphaBlendFactor);
      to.alpha_op = static_cast<uint32_t>(from.alphaBlendOp);
    }
    to.write_mask = dynamic & kDynamicColorWrite || color_write_on(info, i) ? from.colorWriteMask : 0;
  }
  std::copy(info.blendConstants, info.blendConstants + 4, registers.color.blend_constant);
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

}  // namespace

PipelineState translate_pipeline(const VkGraphicsPipelineCreateInfo& info, const SubpassShape& subpass) {
  PipelineState state;
  if (info.pDynamicState)
    for (uint32_t i = 0; i < info.pDynamicState->dynamicStateCount; i++)
      state.dynamic |= dynamic_bits(info.pDynamicState->pDynamicStates[i]);
  // A pipeline that is linked of libraries may lack a part.
  const auto needs = [](const void* part, const char* name) {
    if (!part) invalid_usage("a pipeline without {} state", name);
  };
  Registers& registers = state.registers;
  needs(info.pInputAssemblyState, "input assembly");
  needs(info.pRasterizationState, "rasterization");
  if (!(state.dynamic & kDynamicVertexInput)) {
    needs(info.pVertexInputState, "vertex input");
    translate_vertex_input(*info.pVertexInputState, registers);
  }
  translate_assembly(*info.pInputAssemblyState, registers);
  const auto divides = [](const VkPipelineShaderStageCreateInfo& stage) {
    return stage.stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
  };
  if (std::any_of(info.pStages, info.pStages + info.stageCount, divides) && info.pTessellationState)
    translate_tessellation(*info.pTessellationState, registers);
  translate_rasterization(*info.pRasterizationState, state.dynamic, registers);
  // With rasterizer discard, Vulkan ignores, and does not read, the later state.
  if (registers.raster.rasterizer_discard) return state;
  needs(info.pViewportState, "viewport");
  needs(info.pMultisampleState, "multisample");
  if (subpass.depth || subpass.stencil) needs(info.pDepthStencilState, "depth-stencil");
  if (subpass.color_used) needs(info.pColorBlendState, "color blend");
  translate_viewports(*info.pViewportState, state.dynamic, registers);
  translate_multisample(*info.pMultisampleState, registers);
  if (subpass.depth || subpass.stencil)
    translate_depth_stencil(*info.pDepthStencilState, subpass, state.dynamic, registers);
  if (subpass.color_used) translate_blend(*info.pColorBlendState, subpass, state.dynamic, registers);
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
