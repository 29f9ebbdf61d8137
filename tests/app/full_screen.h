#pragma once

#include <functional>

#include "full_screen.vert.h"
#include "headless.h"

// A strip of four vertices over all of a square target.
namespace full_screen {

constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;

// Clears one color target, which is copied from afterwards.
inline VkRenderPass make_pass(VkDevice device) {
  VkAttachmentDescription attachment{};
  attachment.format = kFormat;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  const VkSubpassDependency end{0,
                                VK_SUBPASS_EXTERNAL,
                                VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                VK_PIPELINE_STAGE_TRANSFER_BIT,
                                VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                VK_ACCESS_TRANSFER_READ_BIT,
                                0};
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 1, info.pAttachments = &attachment;
  info.subpassCount = 1, info.pSubpasses = &subpass;
  info.dependencyCount = 1, info.pDependencies = &end;
  VkRenderPass pass = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateRenderPass(device, &info, nullptr, &pass));
  return pass;
}

struct Pipeline {
  VkShaderModule vertex = VK_NULL_HANDLE, fragment = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;

  void destroy(VkDevice device) const {
    vkDestroyPipeline(device, pipeline, nullptr);
    vkDestroyPipelineLayout(device, layout, nullptr);
    vkDestroyShaderModule(device, vertex, nullptr);
    vkDestroyShaderModule(device, fragment, nullptr);
  }
};

// side: pixels. constants: of the fragment shader, or nullptr. name: names the modules before they are used.
inline Pipeline make_pipeline(const headless::Context& context, VkRenderPass pass, uint32_t side,
                              const uint32_t* fragment, size_t fragment_bytes,
                              const VkSpecializationInfo* constants,
                              const std::function<void(const Pipeline& made)>& name = {}) {
  const VkDevice device = context.device();
  const VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  Pipeline made;
  made.vertex = context.make_shader(full_screen_vert, sizeof full_screen_vert);
  made.fragment = context.make_shader(fragment, fragment_bytes);
  if (name) name(made);
  HEADLESS_CHECK(vkCreatePipelineLayout(device, &layout_info, nullptr, &made.layout));
  const VkPipelineShaderStageCreateInfo stages[] = {
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, VK_SHADER_STAGE_VERTEX_BIT,
       made.vertex, "main", nullptr},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, VK_SHADER_STAGE_FRAGMENT_BIT,
       made.fragment, "main", constants}};
  const VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkPipelineInputAssemblyStateCreateInfo assembly{
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, nullptr, 0,
      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_FALSE};
  const VkViewport viewport{0, 0, static_cast<float>(side), static_cast<float>(side), 0, 1};
  const VkRect2D scissor{{0, 0}, {side, side}};
  const VkPipelineViewportStateCreateInfo viewports{
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, nullptr, 0, 1, &viewport, 1, &scissor};
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineColorBlendAttachmentState blend{};
  blend.colorWriteMask = 0xf;
  VkPipelineColorBlendStateCreateInfo blends{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blends.attachmentCount = 1, blends.pAttachments = &blend;
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.stageCount = 2, info.pStages = stages;
  info.pVertexInputState = &input, info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewports, info.pRasterizationState = &raster;
  info.pMultisampleState = &samples, info.pColorBlendState = &blends;
  info.layout = made.layout, info.renderPass = pass;
  HEADLESS_CHECK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &made.pipeline));
  return made;
}

}  // namespace full_screen
