#include "icd/testing/render_fixture.h"

// Tests VK_KHR_synchronization2.
namespace {

using namespace cutaway::icd::testing;

struct Synchronization2 : Renderer {
  VkPhysicalDeviceSynchronization2Features wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, nullptr, VK_TRUE};
  PFN_vkQueueSubmit2KHR submit2 = nullptr;
  PFN_vkCmdPipelineBarrier2KHR barrier2 = nullptr;
  PFN_vkCmdSetEvent2KHR set_event2 = nullptr;
  PFN_vkCmdResetEvent2KHR reset_event2 = nullptr;
  PFN_vkCmdWaitEvents2KHR wait_events2 = nullptr;
  PFN_vkCmdWriteTimestamp2KHR write_timestamp2 = nullptr;
  Buffer words;

  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME);
    Renderer::SetUp();
    load(submit2, "vkQueueSubmit2KHR");
    load(barrier2, "vkCmdPipelineBarrier2KHR");
    load(set_event2, "vkCmdSetEvent2KHR");
    load(reset_event2, "vkCmdResetEvent2KHR");
    load(wait_events2, "vkCmdWaitEvents2KHR");
    load(write_timestamp2, "vkCmdWriteTimestamp2KHR");
    words = make_buffer(64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    std::memset(words.mapped, 0, 64);
  }

  // Between two transfers.
  static constexpr VkMemoryBarrier2 kBetween{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                             nullptr,
                                             VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT,
                                             VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                             VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT,
                                             VK_ACCESS_2_TRANSFER_WRITE_BIT};
  static constexpr VkDependencyInfo kDependency{
      VK_STRUCTURE_TYPE_DEPENDENCY_INFO, nullptr, 0, 1, &kBetween, 0, nullptr, 0, nullptr};

  VkSemaphore make_timeline() {
    const VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr,
                                         VK_SEMAPHORE_TYPE_TIMELINE, 0};
    const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
    VkSemaphore made = VK_NULL_HANDLE;
    ok(vkCreateSemaphore(device, &info, nullptr, &made));
    at_end([this, made] { vkDestroySemaphore(device, made, nullptr); });
    return made;
  }
};

// Two batches: the second waits for the first, and the first for the host.
TEST_F(Synchronization2, BatchesWaitForSemaphores) {
  PFN_vkSignalSemaphoreKHR signal = nullptr;
  PFN_vkGetSemaphoreCounterValueKHR value_of = nullptr;
  load(signal, "vkSignalSemaphoreKHR");
  load(value_of, "vkGetSemaphoreCounterValueKHR");
  const VkSemaphore timeline = make_timeline();
  std::array<VkSemaphoreSubmitInfo, 3> points;
  for (uint32_t i = 0; i < 3; i++)
    points[i] = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline, i + 1,
                 VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
  std::array<VkCommandBufferSubmitInfo, 2> commands;
  std::array<VkSubmitInfo2, 2> batches;
  for (uint32_t i = 0; i < 2; i++) {
    commands[i] = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, nullptr, begin(), 0};
    vkCmdFillBuffer(commands[i].commandBuffer, words.buffer, 4 * i, 8, i + 7);
    ok(vkEndCommandBuffer(commands[i].commandBuffer));
    batches[i] = {
        VK_STRUCTURE_TYPE_SUBMIT_INFO_2, nullptr, 0, 1, &points[i], 1, &commands[i], 1, &points[i + 1]};
  }
  const VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence = VK_NULL_HANDLE;
  ok(vkCreateFence(device, &fence_info, nullptr, &fence));
  at_end([this, fence] { vkDestroyFence(device, fence, nullptr); });
  ok(submit2(queue, 2, batches.data(), fence));
  EXPECT_EQ(vkGetFenceStatus(device, fence), VK_NOT_READY);
  EXPECT_EQ(words.at<uint32_t>(0), 0u);
  const VkSemaphoreSignalInfo go{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline, 1};
  ok(signal(device, &go));
  ok(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX));
  uint64_t value = 0;
  ok(value_of(device, timeline, &value));
  EXPECT_EQ(value, 3u);
  EXPECT_EQ(words.at<uint32_t>(0), 7u);
  EXPECT_EQ(words.at<uint32_t>(1), 8u);
  EXPECT_EQ(words.at<uint32_t>(2), 8u);
}

// In a primary and in a secondary command buffer, which is executed after the recorded structures are gone.
TEST_F(Synchronization2, EventsAndBarriersBetweenCommands) {
  const VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO, nullptr, VK_EVENT_CREATE_DEVICE_ONLY_BIT};
  VkEvent event = VK_NULL_HANDLE;
  ok(vkCreateEvent(device, &info, nullptr, &event));
  at_end([this, event] { vkDestroyEvent(device, event, nullptr); });
  for (const bool secondary : {false, true}) {
    const VkCommandBuffer primary = begin();
    VkCommandBuffer commands = primary;
    if (secondary) {
      commands = allocate_commands(VK_COMMAND_BUFFER_LEVEL_SECONDARY);
      const VkCommandBufferInheritanceInfo inherited{VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
      const VkCommandBufferBeginInfo begin_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0,
                                                &inherited};
      ok(vkBeginCommandBuffer(commands, &begin_info));
    }
    {
      VkMemoryBarrier2 between = kBetween;
      VkDependencyInfo dependency = kDependency;
      dependency.pMemoryBarriers = &between;
      VkEvent waited = event;
      vkCmdFillBuffer(commands, words.buffer, 0, 4, 1);
      set_event2(commands, event, &dependency);
      wait_events2(commands, 1, &waited, &dependency);
      vkCmdFillBuffer(commands, words.buffer, 0, 4, 2);
      barrier2(commands, &dependency);
      vkCmdFillBuffer(commands, words.buffer, 0, 4, secondary ? 4 : 3);
      reset_event2(commands, event, VK_PIPELINE_STAGE_2_CLEAR_BIT);
      waited = VK_NULL_HANDLE, dependency = {}, between = {};
    }
    if (secondary) {
      ok(vkEndCommandBuffer(commands));
      vkCmdExecuteCommands(primary, 1, &commands);
    }
    submit(primary);
    EXPECT_EQ(words.at<uint32_t>(0), secondary ? 4u : 3u);
    if (secondary) messages.clear();  // the layer does not follow events into secondary command buffers
  }
}

TEST_F(Synchronization2, Timestamps) {
  VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  info.queryType = VK_QUERY_TYPE_TIMESTAMP, info.queryCount = 2;
  VkQueryPool queries = VK_NULL_HANDLE;
  ok(vkCreateQueryPool(device, &info, nullptr, &queries));
  at_end([this, queries] { vkDestroyQueryPool(device, queries, nullptr); });
  const VkCommandBuffer commands = begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  write_timestamp2(commands, VK_PIPELINE_STAGE_2_NONE, queries, 0);
  vkCmdFillBuffer(commands, words.buffer, 0, 64, 1);
  write_timestamp2(commands, VK_PIPELINE_STAGE_2_CLEAR_BIT, queries, 1);
  submit(commands);
  uint64_t times[2] = {};
  ok(vkGetQueryPoolResults(device, queries, 0, 2, sizeof times, times, 8, VK_QUERY_RESULT_64_BIT));
  EXPECT_LT(times[0], times[1]);
}

}  // namespace
