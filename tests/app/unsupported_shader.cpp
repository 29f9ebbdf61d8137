// A program whose fragment shader computes with doubles, which Cutaway does not offer: for tests of how the
// command tells that.
#include <cstdint>

#include "double_precision.frag.h"
#include "full_screen.vert.h"
#include "headless.h"

int main() {
  const headless::Context context;
  const VkDevice device = context.device();
  VkAttachmentDescription attachment{};
  attachment.format = VK_FORMAT_R8G8B8A8_UNORM;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.finalLayout = VK_IMAGE_LAYOUT_GENERAL;
  const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  VkRenderPassCreateInfo pass_info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  pass_info.attachmentCount = 1, pass_info.pAttachments = &attachment;
  pass_info.subpassCount = 1, pass_info.pSubpasses = &subpass;
  VkRenderPass pass = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateRenderPass(device, &pass_info, nullptr, &pass));
  const VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout));

  const VkPipelineShaderStageCreateInfo stages[] = {
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, VK_SHADER_STAGE_VERTEX_BIT,
       context.make_shader(full_screen_vert, sizeof full_screen_vert), "main", nullptr},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, VK_SHADER_STAGE_FRAGMENT_BIT,
       context.make_shader(double_precision_frag, sizeof double_precision_frag), "main", nullptr}};
  const VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkPipelineInputAssemblyStateCreateInfo assembly{
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, nullptr, 0,
      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_FALSE};
  const VkViewport viewport{0, 0, 64, 64, 0, 1};
  const VkRect2D scissor{{0, 0}, {64, 64}};
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
  info.layout = layout, info.renderPass = pass;
  VkPipeline pipeline = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  return 0;
}
