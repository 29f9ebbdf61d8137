#include "drawing.h"

#include <array>
#include <cstring>

namespace headless {

VkPipelineDepthStencilStateCreateInfo written_where_nearer() {
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE;
  depth.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  return depth;
}

Drawing::Drawing(const Context& context, uint32_t width, uint32_t height, uint32_t layers,
                 VkFormat depth_format, VkImageUsageFlags more_usage, VkSampleCountFlagBits samples,
                 VkFormat color_format)
    : context_(context),
      width_(width),
      height_(height),
      layers_(layers),
      samples_(samples),
      color_(context.make_image(
          color_format, width, height, 1,
          VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | more_usage, layers)),
      depth_(context.make_image(depth_format, width, height, 1, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
                                layers, samples)),
      pass_(make_drawing_pass(context.device(), color_format, depth_format, samples)) {
  std::vector<VkImageView> views = {color_.view, depth_.view};
  if (samples != VK_SAMPLE_COUNT_1_BIT) {
    many_ = context.make_image(color_format, width, height, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, layers,
                               samples);
    views = {many_.view, depth_.view, color_.view};
  }
  const VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                     nullptr,
                                     0,
                                     pass_,
                                     static_cast<uint32_t>(views.size()),
                                     views.data(),
                                     width,
                                     height,
                                     layers};
  HEADLESS_CHECK(vkCreateFramebuffer(context.device(), &info, nullptr, &framebuffer_));
}

Drawing::~Drawing() {
  for (const Pipeline& pipeline : pipelines_) {
    vkDestroyPipeline(context_.device(), pipeline.pipeline, nullptr);
    if (pipeline.owns_layout) vkDestroyPipelineLayout(context_.device(), pipeline.layout, nullptr);
  }
  vkDestroyFramebuffer(context_.device(), framebuffer_, nullptr);
  vkDestroyRenderPass(context_.device(), pass_, nullptr);
  context_.destroy(color_);
  context_.destroy(depth_);
  context_.destroy(many_);
}

Drawing::Pipeline Drawing::make_pipeline(const PipelineShape& shape) {
  Pipeline made{VK_NULL_HANDLE, shape.layout, !shape.layout};
  const VkPushConstantRange range{VK_SHADER_STAGE_ALL_GRAPHICS, 0, shape.push_bytes};
  VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.pushConstantRangeCount = shape.push_bytes ? 1 : 0;
  layout_info.pPushConstantRanges = &range;
  if (made.owns_layout)
    HEADLESS_CHECK(vkCreatePipelineLayout(context_.device(), &layout_info, nullptr, &made.layout));

  std::vector<VkPipelineShaderStageCreateInfo> stages;
  for (const Stage& stage : shape.stages)
    stages.push_back({VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, stage.stage,
                      stage.module, "main", nullptr});
  const VkVertexInputBindingDescription binding{0, shape.stride, VK_VERTEX_INPUT_RATE_VERTEX};
  std::vector<VkVertexInputAttributeDescription> attributes;
  for (uint32_t i = 0; i < shape.attributes.size(); i++)
    attributes.push_back({i, 0, shape.attributes[i], shape.attribute_offsets[i]});
  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  input.vertexBindingDescriptionCount = attributes.empty() ? 0 : 1;
  input.pVertexBindingDescriptions = &binding;
  input.vertexAttributeDescriptionCount = static_cast<uint32_t>(attributes.size());
  input.pVertexAttributeDescriptions = attributes.data();
  VkPipelineInputAssemblyStateCreateInfo assembly{
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = shape.topology;
  assembly.primitiveRestartEnable = shape.restart ? VK_TRUE : VK_FALSE;
  VkPipelineTessellationStateCreateInfo patches{VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO};
  patches.patchControlPoints = shape.patch_vertices;
  const VkRect2D scissor{{0, 0}, {width_, height_}};
  const VkPipelineViewportStateCreateInfo viewports{
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, nullptr, 0, 1, &shape.viewport, 1, &scissor};
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.polygonMode = shape.polygon;
  raster.cullMode = shape.cull;
  raster.rasterizerDiscardEnable = shape.pass ? VK_TRUE : VK_FALSE;
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = samples_;
  VkPipelineColorBlendStateCreateInfo blends{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blends.attachmentCount = 1;
  blends.pAttachments = &shape.blend;
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.stageCount = static_cast<uint32_t>(stages.size());
  info.pStages = stages.data();
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pTessellationState = shape.patch_vertices ? &patches : nullptr;
  info.pViewportState = &viewports;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pDepthStencilState = &shape.depth;
  info.pColorBlendState = &blends;
  info.layout = made.layout;
  info.renderPass = shape.pass ? shape.pass : pass_;
  HEADLESS_CHECK(
      vkCreateGraphicsPipelines(context_.device(), VK_NULL_HANDLE, 1, &info, nullptr, &made.pipeline));
  pipelines_.push_back(made);
  return made;
}

void Drawing::record(VkCommandBuffer commands, const std::function<void(VkCommandBuffer)>& body) const {
  std::array<VkClearValue, 2> clears{};
  clears[0].color = {{0.2f, 0.3f, 0.4f, 1}};
  clears[1].depthStencil = {1, 0};
  const VkRenderPassBeginInfo begin{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                    nullptr,
                                    pass_,
                                    framebuffer_,
                                    {{0, 0}, {width_, height_}},
                                    clears.size(),
                                    clears.data()};
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  body(commands);
  vkCmdEndRenderPass(commands);
}

void Drawing::draw(const std::function<void(VkCommandBuffer)>& body, const std::string& path) const {
  const VkCommandBuffer commands = context_.begin();
  record(commands, body);
  submit_and_write(commands, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, path);
}

void Drawing::submit_and_write(VkCommandBuffer commands, VkImageLayout layout,
                               const std::string& path) const {
  const Buffer result =
      context_.make_buffer(VkDeviceSize{width_} * height_ * layers_ * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, layers_};
  region.imageExtent = {width_, height_, 1};
  vkCmdCopyImageToBuffer(commands, color_.image, layout, result.buffer, 1, &region);
  const VkMemoryBarrier to_host{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host,
                       0, nullptr, 0, nullptr);
  context_.submit_and_wait(commands);
  write_ppm(path, width_, height_ * layers_, static_cast<const uint8_t*>(result.mapped));
  context_.destroy(result);
}

}  // namespace headless
