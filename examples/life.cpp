// Conway's game in compute programs: storage buffers that two generations pass to each other, shared memory,
// barriers, atomics and a storage image, whose last state is the picture. Prints how many cells lived in each
// generation.
//
//   life OUTPUT.ppm

#include <array>

#include "headless.h"
#include "life.comp.h"

namespace {

using headless::Buffer;
using headless::Context;
using headless::Image;

constexpr uint32_t kWidth = 150, kHeight = 100, kGenerations = 40;

struct Push {
  uint32_t width, height, generation;
};

VkDescriptorSetLayout make_set_layout(const Context& context) {
  std::array<VkDescriptorSetLayoutBinding, 4> bindings{};
  for (uint32_t i = 0; i < bindings.size(); i++)
    bindings[i] = {i, i < 3 ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1,
                   VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
  VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  info.bindingCount = static_cast<uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateDescriptorSetLayout(context.device(), &info, nullptr, &layout));
  return layout;
}

VkDescriptorPool make_pool(const Context& context) {
  const std::array sizes{VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 6},
                         VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 2}};
  VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  info.maxSets = 2;
  info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateDescriptorPool(context.device(), &info, nullptr, &pool));
  return pool;
}

VkDescriptorSet make_set(const Context& context, VkDescriptorPool pool, VkDescriptorSetLayout layout,
                         const std::array<Buffer, 3>& buffers, const Image& picture) {
  const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1,
                                         &layout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkAllocateDescriptorSets(context.device(), &info, &set));
  const VkDescriptorImageInfo image{VK_NULL_HANDLE, picture.view, VK_IMAGE_LAYOUT_GENERAL};
  std::array<VkDescriptorBufferInfo, 3> ranges;
  std::array<VkWriteDescriptorSet, 4> writes{};
  for (uint32_t i = 0; i < writes.size(); i++) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set, writes[i].dstBinding = i, writes[i].descriptorCount = 1;
    if (i == 3) {
      writes[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, writes[i].pImageInfo = &image;
    } else {
      ranges[i] = {buffers[i].buffer, 0, VK_WHOLE_SIZE};
      writes[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, writes[i].pBufferInfo = &ranges[i];
    }
  }
  vkUpdateDescriptorSets(context.device(), 4, writes.data(), 0, nullptr);
  return set;
}

VkPipelineLayout make_layout(const Context& context, VkDescriptorSetLayout set) {
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Push)};
  VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 1;
  info.pSetLayouts = &set;
  info.pushConstantRangeCount = 1;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreatePipelineLayout(context.device(), &info, nullptr, &layout));
  return layout;
}

VkPipeline make_pipeline(const Context& context, VkShaderModule shader, VkPipelineLayout layout) {
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = shader;
  info.stage.pName = "main";
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateComputePipelines(context.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  return pipeline;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  const Context context;
  const VkDeviceSize bytes = kWidth * kHeight * 4;
  const Buffer even = context.make_buffer(bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const Buffer odd = context.make_buffer(bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const Buffer living = context.make_buffer(kGenerations * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  const Buffer read = context.make_buffer(bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const Image picture = context.make_image(VK_FORMAT_R8G8B8A8_UNORM, kWidth, kHeight, 1,
                                           VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  uint32_t random = 1;
  for (uint32_t i = 0; i < kWidth * kHeight; i++) {
    random = random * 1664525 + 1013904223;
    static_cast<uint32_t*>(even.mapped)[i] = random >> 29 == 0;
  }
  for (uint32_t i = 0; i < kGenerations; i++) static_cast<uint32_t*>(living.mapped)[i] = 0;

  const VkDescriptorSetLayout set_layout = make_set_layout(context);
  const VkDescriptorPool pool = make_pool(context);
  const VkDescriptorSet sets[2] = {make_set(context, pool, set_layout, {even, odd, living}, picture),
                                   make_set(context, pool, set_layout, {odd, even, living}, picture)};
  const VkPipelineLayout layout = make_layout(context, set_layout);
  const VkShaderModule shader = context.make_shader(life_comp, sizeof life_comp);
  const VkPipeline pipeline = make_pipeline(context, shader, layout);

  const VkCommandBuffer commands = context.begin();
  headless::to_general(commands, picture, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  for (uint32_t i = 0; i < kGenerations; i++) {
    const Push push{kWidth, kHeight, i};
    vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &sets[i % 2], 0, nullptr);
    vkCmdDispatch(commands, (kWidth + 15) / 16, (kHeight + 15) / 16, 1);
    headless::full_barrier(commands);
  }
  const VkBufferImageCopy whole{
      0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, {kWidth, kHeight, 1}};
  vkCmdCopyImageToBuffer(commands, picture.image, VK_IMAGE_LAYOUT_GENERAL, read.buffer, 1, &whole);
  headless::full_barrier(commands);
  context.submit_and_wait(commands);
  for (uint32_t i = 0; i < kGenerations; i++)
    std::printf("%u%c", static_cast<const uint32_t*>(living.mapped)[i], i % 10 == 9 ? '\n' : ' ');
  headless::write_ppm(arguments[1], kWidth, kHeight, static_cast<const uint8_t*>(read.mapped));

  vkDestroyPipeline(context.device(), pipeline, nullptr);
  vkDestroyShaderModule(context.device(), shader, nullptr);
  vkDestroyPipelineLayout(context.device(), layout, nullptr);
  vkDestroyDescriptorPool(context.device(), pool, nullptr);
  vkDestroyDescriptorSetLayout(context.device(), set_layout, nullptr);
  for (const Buffer& buffer : {even, odd, living, read}) context.destroy(buffer);
  context.destroy(picture);
}
