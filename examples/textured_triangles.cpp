// Draws textured triangles with depth test, mip levels and blending into an image without a window, and
// writes it to a file.
//
//   textured_triangles OUTPUT.ppm

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "headless.h"
#include "textured_triangles.frag.h"
#include "textured_triangles.vert.h"

namespace {

using headless::Buffer;
using headless::Context;
using headless::Image;

constexpr uint32_t kWidth = 320, kHeight = 240;
constexpr uint32_t kTexels = 64, kLevels = 7;
constexpr VkFormat kColorFormat = VK_FORMAT_R8G8B8A8_UNORM, kDepthFormat = VK_FORMAT_D16_UNORM;

struct Vertex {
  float position[3];
  float texel[2];
  uint8_t tint[4];
};

// A floor that runs to the horizon, two triangles that cut each other, one to look through.
constexpr std::array<Vertex, 13> kVertices = {{
    {{-4, 1, 1}, {0, 0}, {255, 255, 255, 255}},
    {{4, 1, 1}, {8, 0}, {255, 255, 255, 255}},
    {{-4, 1, 20}, {0, 19}, {128, 160, 255, 255}},
    {{4, 1, 20}, {8, 19}, {128, 160, 255, 255}},
    {{-1.5f, 0.8f, 3}, {0, 1}, {255, 128, 128, 255}},
    {{1.2f, 0.6f, 5}, {1, 1}, {255, 128, 128, 255}},
    {{-0.2f, -1.6f, 4}, {0.5f, 0}, {255, 255, 128, 255}},
    {{-1.2f, 0.5f, 5}, {0, 1}, {128, 255, 128, 255}},
    {{1.6f, 0.7f, 3}, {1, 1}, {128, 255, 128, 255}},
    {{0.3f, -1.4f, 4}, {0.5f, 0}, {128, 255, 255, 255}},
    {{-0.9f, 0.4f, 2}, {0, 2}, {255, 255, 255, 128}},
    {{0.8f, 0.5f, 2}, {2, 2}, {255, 255, 255, 128}},
    {{0.1f, -0.9f, 2}, {1, 0}, {255, 64, 255, 64}},
}};
constexpr std::array<uint16_t, 15> kIndices = {0, 1, 2, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
constexpr uint32_t kSolidIndices = 12;

// Columns; x and y as they are, depth 1 to 100 to 0 to 1, w = z.
constexpr std::array<float, 16> kTransform = {
    1.2f, 0, 0, 0, 0, 1.6f, 0, 0, 0, 0, 100.f / 99.f, 1, 0, 0, -100.f / 99.f, 0};

// Level 0 is a pattern of squares and slopes that repeats without a seam, each level the mean of the one
// before.
std::vector<uint8_t> make_texels() {
  std::vector<uint8_t> texels;
  for (uint32_t y = 0; y < kTexels; y++)
    for (uint32_t x = 0; x < kTexels; x++) {
      const bool light = ((x / 8) ^ (y / 8)) & 1;
      const uint32_t slope_x = std::min(x, kTexels - 1 - x), slope_y = std::min(y, kTexels - 1 - y);
      const uint8_t texel[4] = {static_cast<uint8_t>(light ? 208 : 144),
                                static_cast<uint8_t>(96 + 3 * slope_x),
                                static_cast<uint8_t>(96 + 3 * slope_y), 255};
      texels.insert(texels.end(), texel, texel + 4);
    }
  size_t above = 0;
  for (uint32_t size = kTexels / 2; size; size /= 2) {
    const size_t here = texels.size();
    for (uint32_t y = 0; y < size; y++)
      for (uint32_t x = 0; x < size; x++)
        for (uint32_t c = 0; c < 4; c++) {
          const size_t at = above + (size_t{4} * y * size + 2 * x) * 4 + c;
          const size_t row = size_t{8} * size;
          texels.push_back(static_cast<uint8_t>(
              (texels[at] + texels[at + 4] + texels[at + row] + texels[at + row + 4]) / 4));
        }
    above = here;
  }
  return texels;
}

void upload_texture(VkCommandBuffer commands, const Buffer& staging, const Image& texture) {
  headless::image_barrier(
      commands, texture.image, {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, VK_IMAGE_LAYOUT_UNDEFINED},
      {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL});
  std::array<VkBufferImageCopy, kLevels> regions{};
  VkDeviceSize offset = 0;
  for (uint32_t level = 0; level < kLevels; level++) {
    const uint32_t size = kTexels >> level;
    regions[level].bufferOffset = offset;
    regions[level].imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1};
    regions[level].imageExtent = {size, size, 1};
    offset += VkDeviceSize{size} * size * 4;
  }
  vkCmdCopyBufferToImage(commands, staging.buffer, texture.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                         kLevels, regions.data());
  headless::image_barrier(
      commands, texture.image,
      {VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL},
      {VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
       VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL});
}

VkDescriptorSetLayout make_set_layout(VkDevice device) {
  const std::array<VkDescriptorSetLayoutBinding, 2> bindings = {{
      {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, nullptr},
      {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr},
  }};
  const VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0,
                                             bindings.size(), bindings.data()};
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateDescriptorSetLayout(device, &info, nullptr, &layout));
  return layout;
}

