// Vulkan 1.3: compute programs move agents in memory that they reach by address, a pass without objects draws
// them, vertices pulled by the same address, colors from an inline uniform block, several samples that are
// resolved. Dependencies and submissions are those of synchronization2, a timeline semaphore tells the end.
// Prints how often agents turned.
//
//   swarm OUTPUT.ppm

#include <array>
#include <cstring>

#include "headless.h"
#include "swarm.comp.h"
#include "swarm.frag.h"
#include "swarm.vert.h"

namespace {

using headless::Buffer;
using headless::Context;
using headless::Image;

constexpr int32_t kWidth = 200, kHeight = 120, kSide = 12;  // pixels
constexpr uint32_t kAgents = 96, kSteps = 30, kGroup = 32;
constexpr VkFormat kColor = VK_FORMAT_R8G8B8A8_UNORM, kDepth = VK_FORMAT_D32_SFLOAT;
constexpr VkSampleCountFlagBits kSamples = VK_SAMPLE_COUNT_4_BIT;

struct Agent {
  int32_t at[2], speed[2];  // 1/16 pixels
};
struct Push {
  VkDeviceAddress agents, count;
  int32_t room[2];
};
constexpr float kPalette[6][4] = {{0.9f, 0.2f, 0.2f, 1}, {0.2f, 0.8f, 0.3f, 1}, {0.2f, 0.4f, 1, 1},
                                  {1, 0.8f, 0.1f, 1},    {0.7f, 0.3f, 0.9f, 1}, {1, 1, 1, 1}};

// The features of a version's structures that the program needs.
struct Features {
  VkPhysicalDeviceVulkan13Features of_1_3{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceVulkan12Features of_1_2{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &of_1_3};
  Features() {
    of_1_2.bufferDeviceAddress = of_1_2.timelineSemaphore = VK_TRUE;
    of_1_3.dynamicRendering = of_1_3.synchronization2 = of_1_3.inlineUniformBlock = VK_TRUE;
    of_1_3.maintenance4 = VK_TRUE;  // for LocalSizeId
    of_1_3.shaderDemoteToHelperInvocation = of_1_3.shaderZeroInitializeWorkgroupMemory = VK_TRUE;
  }
};

VkDeviceAddress address_of(const Context& context, const Buffer& buffer) {
  const VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer.buffer};
  return vkGetBufferDeviceAddress(context.device(), &info);
}

struct Palette {
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
};

Palette make_palette(const Context& context) {
  constexpr VkDescriptorType kType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  Palette made;
  const VkDescriptorSetLayoutBinding binding{0, kType, sizeof kPalette, VK_SHADER_STAGE_FRAGMENT_BIT,
                                             nullptr};
  const VkDescriptorSetLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                    nullptr, 0, 1, &binding};
  HEADLESS_CHECK(vkCreateDescriptorSetLayout(context.device(), &layout_info, nullptr, &made.layout));
  const VkDescriptorPoolInlineUniformBlockCreateInfo blocks{
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO, nullptr, 1};
  const VkDescriptorPoolSize size{kType, sizeof kPalette};
  const VkDescriptorPoolCreateInfo pool_info{
      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, &blocks, 0, 1, 1, &size};
  HEADLESS_CHECK(vkCreateDescriptorPool(context.device(), &pool_info, nullptr, &made.pool));
  const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, made.pool,
                                         1, &made.layout};
  HEADLESS_CHECK(vkAllocateDescriptorSets(context.device(), &info, &made.set));
  const VkWriteDescriptorSetInlineUniformBlock block{
      VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK, nullptr, sizeof kPalette, kPalette};
  VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, &block, made.set};
  write.descriptorCount = sizeof kPalette;
  write.descriptorType = kType;
  vkUpdateDescriptorSets(context.device(), 1, &write, 0, nullptr);
  return made;
}

VkPipelineLayout make_layout(const Context& context, VkDescriptorSetLayout set) {
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(Push)};
  const VkPipelineLayoutCreateInfo info{
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1, &set, 1, &range};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreatePipelineLayout(context.device(), &info, nullptr, &layout));
  return layout;
}

VkPipelineShaderStageCreateInfo stage_of(VkShaderStageFlagBits stage, VkShaderModule module) {
  return {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0, stage, module, "main", nullptr};
}

