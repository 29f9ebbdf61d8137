#include "stream_passes.h"

#include <algorithm>
#include <cstring>

#include "stream_passes.vert.h"

namespace headless {
namespace {

VkFormat format_of(uint32_t components) {
  return components == 4 ? VK_FORMAT_R32G32B32A32_SFLOAT : VK_FORMAT_R32_SFLOAT;
}

constexpr ImageState kRead{VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                           VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL},
    kCopied{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
            VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL},
    kCopying{VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT,
             VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};

// A pass that writes every element, after earlier kernels have read the target and before later ones read it.
VkRenderPass make_pass(VkDevice device, VkFormat format) {
  VkAttachmentDescription attachment{};
  attachment.format = format;
  attachment.samples = VK_SAMPLE_COUNT_1_BIT;
  attachment.loadOp = attachment.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachment.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  attachment.finalLayout = kRead.layout;
  const VkAttachmentReference color{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.colorAttachmentCount = 1;
  subpass.pColorAttachments = &color;
  const VkPipelineStageFlags writes = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  const VkSubpassDependency dependencies[] = {
      {VK_SUBPASS_EXTERNAL, 0, kRead.stage, writes, kRead.access, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, 0},
      {0, VK_SUBPASS_EXTERNAL, writes, kRead.stage, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, kRead.access, 0}};
  VkRenderPassCreateInfo info{VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO};
  info.attachmentCount = 1, info.pAttachments = &attachment;
  info.subpassCount = 1, info.pSubpasses = &subpass;
  info.dependencyCount = 2, info.pDependencies = dependencies;
  VkRenderPass pass = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateRenderPass(device, &info, nullptr, &pass));
  return pass;
}

VkSampler make_sampler(VkDevice device) {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};  // nearest, repeated
  VkSampler sampler = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateSampler(device, &info, nullptr, &sampler));
  return sampler;
}

}  // namespace

StreamPasses::StreamPasses(const Context& context, uint32_t push_bytes, uint32_t runs)
    : context_(context),
      push_bytes_(push_bytes),
      resources_(context, std::vector<VkDescriptorType>(kInputs, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER),
                 VK_SHADER_STAGE_FRAGMENT_BIT, push_bytes, runs),
      whole_(context.make_shader(stream_passes_vert, sizeof stream_passes_vert)),
      sampler_(make_sampler(context.device())) {
  for (const uint32_t components : {1u, 4u})
    passes_[components == 4] = make_pass(context.device(), format_of(components));
}

StreamPasses::~StreamPasses() {
  const VkDevice device = context_.device();
  for (const VkPipeline kernel : kernels_) vkDestroyPipeline(device, kernel, nullptr);
  for (const Stream& stream : streams_) {
    vkDestroyFramebuffer(device, stream.framebuffer, nullptr);
    context_.destroy(stream.image);
  }
  for (const VkRenderPass pass : passes_) vkDestroyRenderPass(device, pass, nullptr);
  vkDestroySampler(device, sampler_, nullptr);
  vkDestroyShaderModule(device, whole_, nullptr);
}

Stream StreamPasses::make_stream(uint32_t width, uint32_t height, uint32_t components) {
  const VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                  VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  Stream made{context_.make_image(format_of(components), width, height, 1, usage), width, height, components};
  const VkFramebufferCreateInfo info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                     nullptr,
                                     0,
                                     pass_for(components),
                                     1,
                                     &made.image.view,
                                     width,
                                     height,
                                     1};
  HEADLESS_CHECK(vkCreateFramebuffer(context_.device(), &info, nullptr, &made.framebuffer));
  streams_.push_back(made);
  return made;
}