// Pipelines without and with blending, which differ in nothing else but the depth write.
std::array<VkPipeline, 2> make_pipelines(const Context& context, VkPipelineLayout layout, VkRenderPass pass) {
  const VkShaderModule vertex = context.make_shader(textured_triangles_vert, sizeof textured_triangles_vert);
  const VkShaderModule fragment =
      context.make_shader(textured_triangles_frag, sizeof textured_triangles_frag);
  std::array<VkPipelineShaderStageCreateInfo, 2> stages{};
  for (VkPipelineShaderStageCreateInfo& stage : stages) {
    stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    stage.pName = "main";
  }
  stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT, stages[0].module = vertex;
  stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT, stages[1].module = fragment;

  const VkVertexInputBindingDescription binding{0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX};
  const std::array<VkVertexInputAttributeDescription, 3> attributes = {{
      {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(Vertex, position)},
      {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(Vertex, texel)},
      {2, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(Vertex, tint)},
  }};
  VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  input.vertexBindingDescriptionCount = 1;
  input.pVertexBindingDescriptions = &binding;
  input.vertexAttributeDescriptionCount = attributes.size();
  input.pVertexAttributeDescriptions = attributes.data();
  const VkPipelineInputAssemblyStateCreateInfo assembly{
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, nullptr, 0,
      VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_FALSE};
  const VkViewport viewport{0, 0, kWidth, kHeight, 0, 1};
  const VkRect2D scissor{{0, 0}, {kWidth, kHeight}};
  const VkPipelineViewportStateCreateInfo viewports{
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, nullptr, 0, 1, &viewport, 1, &scissor};
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;

  std::array<VkPipeline, 2> pipelines{};
  for (uint32_t blended = 0; blended < 2; blended++) {
    VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    depth.depthTestEnable = VK_TRUE;
    depth.depthWriteEnable = !blended;
    depth.depthCompareOp = VK_COMPARE_OP_LESS;
    const VkPipelineColorBlendAttachmentState blend{blended,
                                                    VK_BLEND_FACTOR_SRC_ALPHA,
                                                    VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                    VK_BLEND_OP_ADD,
                                                    VK_BLEND_FACTOR_ONE,
                                                    VK_BLEND_FACTOR_ZERO,
                                                    VK_BLEND_OP_ADD,
                                                    0xf};
    VkPipelineColorBlendStateCreateInfo blends{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    blends.attachmentCount = 1;
    blends.pAttachments = &blend;
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
    info.layout = layout;
    info.renderPass = pass;
    HEADLESS_CHECK(
        vkCreateGraphicsPipelines(context.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipelines[blended]));
  }
  vkDestroyShaderModule(context.device(), vertex, nullptr);
  vkDestroyShaderModule(context.device(), fragment, nullptr);
  return pipelines;
}

VkSampler make_sampler(VkDevice device) {
  VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  info.magFilter = info.minFilter = VK_FILTER_LINEAR;
  info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT;
  info.maxLod = kLevels;
  VkSampler sampler = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateSampler(device, &info, nullptr, &sampler));
  return sampler;
}

VkDescriptorSet make_set(VkDevice device, VkDescriptorPool pool, VkDescriptorSetLayout layout,
                         const Buffer& uniforms, const Image& texture, VkSampler sampler) {
  const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1,
                                         &layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkAllocateDescriptorSets(device, &info, &set));
  const VkDescriptorBufferInfo buffer_info{uniforms.buffer, 0, VK_WHOLE_SIZE};
  const VkDescriptorImageInfo image_info{sampler, texture.view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  std::array<VkWriteDescriptorSet, 2> writes{};
  for (uint32_t i = 0; i < 2; i++) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
  }
  writes[0].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, writes[0].pBufferInfo = &buffer_info;
  writes[1].descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, writes[1].pImageInfo = &image_info;
  vkUpdateDescriptorSets(device, writes.size(), writes.data(), 0, nullptr);
  return set;
}

