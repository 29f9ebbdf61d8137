#include "icd/pass/rendering.h"

#include <algorithm>

#include "icd/command/command_buffer.h"
#include "icd/device/offer.h"
#include "icd/resource/image_view.h"

// Render passes without objects: VK_KHR_dynamic_rendering.
namespace cutaway::icd {
namespace {

bool there(const VkRenderingAttachmentInfo* info) { return info && info->imageView; }

// A resumed pass loads the contents left by the suspended one.
VkAttachmentLoadOp load_of(const VkRenderingInfo& info, const VkRenderingAttachmentInfo* attachment) {
  const bool resumes = info.flags & VK_RENDERING_RESUMING_BIT;
  return there(attachment) && !resumes ? attachment->loadOp : VK_ATTACHMENT_LOAD_OP_LOAD;
}

// "Resolves are not performed by a render pass instance that is suspended."
bool resolves(const VkRenderingInfo& info, const VkRenderingAttachmentInfo* attachment) {
  return there(attachment) && attachment->resolveMode != VK_RESOLVE_MODE_NONE &&
         attachment->resolveImageView && !(info.flags & VK_RENDERING_SUSPENDING_BIT);
}

}  // namespace

Rendering::Rendering(const VkRenderingInfo& info) : area(info.renderArea), layers(info.layerCount) {
  if (info.colorAttachmentCount > offer().programs.color_targets)
    invalid_usage("vkCmdBeginRendering with {} color attachments of {}", info.colorAttachmentCount,
                  offer().programs.color_targets);
  RenderPass::Subpass subpass;
  subpass.view_mask = info.viewMask;
  add_colors(info, subpass);
  add_depth_stencil(info, subpass);
  pass = RenderPass(std::move(attachments_), std::move(subpass));
}

uint32_t Rendering::add(RenderPass::Attachment attachment, const VkRenderingAttachmentInfo& info,
                        VkImageView view) {
  attachments_.push_back(attachment);
  views.push_back(object(view));
  clear_values.push_back(info.clearValue);
  return static_cast<uint32_t>(attachments_.size()) - 1;
}

void Rendering::add_colors(const VkRenderingInfo& info, RenderPass::Subpass& subpass) {
  for (uint32_t i = 0; i < info.colorAttachmentCount; i++) {
    const VkRenderingAttachmentInfo& color = info.pColorAttachments[i];
    uint32_t target = VK_ATTACHMENT_UNUSED, resolved = VK_ATTACHMENT_UNUSED;
    if (there(&color)) target = add({.load = load_of(info, &color)}, color, color.imageView);
    if (resolves(info, &color)) resolved = add({}, color, color.resolveImageView);
    subpass.colors.push_back(target);
    subpass.resolves.push_back(resolved);
  }
}

// Depth and stencil share one image; an aspect without attachment keeps its contents.
void Rendering::add_depth_stencil(const VkRenderingInfo& info, RenderPass::Subpass& subpass) {
  const VkRenderingAttachmentInfo *depth = info.pDepthAttachment, *stencil = info.pStencilAttachment;
  if (!there(depth) && !there(stencil)) return;
  const VkRenderingAttachmentInfo& either = there(depth) ? *depth : *stencil;
  subpass.depth_stencil =
      add({.load = load_of(info, depth), .stencil_load = load_of(info, stencil)}, either, either.imageView);
  if (there(stencil)) clear_values.back().depthStencil.stencil = stencil->clearValue.depthStencil.stencil;
  subpass.resolves_depth = resolves(info, depth);
  subpass.resolves_stencil = resolves(info, stencil);
  if (subpass.resolves_depth) subpass.depth_resolve = add({}, *depth, depth->resolveImageView);
  else if (subpass.resolves_stencil) subpass.depth_resolve = add({}, *stencil, stencil->resolveImageView);
}

SubpassShape rendering_shape(const VkGraphicsPipelineCreateInfo& info) {
  SubpassShape shape;
  const auto* rendering = find_struct<VkPipelineRenderingCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
  if (!rendering) return shape;  // "it is as if the structure has no attachments"
  shape.color_count = std::min(rendering->colorAttachmentCount, arch::kColorTargets);
  for (uint32_t i = 0; i < shape.color_count; i++)
    if (rendering->pColorAttachmentFormats[i] != VK_FORMAT_UNDEFINED) shape.color_used |= 1u << i;
  shape.depth = rendering->depthAttachmentFormat != VK_FORMAT_UNDEFINED;
  shape.stencil = rendering->stencilAttachmentFormat != VK_FORMAT_UNDEFINED;
  return shape;
}

// May also be recorded in a secondary command buffer.
void CmdBeginRendering(VkCommandBuffer commands, const VkRenderingInfo* info) {
  std::shared_ptr<const Rendering> rendering;
  const VkResult result = guard([&] { rendering = std::make_shared<const Rendering>(*info); });
  if (result != VK_SUCCESS) return reinterpret_cast<CommandBufferBase*>(commands)->fail(result);
  now_or_deferred(commands, [rendering](VkCommandBuffer to) {
    object(to)->record([&] { object(to)->pass().begin(rendering); });
  });
}

void CmdEndRendering(VkCommandBuffer commands) {
  object(commands)->record([&] { object(commands)->pass().end(); });
}

}  // namespace cutaway::icd
