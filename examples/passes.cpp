// Draws to a texture, moves its texels by blit and copy, and draws with it: two render passes, stencil,
// clears inside and outside of passes, dynamic state, and the barriers between all these.
//
//   passes OUTPUT.ppm

#include <array>
#include <cstring>

#include "headless.h"
#include "passes.vert.h"
#include "passes_plain.frag.h"
#include "passes_textured.frag.h"

namespace {

using headless::Buffer;
using headless::Context;
using headless::Image;

constexpr uint32_t kWidth = 160, kHeight = 120, kTexels = 48;
constexpr VkFormat kDepthFormat = VK_FORMAT_D24_UNORM_S8_UINT;
constexpr VkImageAspectFlags kColorAspect = VK_IMAGE_ASPECT_COLOR_BIT;

struct Draw {
  float rectangle[4];
  float tint[4];
};

// One subpass that keeps or clears its color, and clears a depth-stencil attachment if it has one.
VkRenderPass make_pass(VkDevice device, VkFormat format, VkAttachmentLoadOp load, bool depth) {
  std::array<VkAttachmentDescription, 2> attachments{};
  attachments[0].format = format;
  attachments[0].loadOp = load;
  attachments[0].initialLayout = load == VK_ATTACHMENT_LOAD_OP_LOAD ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL
                                                                    : VK_IMAGE_LAYOUT_UNDEFINED;
  attachments[0].finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  attachments[0].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  attachments[1].format = kDepthFormat;
  attachments[1].loadOp = attachments[1].stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachments[1].finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  for (VkAttachmentDescription& attachment : attachments) {
    attachment.samples = VK_SAMPLE_COUNT_1_BIT;
    attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  }
  const VkAttachmentReference color_reference{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  const VkAttachmentReference depth_reference{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color_reference;
  if (depth) subpass.pDepthStencilAttachment = &depth_reference;
  const VkSubpassDependency to_transfer{0,
                                        VK_SUBPASS_EXTERNAL,
                                        VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                        VK_PIPELINE_STAGE_TRANSFER_BIT,
                                        VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                        VK_ACCESS_TRANSFER_READ_BIT,
                                        0};
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = depth ? 2 : 1;
  info.pAttachments = attachments.data();
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  info.dependencyCount = 1;
  info.pDependencies = &to_transfer;
  VkRenderPass pass = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateRenderPass(device, &info, nullptr, &pass));
  return pass;
}

VkFramebuffer make_framebuffer(VkDevice device, VkRenderPass pass, uint32_t count, const VkImageView* views,
                               uint32_t width, uint32_t height) {
  const VkFramebufferCreateInfo info{
      VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, nullptr, 0, pass, count, views, width, height, 1};
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateFramebuffer(device, &info, nullptr, &framebuffer));
  return framebuffer;
}

enum class Stencil { kOff, kMark, kInside };  // mark: replace by the reference, write no color

struct PipelineOptions {
  VkShaderModule vertex = VK_NULL_HANDLE, fragment = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkRenderPass pass = VK_NULL_HANDLE;
  Stencil stencil = Stencil::kOff;
  bool blend_by_constant = false;
};

VkPipeline make_pipeline(VkDevice device, const PipelineOptions& options) {
  std::array<VkPipelineShaderStageCreateInfo, 2> stages{};
  for (VkPipelineShaderStageCreateInfo& stage : stages) {
    stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stage.pName = "main";
  }
  stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT, stages[0].module = options.vertex;
  stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT, stages[1].module = options.fragment;
  const VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkPipelineInputAssemblyStateCreateInfo assembly{
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, nullptr, 0,
      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_FALSE};
  const VkPipelineViewportStateCreateInfo viewports{
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, nullptr, 0, 1, nullptr, 1, nullptr};
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.stencilTestEnable = options.stencil != Stencil::kOff;
  const bool marks = options.stencil == Stencil::kMark;
  depth.front = {VK_STENCIL_OP_KEEP,
                 marks ? VK_STENCIL_OP_REPLACE : VK_STENCIL_OP_KEEP,
                 VK_STENCIL_OP_KEEP,
                 marks ? VK_COMPARE_OP_ALWAYS : VK_COMPARE_OP_EQUAL,
                 0xff,
                 0xff,
                 0};
  depth.back = depth.front;
  VkPipelineColorBlendAttachmentState blend{};
  blend.blendEnable = options.blend_by_constant;
  blend.srcColorBlendFactor = VK_BLEND_FACTOR_CONSTANT_COLOR;
  blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR;
  blend.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  blend.colorWriteMask = marks ? 0 : 0xf;
  VkPipelineColorBlendStateCreateInfo blends{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blends.attachmentCount = 1;
  blends.pAttachments = &blend;
  const std::array<VkDynamicState, 4> dynamic = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                                 VK_DYNAMIC_STATE_STENCIL_REFERENCE,
                                                 VK_DYNAMIC_STATE_BLEND_CONSTANTS};
  const VkPipelineDynamicStateCreateInfo dynamics{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                  nullptr, 0, dynamic.size(), dynamic.data()};
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.stageCount = stages.size();
  info.pStages = stages.data();
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewports;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pDepthStencilState = &depth;
  info.pColorBlendState = &blends;
  info.pDynamicState = &dynamics;
  info.layout = options.layout;
  info.renderPass = options.pass;
  VkPipeline pipeline = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  return pipeline;
}

void set_area(VkCommandBuffer commands, uint32_t width, uint32_t height, const VkRect2D& scissor) {
  const VkViewport viewport{0, 0, static_cast<float>(width), static_cast<float>(height), 0, 1};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &scissor);
}

