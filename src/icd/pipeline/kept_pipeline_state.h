#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "icd/pipeline/kept_stage.h"
#include "icd/pipeline/pipeline_layout.h"
#include "icd/pipeline/pipeline_state.h"

namespace cutaway::icd {

// Copies of the parts of a pipeline's state that a pipeline library holds (VK_EXT_graphics_pipeline_library),
// in Vulkan's structures. Nothing of it points into what it was made from: modules, layouts and render passes
// may be destroyed. State of other parts is not read.
class KeptPipelineState {
 public:
  using Parts = VkGraphicsPipelineLibraryFlagsEXT;

  // own: the parts that `info` states itself.
  KeptPipelineState(const VkGraphicsPipelineCreateInfo& info, Parts own);
  KeptPipelineState(const KeptPipelineState&) = delete;
  KeptPipelineState& operator=(const KeptPipelineState&) = delete;

  Parts parts() const { return parts_; }
  // Puts the parts among `parts` into a pipeline's state; pointers lead into this object. Stages and dynamic
  // state are appended to the lists.
  void put(Parts parts, VkGraphicsPipelineCreateInfo& info,
           std::vector<VkPipelineShaderStageCreateInfo>& stages, std::vector<VkDynamicState>& dynamic) const;
  const PipelineLayout* layout() const { return layout_ ? &*layout_ : nullptr; }
  const SubpassShape& subpass() const { return subpass_; }  // of the parts behind the rasteriser

 private:
  template <class T>
  void keep(const void* chain, VkStructureType type, std::optional<T>& to, const void*& next);
  void keep_vertex_input(const VkGraphicsPipelineCreateInfo& info);
  void keep_pre_rasterization(const VkGraphicsPipelineCreateInfo& info);
  void keep_rasterization(const VkPipelineRasterizationStateCreateInfo& from);
  void keep_viewports(const VkPipelineViewportStateCreateInfo& from);
  void keep_fragment_output(const VkGraphicsPipelineCreateInfo& info);
  void keep_multisample(const VkPipelineMultisampleStateCreateInfo& from);

  const Parts parts_;
  const VkPipelineCreateFlags feedback_;  // the flag of feedback loops of depth, or none
  std::vector<VkDynamicState> dynamic_;
  std::deque<KeptStage> stages_;
  std::optional<PipelineLayout> layout_;
  SubpassShape subpass_;

  std::vector<VkVertexInputBindingDescription> bindings_;
  std::vector<VkVertexInputAttributeDescription> attributes_;
  std::vector<VkVertexInputBindingDivisorDescriptionEXT> divisors_;
  std::optional<VkPipelineVertexInputDivisorStateCreateInfoEXT> divisor_state_;
  std::optional<VkPipelineVertexInputStateCreateInfo> vertex_input_;
  std::optional<VkPipelineInputAssemblyStateCreateInfo> assembly_;

  std::optional<VkPipelineTessellationDomainOriginStateCreateInfo> domain_origin_;
  std::optional<VkPipelineTessellationStateCreateInfo> tessellation_;
  std::vector<VkViewport> viewports_;
  std::vector<VkRect2D> scissors_;
  std::optional<VkPipelineViewportDepthClipControlCreateInfoEXT> clip_control_;
  std::optional<VkPipelineViewportStateCreateInfo> viewport_;
  std::optional<VkPipelineRasterizationLineStateCreateInfoEXT> lines_;
  std::optional<VkPipelineRasterizationDepthClipStateCreateInfoEXT> depth_clip_;
  std::optional<VkPipelineRasterizationProvokingVertexStateCreateInfoEXT> provoking_;
  std::optional<VkPipelineRasterizationStateCreateInfo> rasterization_;

  std::optional<VkPipelineDepthStencilStateCreateInfo> depth_stencil_;

  VkSampleMask sample_mask_ = 0;
  std::optional<VkPipelineMultisampleStateCreateInfo> multisample_;
  std::vector<VkPipelineColorBlendAttachmentState> blends_;
  std::vector<VkBool32> color_writes_;
  std::optional<VkPipelineColorWriteCreateInfoEXT> color_write_;
  std::optional<VkPipelineColorBlendStateCreateInfo> blend_;
};

// The parts of a pipeline that `info` states itself: those of VkGraphicsPipelineLibraryCreateInfoEXT; without
// it all of a whole pipeline, none of a library or of one that is linked of libraries.
KeptPipelineState::Parts own_parts(const VkGraphicsPipelineCreateInfo& info);

}  // namespace cutaway::icd
