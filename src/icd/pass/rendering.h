#pragma once

#include <vector>

#include "icd/pass/render_pass.h"

namespace cutaway::icd {

// What vkCmdBeginRendering begins: a render pass of one subpass that depends on nothing by itself, and what
// it draws to. It views nothing of the structures that it was made from.
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

// The attachments that a pipeline without a render pass says that it draws to.
SubpassShape rendering_shape(const VkGraphicsPipelineCreateInfo& info);

}  // namespace cutaway::icd