void draw(VkCommandBuffer commands, VkPipeline pipeline, VkPipelineLayout layout, const Draw& constants) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof constants, &constants);
  vkCmdDraw(commands, 4, 1, 0, 0);
}

void begin_pass(VkCommandBuffer commands, VkRenderPass pass, VkFramebuffer framebuffer, uint32_t width,
                uint32_t height) {
  std::array<VkClearValue, 2> clears{};
  clears[0].color = {{0.125f, 0.25f, 0.125f, 1}};
  clears[1].depthStencil = {1, 3};
  const VkRenderPassBeginInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                   nullptr,
                                   pass,
                                   framebuffer,
                                   {{0, 0}, {width, height}},
                                   clears.size(),
                                   clears.data()};
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

// `drawn` becomes `moved` upside down with its channels in the other order; a square of it is copied over
// that.
void move_texels(VkCommandBuffer commands, const Image& drawn, const Image& moved) {
  constexpr int32_t kSize = kTexels;
  headless::image_barrier(
      commands, moved.image, {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED},
      {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL});
  const VkImageSubresourceLayers layers{kColorAspect, 0, 0, 1};
  const VkImageBlit blit{layers, {{0, kSize, 0}, {kSize, 0, 1}}, layers, {{0, 0, 0}, {kSize, kSize, 1}}};
  vkCmdBlitImage(commands, drawn.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, moved.image,
                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &blit, VK_FILTER_NEAREST);
  headless::image_barrier(
      commands, moved.image,
      {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL},
      {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL});
  const VkImageCopy copy{layers, {16, 16, 0}, layers, {4, 28, 0}, {13, 15, 1}};
  vkCmdCopyImage(commands, drawn.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, moved.image,
                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
  headless::image_barrier(
      commands, moved.image,
      {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL},
      {VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
       VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL});
}

void clear_outside(VkCommandBuffer commands, const Image& image) {
  headless::image_barrier(
      commands, image.image, {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED},
      {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL});
  const VkClearColorValue color{{0.75f, 0.25f, 0, 1}};
  const VkImageSubresourceRange all{kColorAspect, 0, 1, 0, 1};
  vkCmdClearColorImage(commands, image.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &all);
  headless::image_barrier(
      commands, image.image,
      {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL},
      {VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
       VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
       VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL});
}

void clear_inside(VkCommandBuffer commands) {
  std::array<VkClearAttachment, 2> attachments{};
  attachments[0].aspectMask = kColorAspect;
  attachments[0].clearValue.color = {{0.5f, 0.5f, 1, 1}};
  attachments[1].aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT;
  attachments[1].clearValue.depthStencil = {0, 7};
  const VkClearRect area{{{70, 45}, {31, 22}}, 0, 1};
  vkCmdClearAttachments(commands, attachments.size(), attachments.data(), 1, &area);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  const Context context;
  const VkDevice device = context.device();
  const VkImageUsageFlags target = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  const Image drawn = context.make_image(VK_FORMAT_R8G8B8A8_UNORM, kTexels, kTexels, 1,
                                         target | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  const Image moved = context.make_image(
      VK_FORMAT_B8G8R8A8_UNORM, kTexels, kTexels, 1,
      VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  const Image color = context.make_image(VK_FORMAT_R8G8B8A8_UNORM, kWidth, kHeight, 1, target);
  const Image depth =
      context.make_image(kDepthFormat, kWidth, kHeight, 1, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
  const Buffer result =
      context.make_buffer(VkDeviceSize{kWidth} * kHeight * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);

  const VkRenderPass small = make_pass(device, VK_FORMAT_R8G8B8A8_UNORM, VK_ATTACHMENT_LOAD_OP_LOAD, false);
  const VkRenderPass large = make_pass(device, VK_FORMAT_R8G8B8A8_UNORM, VK_ATTACHMENT_LOAD_OP_CLEAR, true);
  const VkFramebuffer small_frame = make_framebuffer(device, small, 1, &drawn.view, kTexels, kTexels);
  const std::array<VkImageView, 2> views = {color.view, depth.view};
  const VkFramebuffer large_frame =
      make_framebuffer(device, large, views.size(), views.data(), kWidth, kHeight);

  VkSamplerCreateInfo sampler_info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  sampler_info.addressModeU = sampler_info.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  sampler_info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  VkSampler sampler = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateSampler(device, &sampler_info, nullptr, &sampler));
  const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
                                             VK_SHADER_STAGE_FRAGMENT_BIT, &sampler};
  const VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr,
                                                 0, 1, &binding};
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateDescriptorSetLayout(device, &set_info, nullptr, &set_layout));
  const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(Draw)};
  const VkPipelineLayoutCreateInfo layout_info{
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1, &set_layout, 1, &range};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout));
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1};
  const VkDescriptorPoolCreateInfo pool_info{
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 1, &size};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateDescriptorPool(device, &pool_info, nullptr, &pool));
  const VkDescriptorSetAllocateInfo allocate_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr,
                                                  pool, 1, &set_layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkAllocateDescriptorSets(device, &allocate_info, &set));
  const VkDescriptorImageInfo image_info{VK_NULL_HANDLE, moved.view,
                                         VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
  write.dstSet = set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  write.pImageInfo = &image_info;
  vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);

  const VkShaderModule vertex = context.make_shader(passes_vert, sizeof passes_vert);
  const VkShaderModule plain = context.make_shader(passes_plain_frag, sizeof passes_plain_frag);
  const VkShaderModule textured = context.make_shader(passes_textured_frag, sizeof passes_textured_frag);
  const std::array<VkPipeline, 4> pipelines = {
      make_pipeline(device, {vertex, plain, layout, small, Stencil::kOff, true}),
      make_pipeline(device, {vertex, plain, layout, large, Stencil::kMark}),
      make_pipeline(device, {vertex, textured, layout, large, Stencil::kInside}),
      make_pipeline(device, {vertex, textured, layout, large, Stencil::kOff, true}),
  };
  for (VkShaderModule module : {vertex, plain, textured}) vkDestroyShaderModule(device, module, nullptr);

  const VkCommandBuffer commands = context.begin();
  clear_outside(commands, drawn);
  const float half[4] = {0.5f, 0.5f, 0.5f, 0.5f}, most[4] = {0.75f, 0.75f, 0.75f, 0.75f};
  begin_pass(commands, small, small_frame, kTexels, kTexels);
  set_area(commands, kTexels, kTexels, {{4, 0}, {kTexels - 4, kTexels}});
  vkCmdSetStencilReference(commands, VK_STENCIL_FACE_FRONT_AND_BACK, 0);
  vkCmdSetBlendConstants(commands, half);
  draw(commands, pipelines[0], layout, {{0, 0, 1, 1}, {0, 0.5f, 1, 1}});
  draw(commands, pipelines[0], layout, {{-0.25f, -0.5f, 0.5f, 0.375f}, {1, 1, 0, 1}});
  vkCmdEndRenderPass(commands);

  move_texels(commands, drawn, moved);

  begin_pass(commands, large, large_frame, kWidth, kHeight);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, nullptr);
  set_area(commands, kWidth, kHeight, {{0, 0}, {kWidth, kHeight}});
  vkCmdSetStencilReference(commands, VK_STENCIL_FACE_FRONT_AND_BACK, 7);
  draw(commands, pipelines[1], layout, {{-0.4f, 0, 0.5f, 0.8f}, {}});
  clear_inside(commands);
  draw(commands, pipelines[2], layout, {{0, 0, 0.9f, 0.9f}, {1, 1, 1, 1}});
  vkCmdSetStencilReference(commands, VK_STENCIL_FACE_FRONT_AND_BACK, 3);
  set_area(commands, kWidth, kHeight, {{100, 10}, {50, 40}});
  draw(commands, pipelines[2], layout, {{0.6f, -0.5f, 0.5f, 0.5f}, {1, 0.5f, 1, 1}});
  set_area(commands, kWidth, kHeight, {{0, 0}, {kWidth, kHeight}});
  vkCmdSetBlendConstants(commands, most);
  draw(commands, pipelines[3], layout, {{0.6f, 0.6f, 0.3f, 0.4f}, {1, 1, 1, 1}});
  vkCmdEndRenderPass(commands);

  const VkBufferImageCopy whole{0, 0, 0, {kColorAspect, 0, 0, 1}, {0, 0, 0}, {kWidth, kHeight, 1}};
  vkCmdCopyImageToBuffer(commands, color.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, result.buffer, 1,
                         &whole);
  const VkMemoryBarrier to_host{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host,
                       0, nullptr, 0, nullptr);
  context.submit_and_wait(commands);
  headless::write_ppm(arguments[1], kWidth, kHeight, static_cast<const uint8_t*>(result.mapped));

  for (VkPipeline pipeline : pipelines) vkDestroyPipeline(device, pipeline, nullptr);
  vkDestroyDescriptorPool(device, pool, nullptr);
  vkDestroyPipelineLayout(device, layout, nullptr);
  vkDestroyDescriptorSetLayout(device, set_layout, nullptr);
  vkDestroySampler(device, sampler, nullptr);
  for (VkFramebuffer framebuffer : {small_frame, large_frame})
    vkDestroyFramebuffer(device, framebuffer, nullptr);
  for (VkRenderPass pass : {small, large}) vkDestroyRenderPass(device, pass, nullptr);
  for (const Image& image : {drawn, moved, color, depth}) context.destroy(image);
  context.destroy(result);
}
