#pragma once

#include <memory>
#include <vector>

#include "icd/pipeline/kept_pipeline_state.h"
#include "icd/pipeline/pipeline.h"

namespace cutaway::icd {

// Parts of graphics pipelines, from which pipelines are linked (VK_EXT_graphics_pipeline_library). A library
// holds state and SPIR-V; a stage is compiled when a pipeline is linked, because what it need not compute
// follows from the stages behind it.
class PipelineLibrary final : public Pipeline {
 public:
  explicit PipelineLibrary(const VkGraphicsPipelineCreateInfo& info);

  // Parts of the libraries that `info` names, then its own.
  static std::vector<std::shared_ptr<const KeptPipelineState>> collect(
      const VkGraphicsPipelineCreateInfo& info);

 private:
  std::vector<std::shared_ptr<const KeptPipelineState>> parts_;
};

// A whole pipeline's state, put together of parts. Pointers lead into the parts, which it keeps.
class LinkedPipelineState {
 public:
  explicit LinkedPipelineState(const VkGraphicsPipelineCreateInfo& info);
  LinkedPipelineState(const LinkedPipelineState&) = delete;
  LinkedPipelineState& operator=(const LinkedPipelineState&) = delete;

  const VkGraphicsPipelineCreateInfo& info() const { return info_; }
  const SubpassShape& subpass() const { return subpass_; }

 private:
  std::vector<std::shared_ptr<const KeptPipelineState>> parts_;
  std::vector<VkPipelineShaderStageCreateInfo> stages_;
  std::vector<VkDynamicState> dynamic_;
  VkPipelineDynamicStateCreateInfo dynamic_state_{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  PipelineLayout layout_;
  SubpassShape subpass_;
  VkGraphicsPipelineCreateInfo info_{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
};

// True if `info` makes a library, or links some.
bool has_libraries(const VkGraphicsPipelineCreateInfo& info);

}  // namespace cutaway::icd
