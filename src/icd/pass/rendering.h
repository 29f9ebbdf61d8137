#pragma once

#include <vector>

#include "icd/pass/render_pass.h"

namespace cutaway::icd {

// The state that vkCmdBeginRendering begins: a render pass of one subpass without dependencies of its own,
// and its attachments. It keeps no pointers into the structures that it was made from.
struct Rendering {
  explicit Rendering(const VkRenderingInfo& info);

  RenderPass pass;
  std::vector<const ImageView*> views;  // by attachment of the pass
  std::vector<VkClearValue> clear_values;
  VkRect2D area{};
  uint32_t layers = 1;

 private:
  uint32_t add(RenderPass::Attachment attachment, const VkRenderingAttachmentInfo& info, VkImageView view);
  void add_colors(const VkRenderingInfo& info, RenderPass::Subpass& subpass);
  void add_depth_stencil(const VkRenderingInfo& info, RenderPass::Subpass& subpass);

  std::vector<RenderPass::Attachment> attachments_;
};

// The attachments that a pipeline without a render pass declares.
SubpassShape rendering_shape(const VkGraphicsPipelineCreateInfo& info);

}  // namespace cutaway::icd
