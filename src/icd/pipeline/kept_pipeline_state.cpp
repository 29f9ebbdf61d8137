#include "icd/pipeline/kept_pipeline_state.h"

#include <algorithm>

#include "icd/pass/rendering.h"
#include "icd/pipeline/pipeline.h"

namespace cutaway::icd {
namespace {

constexpr auto kVertexInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr auto kPreRasterization = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr auto kFragmentShader = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr auto kFragmentOutput = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
constexpr KeptPipelineState::Parts kAll =
    kVertexInput | kPreRasterization | kFragmentShader | kFragmentOutput;

// The part of a pipeline that a dynamic state belongs to ("Complete Graphics Pipelines").
VkGraphicsPipelineLibraryFlagBitsEXT part_of(VkDynamicState state) {
  switch (state) {
    case VK_DYNAMIC_STATE_VERTEX_INPUT_EXT:
    case VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE:
    case VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY:
    case VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE:
      return kVertexInput;
    case VK_DYNAMIC_STATE_DEPTH_BOUNDS:
    case VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK:
    case VK_DYNAMIC_STATE_STENCIL_WRITE_MASK:
    case VK_DYNAMIC_STATE_STENCIL_REFERENCE:
    case VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE:
    case VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE:
    case VK_DYNAMIC_STATE_DEPTH_COMPARE_OP:
    case VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE:
    case VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE:
    case VK_DYNAMIC_STATE_STENCIL_OP:
      return kFragmentShader;
    case VK_DYNAMIC_STATE_BLEND_CONSTANTS:
    case VK_DYNAMIC_STATE_LOGIC_OP_EXT:
    case VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT:
    case VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT:
    case VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT:
    case VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT:
    case VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT:
    case VK_DYNAMIC_STATE_SAMPLE_MASK_EXT:
    case VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT:
    case VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT:
      return kFragmentOutput;
    default:
      return kPreRasterization;
  }
}

template <class T>
std::vector<T> list(const T* from, uint32_t count) {
  return from ? std::vector<T>(from, from + count) : std::vector<T>{};
}

bool is_dynamic(const std::vector<VkDynamicState>& dynamic, VkDynamicState state) {
  return std::find(dynamic.begin(), dynamic.end(), state) != dynamic.end();
}

}  // namespace

KeptPipelineState::Parts own_parts(const VkGraphicsPipelineCreateInfo& info) {
  if (const auto* own = find_struct<VkGraphicsPipelineLibraryCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT))
    return own->flags;
  const auto* linked = find_struct<VkPipelineLibraryCreateInfoKHR>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
  const bool part = (info.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) || (linked && linked->libraryCount);
  return part ? 0 : kAll;
}

