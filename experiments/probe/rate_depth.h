#pragma once

#include <array>

#include "rate_read.h"

// A target like that of a drawing, but for its depths: they come from a copy, so that no unit knows them to
// be cleared. Pipelines of the drawing draw into it.
class PlainDepth {
 public:
  static constexpr VkFormat kDepthFormat = VK_FORMAT_D32_SFLOAT;

  PlainDepth(const headless::Context& context, uint32_t side)
      : context_(context), side_(side), pass_(make_pass()) {
    const std::vector<float> far(size_t{side} * side, 1.0f);
    depths_ = context.make_buffer(far.data(), far.size() * sizeof far[0], VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    color_ = context.make_image(VK_FORMAT_R8G8B8A8_UNORM, side, side, 1,
                                VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    depth_ =
        context.make_image(kDepthFormat, side, side, 1,
                           VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    const std::array<VkImageView, 2> views = {color_.view, depth_.view};
    const VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                       nullptr,
                                       0,
                                       pass_,
                                       views.size(),
                                       views.data(),
                                       side,
                                       side,
                                       1};
    HEADLESS_CHECK(vkCreateFramebuffer(context.device(), &info, nullptr, &framebuffer_));
  }
  ~PlainDepth() {
    vkDestroyFramebuffer(context_.device(), framebuffer_, nullptr);
    vkDestroyRenderPass(context_.device(), pass_, nullptr);
    context_.destroy(color_);
    context_.destroy(depth_);
    context_.destroy(depths_);
  }
  PlainDepth(const PlainDepth&) = delete;
  PlainDepth& operator=(const PlainDepth&) = delete;

  template <class Body>
  void record(VkCommandBuffer commands, Body&& body) const {
    upload(commands);
    const std::array<VkClearValue, 2> clears{};
    const VkRenderPassBeginInfo begin{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                      nullptr,
                                      pass_,
                                      framebuffer_,
                                      {{0, 0}, {side_, side_}},
                                      clears.size(),
                                      clears.data()};
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    body(commands);
    vkCmdEndRenderPass(commands);
  }

 private:
  VkRenderPass make_pass() const {
    std::array<VkAttachmentDescription, 2> attachments{};
    attachments[0].format = VK_FORMAT_R8G8B8A8_UNORM;
    attachments[0].loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachments[0].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachments[0].finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    attachments[1].format = kDepthFormat;
    attachments[1].loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
    attachments[1].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachments[1].initialLayout = attachments[1].finalLayout =
        VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    for (VkAttachmentDescription& attachment : attachments) {
      attachment.samples = VK_SAMPLE_COUNT_1_BIT;
      attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
      attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    }
    const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference depth{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    VkSubpassDescription subpass{};
    subpass.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    subpass.colorAttachmentCount = 1;
    subpass.pColorAttachments = &color;
    subpass.pDepthStencilAttachment = &depth;
    // As that of a drawing, or its pipelines would not fit.
    const VkSubpassDependency to_copy{0,
                                      VK_SUBPASS_EXTERNAL,
                                      VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                      VK_PIPELINE_STAGE_TRANSFER_BIT,
                                      VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                      VK_ACCESS_TRANSFER_READ_BIT,
                                      0};
    VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
    info.attachmentCount = attachments.size();
    info.pAttachments = attachments.data();
    info.subpassCount = 1;
    info.pSubpasses = &subpass;
    info.dependencyCount = 1;
    info.pDependencies = &to_copy;
    VkRenderPass made = VK_NULL_HANDLE;
    HEADLESS_CHECK(vkCreateRenderPass(context_.device(), &info, nullptr, &made));
    return made;
  }
  void upload(VkCommandBuffer commands) const {
    const headless::ImageState written{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                                       VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
    headless::image_barrier(commands, depth_.image,
                            {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED}, written,
                            VK_IMAGE_ASPECT_DEPTH_BIT);
    VkBufferImageCopy region{};
    region.imageSubresource = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, 1};
    region.imageExtent = {side_, side_, 1};
    vkCmdCopyBufferToImage(commands, depths_.buffer, depth_.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                           &region);
    headless::image_barrier(
        commands, depth_.image, written,
        {VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT,
         VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
         VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL},
        VK_IMAGE_ASPECT_DEPTH_BIT);
  }

  const headless::Context& context_;
  const uint32_t side_;
  const VkRenderPass pass_;
  headless::Buffer depths_;
  headless::Image color_, depth_;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
};