VkPipeline StreamPasses::make_kernel(const uint32_t* words, size_t bytes, uint32_t components) {
  const VkShaderModule module = context_.make_shader(words, bytes);
  const VkPipelineShaderStageCreateInfo stages[] = {
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, VK_SHADER_STAGE_VERTEX_BIT, whole_,
       "main", nullptr},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, VK_SHADER_STAGE_FRAGMENT_BIT, module,
       "main", nullptr}};
  const VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly{
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  VkPipelineViewportStateCreateInfo viewports{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  viewports.viewportCount = viewports.scissorCount = 1;
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineColorBlendAttachmentState blend{};
  blend.colorWriteMask = 0xf;
  VkPipelineColorBlendStateCreateInfo blends{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blends.attachmentCount = 1, blends.pAttachments = &blend;
  const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  const VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                 nullptr, 0, 2, states};
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.stageCount = 2, info.pStages = stages;
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewports;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pColorBlendState = &blends;
  info.pDynamicState = &dynamic;
  info.layout = resources_.layout();
  info.renderPass = pass_for(components);
  VkPipeline kernel = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateGraphicsPipelines(context_.device(), VK_NULL_HANDLE, 1, &info, nullptr, &kernel));
  vkDestroyShaderModule(context_.device(), module, nullptr);
  kernels_.push_back(kernel);
  return kernel;
}

Buffer StreamPasses::upload(VkCommandBuffer commands, const Stream& to, const std::vector<float>& values) {
  const Buffer buffer =
      context_.make_buffer(values.data(), values.size() * sizeof(float), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  image_barrier(commands, to.image.image, {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED},
                kCopied);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {to.width, to.height, 1};
  vkCmdCopyBufferToImage(commands, buffer.buffer, to.image.image, kCopied.layout, 1, &region);
  image_barrier(commands, to.image.image, kCopied, kRead);
  return buffer;
}

void StreamPasses::run(VkCommandBuffer commands, VkPipeline kernel, const Stream& to,
                       const std::vector<Stream>& from, const void* constants) {
  std::vector<Resource> inputs;  // a kernel with fewer reads no others
  for (uint32_t i = 0; i < kInputs; i++)
    inputs.emplace_back(from[std::min<size_t>(i, from.size() - 1)].image, sampler_);
  const VkDescriptorSet set = resources_.make_set(inputs);
  const VkRect2D area{{0, 0}, {to.width, to.height}};
  const VkRenderPassBeginInfo begin{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                    nullptr,
                                    pass_for(to.components),
                                    to.framebuffer,
                                    area,
                                    0,
                                    nullptr};
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, kernel);
  const VkViewport viewport{0, 0, static_cast<float>(to.width), static_cast<float>(to.height), 0, 1};
  vkCmdSetViewport(commands, 0, 1, &viewport);
  vkCmdSetScissor(commands, 0, 1, &area);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, resources_.layout(), 0, 1, &set, 0,
                          nullptr);
  vkCmdPushConstants(commands, resources_.layout(), VK_SHADER_STAGE_FRAGMENT_BIT, 0, push_bytes_, constants);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndRenderPass(commands);
}

std::vector<float> StreamPasses::submit_and_read(VkCommandBuffer commands, const Stream& stream) {
  std::vector<float> values(size_t{stream.width} * stream.height * stream.components);
  const Buffer buffer = context_.make_buffer(values.size() * sizeof(float), VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const ImageState written{VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                           VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, kRead.layout};
  image_barrier(commands, stream.image.image, written, kCopying);
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {stream.width, stream.height, 1};
  vkCmdCopyImageToBuffer(commands, stream.image.image, kCopying.layout, buffer.buffer, 1, &region);
  full_barrier(commands);
  context_.submit_and_wait(commands);
  std::memcpy(values.data(), buffer.mapped, values.size() * sizeof(float));
  context_.destroy(buffer);
  return values;
}

void write_gray(const char* path, uint32_t width, uint32_t height, const float* values, uint32_t stride,
                float least, float greatest) {
  std::vector<uint8_t> rgba(size_t{width} * height * 4, 255);
  for (size_t i = 0; i < size_t{width} * height; i++) {
    const float share = std::clamp((values[i * stride] - least) / (greatest - least), 0.0f, 1.0f);
    std::fill_n(&rgba[i * 4], 3, static_cast<uint8_t>(share * 255 + 0.5f));
  }
  write_ppm(path, width, height, rgba.data());
}

}  // namespace headless