KeptPipelineState::KeptPipelineState(const VkGraphicsPipelineCreateInfo& info, Parts own)
    : parts_(own), feedback_(info.flags & VK_PIPELINE_CREATE_DEPTH_STENCIL_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT) {
  if (info.pDynamicState)
    for (uint32_t i = 0; i < info.pDynamicState->dynamicStateCount; i++)
      if (parts_ & part_of(info.pDynamicState->pDynamicStates[i]))
        dynamic_.push_back(info.pDynamicState->pDynamicStates[i]);
  if (parts_ & kVertexInput) keep_vertex_input(info);
  if (parts_ & kPreRasterization) keep_pre_rasterization(info);
  if (parts_ & (kPreRasterization | kFragmentShader)) {
    if (info.layout) layout_ = *object(info.layout);
    for (uint32_t i = 0; i < info.stageCount; i++) {
      const bool fragment = info.pStages[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT;
      if (parts_ & (fragment ? kFragmentShader : kPreRasterization)) stages_.emplace_back(info.pStages[i]);
    }
  }
  if (parts_ & kFragmentShader && info.pDepthStencilState) {
    depth_stencil_ = *info.pDepthStencilState;
    depth_stencil_->pNext = nullptr;
  }
  if (parts_ & kFragmentOutput) keep_fragment_output(info);
}

// Copies a structure of a chain and puts the copy in front of `next`.
template <class T>
void KeptPipelineState::keep(const void* chain, VkStructureType type, std::optional<T>& to,
                             const void*& next) {
  const auto* from = find_struct<T>(chain, type);
  if (!from) return;
  to = *from;
  to->pNext = next;
  next = &*to;
}

void KeptPipelineState::keep_vertex_input(const VkGraphicsPipelineCreateInfo& info) {
  if (const auto* from = info.pInputAssemblyState) {
    assembly_ = *from;
    assembly_->pNext = nullptr;
  }
  if (is_dynamic(dynamic_, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT) || !info.pVertexInputState) return;
  const VkPipelineVertexInputStateCreateInfo& from = *info.pVertexInputState;
  bindings_ = list(from.pVertexBindingDescriptions, from.vertexBindingDescriptionCount);
  attributes_ = list(from.pVertexAttributeDescriptions, from.vertexAttributeDescriptionCount);
  const void* next = nullptr;
  keep(from.pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT, divisor_state_,
       next);
  if (divisor_state_) {
    divisors_ = list(divisor_state_->pVertexBindingDivisors, divisor_state_->vertexBindingDivisorCount);
    divisor_state_->pVertexBindingDivisors = divisors_.data();
  }
  vertex_input_ = from;
  vertex_input_->pNext = next;
  vertex_input_->pVertexBindingDescriptions = bindings_.data();
  vertex_input_->pVertexAttributeDescriptions = attributes_.data();
}

void KeptPipelineState::keep_pre_rasterization(const VkGraphicsPipelineCreateInfo& info) {
  if (info.pRasterizationState) keep_rasterization(*info.pRasterizationState);
  const bool divides = std::any_of(info.pStages, info.pStages + info.stageCount, [](const auto& stage) {
    return stage.stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
  });
  if (divides && info.pTessellationState) {
    const void* next = nullptr;
    keep(info.pTessellationState->pNext,
         VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO, domain_origin_, next);
    tessellation_ = *info.pTessellationState;
    tessellation_->pNext = next;
  }
  // "pViewportState is ignored if the pipeline has rasterization disabled."
  const bool discards = rasterization_ && rasterization_->rasterizerDiscardEnable &&
                        !is_dynamic(dynamic_, VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE);
  if (!discards && info.pViewportState) keep_viewports(*info.pViewportState);
}

void KeptPipelineState::keep_rasterization(const VkPipelineRasterizationStateCreateInfo& from) {
  const void* next = nullptr;
  keep(from.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT, lines_, next);
  keep(from.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT, depth_clip_,
       next);
  keep(from.pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
       provoking_, next);
  rasterization_ = from;
  rasterization_->pNext = next;
}

void KeptPipelineState::keep_viewports(const VkPipelineViewportStateCreateInfo& from) {
  const bool open = is_dynamic(dynamic_, VK_DYNAMIC_STATE_VIEWPORT);
  const bool open_scissor = is_dynamic(dynamic_, VK_DYNAMIC_STATE_SCISSOR);
  viewports_ = list(open ? nullptr : from.pViewports, from.viewportCount);
  scissors_ = list(open_scissor ? nullptr : from.pScissors, from.scissorCount);
  const void* next = nullptr;
  keep(from.pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT, clip_control_,
       next);
  viewport_ = from;
  viewport_->pNext = next;
  viewport_->pViewports = viewports_.data();
  viewport_->pScissors = scissors_.data();
}

void KeptPipelineState::keep_fragment_output(const VkGraphicsPipelineCreateInfo& info) {
  subpass_ = info.renderPass ? object(info.renderPass)->shape(info.subpass) : rendering_shape(info);
  if (info.pMultisampleState) keep_multisample(*info.pMultisampleState);
  // "pAttachments [...] is ignored" if all of its state is dynamic.
  const bool blends = !is_dynamic(dynamic_, VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT) ||
                      !is_dynamic(dynamic_, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT) ||
                      !is_dynamic(dynamic_, VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT);
  if (!info.pColorBlendState || !subpass_.color_used) return;
  const VkPipelineColorBlendStateCreateInfo& from = *info.pColorBlendState;
  if (blends) blends_ = list(from.pAttachments, from.attachmentCount);
  const void* next = nullptr;
  keep(from.pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT, color_write_, next);
  if (color_write_) {
    color_writes_ = list(color_write_->pColorWriteEnables, color_write_->attachmentCount);
    color_write_->pColorWriteEnables = color_writes_.data();
  }
  blend_ = from;
  blend_->pNext = next;
  blend_->pAttachments = blends_.data();
}

void KeptPipelineState::keep_multisample(const VkPipelineMultisampleStateCreateInfo& from) {
  multisample_ = from;
  multisample_->pNext = nullptr;
  if (!from.pSampleMask || is_dynamic(dynamic_, VK_DYNAMIC_STATE_SAMPLE_MASK_EXT)) {
    multisample_->pSampleMask = nullptr;
    return;
  }
  sample_mask_ = from.pSampleMask[0];  // one word: maxSampleMaskWords
  multisample_->pSampleMask = &sample_mask_;
}

void KeptPipelineState::put(Parts parts, VkGraphicsPipelineCreateInfo& info,
                            std::vector<VkPipelineShaderStageCreateInfo>& stages,
                            std::vector<VkDynamicState>& dynamic) const {
  parts &= parts_;
  info.flags |= feedback_;
  const auto address = [](const auto& kept) { return kept ? &*kept : nullptr; };
  for (const VkDynamicState state : dynamic_)
    if (parts & part_of(state)) dynamic.push_back(state);
  for (const KeptStage& stage : stages_) {
    const bool fragment = stage.info().stage == VK_SHADER_STAGE_FRAGMENT_BIT;
    if (parts & (fragment ? kFragmentShader : kPreRasterization)) stages.push_back(stage.info());
  }
  if (parts & kVertexInput) {
    info.pVertexInputState = address(vertex_input_);
    info.pInputAssemblyState = address(assembly_);
  }
  if (parts & kPreRasterization) {
    info.pTessellationState = address(tessellation_);
    info.pViewportState = address(viewport_);
    info.pRasterizationState = address(rasterization_);
  }
  if (parts & kFragmentShader) info.pDepthStencilState = address(depth_stencil_);
  if (parts & kFragmentOutput) {
    info.pMultisampleState = address(multisample_);
    info.pColorBlendState = address(blend_);
  }
}

}  // namespace cutaway::icd
