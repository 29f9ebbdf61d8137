#pragma once

#include "icd/testing/render_fixture.h"
#include "icd_testdata/sum_comp.h"

namespace cutaway::icd::testing {

constexpr uint32_t kGraphics = 0, kCompute = 1;
constexpr VkBufferUsageFlags kCopied = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

// A value that a semaphore is waited for or signaled to; 0: it is not.
struct SemaphoreValue {
  VkSemaphore semaphore = VK_NULL_HANDLE;
  uint64_t value = 0;
};

// `queue` is the graphics queue, the others are of the compute family.
struct TwoQueues : Renderer {
  VkQueue compute = VK_NULL_HANDLE;
  VkCommandPool compute_pool = VK_NULL_HANDLE;
  VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT, nullptr, VK_TRUE};

  void SetUp() override {
    families = {kGraphics, kCompute};
    features.pipelineStatisticsQuery = VK_TRUE;
    more_features = &conditional;
    extensions.push_back(VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME);
    Renderer::SetUp();
    vkGetDeviceQueue(device, kCompute, 0, &compute);
    VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    info.queueFamilyIndex = kCompute;
    ok(vkCreateCommandPool(device, &info, nullptr, &compute_pool));
    at_end([this] { vkDestroyCommandPool(device, compute_pool, nullptr); });
  }

  VkCommandBuffer begin_compute(VkCommandBufferLevel level = VK_COMMAND_BUFFER_LEVEL_PRIMARY) const {
    const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr,
                                           compute_pool, level, 1};
    VkCommandBuffer commands = nullptr;
    ok(vkAllocateCommandBuffers(device, &info, &commands));
    const VkCommandBufferInheritanceInfo inherited{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0, &inherited};
    ok(vkBeginCommandBuffer(commands, &begin));
    return commands;
  }
  VkSemaphore make_semaphore(VkSemaphoreType type) {
    const VkSemaphoreTypeCreateInfo typed{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr, type, 0};
    const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &typed};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    ok(vkCreateSemaphore(device, &info, nullptr, &semaphore));
    at_end([this, semaphore] { vkDestroySemaphore(device, semaphore, nullptr); });
    return semaphore;
  }
  // Submits to a queue. Binary semaphores have the value 1.
  static void submit_to(VkQueue to, VkCommandBuffer commands, SemaphoreValue wait = {},
                        SemaphoreValue signal = {}) {
    if (commands) ok(vkEndCommandBuffer(commands));
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    values.waitSemaphoreValueCount = wait.value ? 1 : 0, values.pWaitSemaphoreValues = &wait.value;
    values.signalSemaphoreValueCount = signal.value ? 1 : 0, values.pSignalSemaphoreValues = &signal.value;
    VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &values};
    info.waitSemaphoreCount = wait.value ? 1 : 0;
    info.pWaitSemaphores = &wait.semaphore, info.pWaitDstStageMask = &stage;
    info.commandBufferCount = commands ? 1 : 0, info.pCommandBuffers = &commands;
    info.signalSemaphoreCount = signal.value ? 1 : 0, info.pSignalSemaphores = &signal.semaphore;
    ok(vkQueueSubmit(to, 1, &info, VK_NULL_HANDLE));
  }
  void signal(VkSemaphore semaphore, uint64_t value) {
    PFN_vkSignalSemaphoreKHR signals = nullptr;
    load(signals, "vkSignalSemaphoreKHR");
    const VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, semaphore, value};
    ok(signals(device, &info));
  }

  VkPipelineLayout make_compute_layout(VkDescriptorSetLayout set, uint32_t push_bytes) {
    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes};
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.setLayoutCount = 1, info.pSetLayouts = &set;
    info.pushConstantRangeCount = push_bytes ? 1 : 0, info.pPushConstantRanges = &range;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    ok(vkCreatePipelineLayout(device, &info, nullptr, &layout));
    at_end([this, layout] { vkDestroyPipelineLayout(device, layout, nullptr); });
    return layout;
  }
  VkPipeline make_compute(VkShaderModule shader, VkPipelineLayout layout) {
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT, info.stage.module = shader, info.stage.pName = "main";
    info.layout = layout;
    VkPipeline pipeline = VK_NULL_HANDLE;
    ok(vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline));
    at_end([this, pipeline] { vkDestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }
  void write_set(VkDescriptorSet set, const std::vector<Buffer>& buffers) const {
    for (uint32_t i = 0; i < buffers.size(); i++) {
      const VkDescriptorBufferInfo range{buffers[i].buffer, 0, VK_WHOLE_SIZE};
      VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
      write.dstSet = set, write.dstBinding = i, write.descriptorCount = 1;
      write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, write.pBufferInfo = &range;
      vkUpdateDescriptorSets(device, 1, &write, 0, nullptr);
    }
  }
  // sum.comp over eight values: one group for each, as its local size is not specialised.
  struct Sum {
    Buffer in, out;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorSet set;
    static constexpr uint32_t kGroups = 8;
    void dispatch(VkCommandBuffer commands) const {
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
      const uint32_t factor = 3;
      vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &factor);
      vkCmdDispatch(commands, kGroups, 1, 1);
    }
  };
  Sum make_sum() {
    Sum sum{};
    sum.in = make_buffer(4 * Sum::kGroups, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | kCopied);
    sum.out = make_buffer(16 + 16 * Sum::kGroups, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | kCopied);
    for (uint32_t i = 0; i < Sum::kGroups; i++) sum.in.put(i, i + 1);
    const auto [set_layout, set] =
        make_set({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                  {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
    write_set(set, {sum.in, sum.out});
    sum.set = set;
    sum.layout = make_compute_layout(set_layout, 4);
    sum.pipeline = make_compute(make_shader(sum_comp), sum.layout);
    return sum;
  }
  static void full_barrier(VkCommandBuffer commands) {
    const VkMemoryBarrier all{
        VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_MEMORY_WRITE_BIT,
        VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &all, 0,
                         nullptr, 0, nullptr);
  }
  static void copy(VkCommandBuffer commands, const Buffer& from, const Buffer& to, VkDeviceSize bytes) {
    const VkBufferCopy region{0, 0, bytes};
    vkCmdCopyBuffer(commands, from.buffer, to.buffer, 1, &region);
    full_barrier(commands);
  }
  VkQueryPool make_queries(VkQueryType type, VkQueryPipelineStatisticFlags statistics = 0) {
    const VkQueryPoolCreateInfo info{
        VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, nullptr, 0, type, 2, statistics};
    VkQueryPool queries = VK_NULL_HANDLE;
    ok(vkCreateQueryPool(device, &info, nullptr, &queries));
    at_end([this, queries] { vkDestroyQueryPool(device, queries, nullptr); });
    return queries;
  }
};

}  // namespace cutaway::icd::testing
