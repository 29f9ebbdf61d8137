#pragma once

#include "icd/testing/render_fixture.h"

// A subpass that writes depth and stencil and reads both as input attachments, ordered by barriers within it
// (Vulkan "Subpass Self-dependency").
namespace cutaway::icd::testing {

constexpr VkFormat kFeedbackFormat = VK_FORMAT_D24_UNORM_S8_UINT;
constexpr VkPipelineStageFlags kFeedbackStages =
    VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;

// Color, depth and stencil are cleared.
inline VkRenderPass make_feedback_pass(Renderer& renderer) {
  VkAttachmentDescription attachments[2] = {};
  for (VkAttachmentDescription& attachment : attachments) {
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.loadOp = attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    attachment.storeOp = attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
  }
  attachments[0].format = Renderer::kFormat;
  attachments[0].finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  attachments[1].format = kFeedbackFormat;
  attachments[1].finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference depth{1, VK_IMAGE_LAYOUT_GENERAL};
  const VkAttachmentReference inputs[2] = {depth, depth};
  VkSubpassDescription subpass{};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  subpass.pDepthStencilAttachment = &depth;
  subpass.inputAttachmentCount = 2;
  subpass.pInputAttachments = inputs;
  const VkSubpassDependency dependencies[2] = {
      {0, 0, kFeedbackStages, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
       VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
       VK_DEPENDENCY_BY_REGION_BIT},
      {0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
       VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT, 0}};
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 2;
  info.pAttachments = attachments;
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = 2;
  info.pDependencies = dependencies;
  return renderer.make_pass(info);
}

inline void feedback_barrier(VkCommandBuffer commands) {
  const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr,
                               VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
                               VK_ACCESS_INPUT_ATTACHMENT_READ_BIT};
  vkCmdPipelineBarrier(commands, kFeedbackStages, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                       VK_DEPENDENCY_BY_REGION_BIT, 1, &memory, 0, nullptr, 0, nullptr);
}

// Draws half.vert's left half, then both halves. depth_stencil_input.frag outputs the previous depth and
// stencil, initially 0.8 and 5, and writes 0.5 and 9.
inline Renderer::Buffer draw_depth_feedback(Renderer& renderer, VkShaderModule vertex,
                                            VkShaderModule fragment) {
  const VkRenderPass pass = make_feedback_pass(renderer);
  const Renderer::Image target = renderer.make_target();
  const Renderer::Image depth = renderer.make_image(
      kFeedbackFormat, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
  const VkDescriptorType input = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  const auto [set_layout, set] = renderer.make_set({{0, input, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
                                                    {1, input, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}});
  for (uint32_t i = 0; i < 2; i++) {
    const VkImageAspectFlags aspect = i ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_DEPTH_BIT;
    const VkDescriptorImageInfo image{VK_NULL_HANDLE, renderer.make_view(depth, {aspect, 0, 1, 0, 1}),
                                      VK_IMAGE_LAYOUT_GENERAL};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, nullptr, set, i, 0, 1, input};
    write.pImageInfo = &image;
    vkUpdateDescriptorSets(renderer.device, 1, &write, 0, nullptr);
  }
  Renderer::PipelineShape shape;
  shape.vertex = vertex;
  shape.fragment = fragment;
  shape.layout = renderer.make_layout({set_layout});
  shape.pass = pass;
  shape.depth.depthTestEnable = shape.depth.depthWriteEnable = shape.depth.stencilTestEnable = VK_TRUE;
  shape.depth.depthCompareOp = VK_COMPARE_OP_ALWAYS;
  VkStencilOpState& front = shape.depth.front;
  front.passOp = VK_STENCIL_OP_REPLACE;
  front.compareOp = VK_COMPARE_OP_ALWAYS;
  front.compareMask = front.writeMask = 0xff;
  front.reference = 9;
  shape.depth.back = front;
  const VkPipeline pipeline = renderer.make_pipeline(shape);

  const VkCommandBuffer commands = renderer.begin();
  std::vector<VkClearValue> clears(2);
  clears[1].depthStencil = {0.8f, 5};
  Renderer::begin_pass(commands, pass, renderer.make_framebuffer(pass, {target.view, depth.view}),
                       VK_SUBPASS_CONTENTS_INLINE, clears);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, shape.layout, 0, 1, &set, 0, nullptr);
  feedback_barrier(commands);
  vkCmdDraw(commands, 6, 1, 0, 0);
  feedback_barrier(commands);
  vkCmdDraw(commands, 6, 2, 0, 0);
  vkCmdEndRenderPass(commands);
  const Renderer::Buffer picture = renderer.read_back(commands, target);
  renderer.submit(commands);
  return picture;
}

inline void expect_depth_feedback(const Renderer::Buffer& picture) {
  constexpr uint32_t kSide = Renderer::kSide;
  for (uint32_t y = 0; y < kSide; y++)
    for (uint32_t x = 0; x < kSide; x++)
      EXPECT_EQ(Renderer::pixel(picture, x, y),
                x < kSide / 2 ? (Color{128, 9, 0, 255}) : (Color{204, 5, 0, 255}))
          << x << " " << y;
}

}  // namespace cutaway::icd::testing
