#pragma once

#include "icd/testing/resource_fixture.h"

namespace cutaway::icd::testing {

// Makes color output of a pass available to later copies.
constexpr VkSubpassDependency kColorToCopies{0,
                                             VK_SUBPASS_EXTERNAL,
                                             VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                             VK_PIPELINE_STAGE_TRANSFER_BIT,
                                             VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                             VK_ACCESS_TRANSFER_READ_BIT,
                                             0};

// Render passes and framebuffers.
struct Passes : Resources {
  // One subpass with color attachments that are cleared or loaded, and available for copies at the end.
  VkRenderPass make_pass(uint32_t attachments = 1, VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_CLEAR,
                         uint32_t view_mask = 0) {
    VkAttachmentDescription attachment{};
    attachment.format = kFormat;
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = load;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachment.initialLayout =
        load == VK_ATTACHMENT_LOAD_OP_LOAD ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED;
    attachment.finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    const std::vector<VkAttachmentDescription> all(attachments, attachment);
    std::vector<VkAttachmentReference> references;
    for (uint32_t i = 0; i < attachments; i++)
      references.push_back({i, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL});
    VkSubpassDescription subpass{};
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = attachments;
    subpass.pColorAttachments = references.data();
    VkRenderPassMultiviewCreateInfo views{VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO};
    views.subpassCount = 1;
    views.pViewMasks = &view_mask;
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, view_mask ? &views : nullptr};
    info.attachmentCount = attachments;
    info.pAttachments = all.data();
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = 1;
    info.pDependencies = &kColorToCopies;
    return make_pass(info);
  }
  VkRenderPass make_pass(const VkRenderPassCreateInfo& info) {
    VkRenderPass pass = VK_NULL_HANDLE;
    ok(vkCreateRenderPass(device, &info, nullptr, &pass));
    at_end([this, pass] { vkDestroyRenderPass(device, pass, nullptr); });
    return pass;
  }

  // One subpass with a color and a depth attachment, both cleared; color is available for copies at the end.
  VkRenderPass make_color_depth_pass(VkFormat depth_format) {
    VkAttachmentDescription attachments[2] = {};
    for (VkAttachmentDescription& a : attachments) {
      a.samples = VK_SAMPLE_COUNT_1_BIT;
      a.loadOp = a.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    }
    attachments[0].format = kFormat;
    attachments[0].finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    attachments[1].format = depth_format;
    attachments[1].finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference depth{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass{};
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &color;
    subpass.pDepthStencilAttachment = &depth;
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    info.attachmentCount = 2;
    info.pAttachments = attachments;
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = 1;
    info.pDependencies = &kColorToCopies;
    return make_pass(info);
  }

  VkFramebuffer make_framebuffer(VkRenderPass pass, const std::vector<VkImageView>& views,
                                 uint32_t layers = 1) {
    VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO};
    info.renderPass = pass;
    info.attachmentCount = static_cast<uint32_t>(views.size());
    info.pAttachments = views.data();
    info.width = info.height = kSide;
    info.layers = layers;
    VkFramebuffer framebuffer = VK_NULL_HANDLE;
    ok(vkCreateFramebuffer(device, &info, nullptr, &framebuffer));
    at_end([this, framebuffer] { vkDestroyFramebuffer(device, framebuffer, nullptr); });
    return framebuffer;
  }
};

}  // namespace cutaway::icd::testing