template <class T, size_t n>
Buffer make_filled_buffer(const Context& context, const std::array<T, n>& data, VkBufferUsageFlags usage) {
  const Buffer buffer = context.make_buffer(sizeof data, usage);
  std::memcpy(buffer.mapped, data.data(), sizeof data);
  return buffer;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  const Context context;
  const VkDevice device = context.device();
  const std::vector<uint8_t> texels = make_texels();
  const Buffer staging = context.make_buffer(texels.size(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  std::copy(texels.begin(), texels.end(), static_cast<uint8_t*>(staging.mapped));
  const Buffer vertices = make_filled_buffer(context, kVertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  const Buffer indices = make_filled_buffer(context, kIndices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  const Buffer uniforms = make_filled_buffer(context, kTransform, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  const Buffer result =
      context.make_buffer(VkDeviceSize{kWidth} * kHeight * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const Image texture = context.make_image(VK_FORMAT_R8G8B8A8_UNORM, kTexels, kTexels, kLevels,
                                           VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  const Image color =
      context.make_image(kColorFormat, kWidth, kHeight, 1,
                         VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  const Image depth =
      context.make_image(kDepthFormat, kWidth, kHeight, 1, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);

  const VkRenderPass pass = headless::make_drawing_pass(device, kColorFormat, kDepthFormat);
  const std::array<VkImageView, 2> views = {color.view, depth.view};
  const VkFramebufferCreateInfo framebuffer_info{VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                 nullptr,
                                                 0,
                                                 pass,
                                                 views.size(),
                                                 views.data(),
                                                 kWidth,
                                                 kHeight,
                                                 1};
  VkFramebuffer framebuffer = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateFramebuffer(device, &framebuffer_info, nullptr, &framebuffer));
  const VkDescriptorSetLayout set_layout = make_set_layout(device);
  const VkPushConstantRange range{VK_SHADER_STAGE_VERTEX_BIT, 0, 16};
  const VkPipelineLayoutCreateInfo layout_info{
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1, &set_layout, 1, &range};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout));
  const std::array<VkPipeline, 2> pipelines = make_pipelines(context, layout, pass);
  const std::array<VkDescriptorPoolSize, 2> sizes = {
      {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1}, {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1}}};
  const VkDescriptorPoolCreateInfo pool_info{
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, sizes.size(), sizes.data()};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateDescriptorPool(device, &pool_info, nullptr, &pool));
  const VkSampler sampler = make_sampler(device);
  const VkDescriptorSet set = make_set(device, pool, set_layout, uniforms, texture, sampler);

  const VkCommandBuffer commands = context.begin();
  upload_texture(commands, staging, texture);
  std::array<VkClearValue, 2> clears{};
  clears[0].color = {{0.25f, 0.375f, 0.5f, 1}};
  clears[1].depthStencil = {1, 0};
  const VkRenderPassBeginInfo begin{VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                    nullptr,
                                    pass,
                                    framebuffer,
                                    {{0, 0}, {kWidth, kHeight}},
                                    clears.size(),
                                    clears.data()};
  vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
  const VkDeviceSize no_offset = 0;
  vkCmdBindVertexBuffers(commands, 0, 1, &vertices.buffer, &no_offset);
  vkCmdBindIndexBuffer(commands, indices.buffer, 0, VK_INDEX_TYPE_UINT16);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set, 0, nullptr);
  const std::array<float, 4> shifts[2] = {{0, 0.1f, 0, 0}, {-0.3f, 0, 0.5f, 0}};
  for (uint32_t blended = 0; blended < 2; blended++) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[blended]);
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 16, shifts[blended].data());
    const uint32_t first = blended ? kSolidIndices : 0;
    vkCmdDrawIndexed(commands, blended ? kIndices.size() - first : kSolidIndices, 1, first, 0, 0);
  }
  vkCmdEndRenderPass(commands);
  const VkBufferImageCopy whole{
      0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, {kWidth, kHeight, 1}};
  vkCmdCopyImageToBuffer(commands, color.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, result.buffer, 1,
                         &whole);
  const VkMemoryBarrier to_host{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                                VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host,
                       0, nullptr, 0, nullptr);
  context.submit_and_wait(commands);
  headless::write_ppm(arguments[1], kWidth, kHeight, static_cast<const uint8_t*>(result.mapped));

  vkDestroySampler(device, sampler, nullptr);
  vkDestroyDescriptorPool(device, pool, nullptr);
  for (VkPipeline pipeline : pipelines) vkDestroyPipeline(device, pipeline, nullptr);
  vkDestroyPipelineLayout(device, layout, nullptr);
  vkDestroyDescriptorSetLayout(device, set_layout, nullptr);
  vkDestroyFramebuffer(device, framebuffer, nullptr);
  vkDestroyRenderPass(device, pass, nullptr);
  for (const Image& image : {texture, color, depth}) context.destroy(image);
  for (const Buffer& buffer : {staging, vertices, indices, uniforms, result}) context.destroy(buffer);
}