VkPipeline make_moving(const Context& context, VkPipelineLayout layout) {
  const VkShaderModule module = context.make_shader(swarm_comp, sizeof swarm_comp);
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  info.stage = stage_of(VK_SHADER_STAGE_COMPUTE_BIT, module);
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateComputePipelines(context.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  vkDestroyShaderModule(context.device(), module, nullptr);
  return pipeline;
}

VkPipeline make_drawing(const Context& context, VkPipelineLayout layout) {
  const VkShaderModule vertex = context.make_shader(swarm_vert, sizeof swarm_vert);
  const VkShaderModule fragment = context.make_shader(swarm_frag, sizeof swarm_frag);
  const std::array stages{stage_of(VK_SHADER_STAGE_VERTEX_BIT, vertex),
                          stage_of(VK_SHADER_STAGE_FRAGMENT_BIT, fragment)};
  VkPipelineRenderingCreateInfo targets{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  targets.colorAttachmentCount = 1;
  targets.pColorAttachmentFormats = &kColor;
  targets.depthAttachmentFormat = kDepth;
  const VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly{
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  const VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
  samples.rasterizationSamples = kSamples;
  VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE;
  VkPipelineColorBlendAttachmentState blend{};
  blend.colorWriteMask = 0xf;
  VkPipelineColorBlendStateCreateInfo blends{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
  blends.attachmentCount = 1;
  blends.pAttachments = &blend;
  // State that version 1.3 lets every pipeline leave dynamic.
  const std::array open{VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
                        VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_DEPTH_COMPARE_OP};
  VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  dynamic.dynamicStateCount = open.size();
  dynamic.pDynamicStates = open.data();
  VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &targets};
  info.stageCount = stages.size();
  info.pStages = stages.data();
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pDepthStencilState = &depth;
  info.pColorBlendState = &blends;
  info.pDynamicState = &dynamic;
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateGraphicsPipelines(context.device(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
  vkDestroyShaderModule(context.device(), vertex, nullptr);
  vkDestroyShaderModule(context.device(), fragment, nullptr);
  return pipeline;
}

void wait(VkCommandBuffer commands, VkPipelineStageFlags2 from, VkAccessFlags2 source,
          VkPipelineStageFlags2 to, VkAccessFlags2 destination) {
  const VkMemoryBarrier2 memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, nullptr, from, source, to, destination};
  VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.memoryBarrierCount = 1;
  info.pMemoryBarriers = &memory;
  vkCmdPipelineBarrier2(commands, &info);
}

void to_general(VkCommandBuffer commands, const Image& image, VkImageAspectFlags aspect) {
  VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  barrier.image = image.image;
  barrier.subresourceRange = {aspect, 0, 1, 0, 1};
  VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
  info.imageMemoryBarrierCount = 1;
  info.pImageMemoryBarriers = &barrier;
  vkCmdPipelineBarrier2(commands, &info);
}

VkRenderingAttachmentInfo attachment(const Image& image, VkClearValue value) {
  VkRenderingAttachmentInfo info{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  info.imageView = image.view;
  info.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  info.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
  info.clearValue = value;
  return info;
}

// Four samples of color and depth; the color is resolved into the picture.
void draw(VkCommandBuffer commands, const Image& samples, const Image& depth, const Image& picture) {
  VkRenderingAttachmentInfo color = attachment(samples, {.color = {{0.05f, 0.05f, 0.1f, 1}}});
  color.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
  color.resolveImageView = picture.view;
  color.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
  const VkRenderingAttachmentInfo deep = attachment(depth, {.depthStencil = {1, 0}});
  VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
  info.renderArea.extent = {kWidth, kHeight};
  info.layerCount = info.colorAttachmentCount = 1;
  info.pColorAttachments = &color;
  info.pDepthAttachment = &deep;
  vkCmdBeginRendering(commands, &info);
  const VkViewport viewport{0, 0, kWidth, kHeight, 0, 1};
  vkCmdSetViewportWithCount(commands, 1, &viewport);
  vkCmdSetScissorWithCount(commands, 1, &info.renderArea);
  vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
  vkCmdSetDepthCompareOp(commands, VK_COMPARE_OP_LESS);
  vkCmdDraw(commands, 4, kAgents, 0, 0);
  vkCmdEndRendering(commands);
}

void submit_and_wait(const Context& context, VkCommandBuffer commands) {
  const VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr,
                                       VK_SEMAPHORE_TYPE_TIMELINE, 0};
  const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
  VkSemaphore semaphore = VK_NULL_HANDLE;
  HEADLESS_CHECK(vkCreateSemaphore(context.device(), &info, nullptr, &semaphore));
  const uint64_t value = 7;
  const VkCommandBufferSubmitInfo buffer{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, nullptr, commands, 0};
  const VkSemaphoreSubmitInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value,
                                     VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
  const VkSubmitInfo2 batch{VK_STRUCTURE_TYPE_SUBMIT_INFO_2, nullptr, 0, 0, nullptr, 1, &buffer, 1, &signal};
  HEADLESS_CHECK(vkEndCommandBuffer(commands));
  HEADLESS_CHECK(vkQueueSubmit2(context.queue(), 1, &batch, VK_NULL_HANDLE));
  const VkSemaphoreWaitInfo wait_info{
      VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &semaphore, &value};
  HEADLESS_CHECK(vkWaitSemaphores(context.device(), &wait_info, UINT64_MAX));
  vkDestroySemaphore(context.device(), semaphore, nullptr);
}

void place_agents(Agent* agents) {
  uint32_t random = 7;
  const auto next = [&](int32_t below) {
    random = random * 1664525 + 1013904223;
    return static_cast<int32_t>((random >> 16) % static_cast<uint32_t>(below));
  };
  for (uint32_t i = 0; i < kAgents; i++)
    agents[i] = {{next(16 * (kWidth - kSide)), next(16 * (kHeight - kSide))},
                 {next(129) - 64, next(129) - 64}};
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s OUTPUT.ppm\n", arguments[0]);
    return 2;
  }
  const Features features;
  const Context context({}, {}, VK_API_VERSION_1_3, &features.of_1_2);
  constexpr VkBufferUsageFlags kAddressed =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  const Buffer agents = context.make_buffer(kAgents * sizeof(Agent), kAddressed);
  const Buffer turns = context.make_buffer(4, kAddressed);
  const Buffer read = context.make_buffer(kWidth * kHeight * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  place_agents(static_cast<Agent*>(agents.mapped));
  std::memset(turns.mapped, 0, 4);
  const Image samples =
      context.make_image(kColor, kWidth, kHeight, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, 1, kSamples);
  const Image depth = context.make_image(kDepth, kWidth, kHeight, 1,
                                         VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, 1, kSamples);
  const Image picture = context.make_image(
      kColor, kWidth, kHeight, 1, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  const Palette palette = make_palette(context);
  const VkPipelineLayout layout = make_layout(context, palette.layout);
  const VkPipeline moving = make_moving(context, layout), drawing = make_drawing(context, layout);
  const Push push{address_of(context, agents),
                  address_of(context, turns),
                  {16 * (kWidth - kSide), 16 * (kHeight - kSide)}};

  const VkCommandBuffer commands = context.begin();
  to_general(commands, samples, VK_IMAGE_ASPECT_COLOR_BIT);
  to_general(commands, depth, VK_IMAGE_ASPECT_DEPTH_BIT);
  to_general(commands, picture, VK_IMAGE_ASPECT_COLOR_BIT);
  vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT, 0,
                     sizeof push, &push);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, moving);
  constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
  constexpr VkAccessFlags2 kStored = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                           kLoaded = VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
  for (uint32_t i = 0; i < kSteps; i++) {
    vkCmdDispatch(commands, kAgents / kGroup, 1, 1);
    wait(commands, kCompute, kStored, kCompute, kLoaded | kStored);
  }
  wait(commands, kCompute, kStored, VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT, kLoaded);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, drawing);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &palette.set, 0, nullptr);
  draw(commands, samples, depth, picture);
  wait(commands, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
       VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT);
  const VkBufferImageCopy whole{
      0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, {kWidth, kHeight, 1}};
  vkCmdCopyImageToBuffer(commands, picture.image, VK_IMAGE_LAYOUT_GENERAL, read.buffer, 1, &whole);
  wait(commands, kCompute | VK_PIPELINE_STAGE_2_COPY_BIT, kStored | VK_ACCESS_2_TRANSFER_WRITE_BIT,
       VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT);
  submit_and_wait(context, commands);
  std::printf("%u turns\n", *static_cast<const uint32_t*>(turns.mapped));
  headless::write_ppm(arguments[1], kWidth, kHeight, static_cast<const uint8_t*>(read.mapped));

  for (const VkPipeline pipeline : {moving, drawing}) vkDestroyPipeline(context.device(), pipeline, nullptr);
  vkDestroyPipelineLayout(context.device(), layout, nullptr);
  vkDestroyDescriptorPool(context.device(), palette.pool, nullptr);
  vkDestroyDescriptorSetLayout(context.device(), palette.layout, nullptr);
  for (const Buffer& buffer : {agents, turns, read}) context.destroy(buffer);
  for (const Image& image : {samples, depth, picture}) context.destroy(image);
}
