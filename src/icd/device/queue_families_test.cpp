#include "icd/testing/queues_fixture.h"
#include "icd_testdata/paint_comp.h"

// The two families of queues: graphics, and compute beside it.
namespace {

using namespace cutaway::icd::testing;

using QueueFamilies = TwoQueues;

TEST_F(QueueFamilies, AreGraphicsAndComputeWithOneQueueEach) {
  uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
  ASSERT_EQ(count, 2u);
  VkQueueFamilyProperties family[2];
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, family);
  constexpr VkQueueFlags kCommon = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT | VK_QUEUE_SPARSE_BINDING_BIT;
  EXPECT_EQ(family[0].queueFlags, VK_QUEUE_GRAPHICS_BIT | kCommon);
  EXPECT_EQ(family[1].queueFlags, kCommon);
  for (const VkQueueFamilyProperties& one : family) {
    EXPECT_EQ(one.queueCount, 1u);
    EXPECT_EQ(one.timestampValidBits, 64u);
    EXPECT_EQ(one.minImageTransferGranularity.width, 1u);
  }
  VkQueueFamilyProperties2 more[3];
  for (VkQueueFamilyProperties2& one : more) one = {VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2};
  for (const auto& [asked, given] : {std::pair(1u, 1u), {2u, 2u}, {3u, 2u}}) {
    count = asked;
    vkGetPhysicalDeviceQueueFamilyProperties2(physical, &count, more);
    EXPECT_EQ(count, given);
  }
  for (int i = 0; i < 2; i++) EXPECT_EQ(more[i].queueFamilyProperties.queueFlags, family[i].queueFlags) << i;
  EXPECT_EQ(more[2].queueFamilyProperties.queueFlags, 0u);
}

TEST_F(QueueFamilies, EachQueueIsItsFamilys) {
  ASSERT_TRUE(queue && compute);
  EXPECT_NE(queue, compute);
  const VkDeviceQueueInfo2 info{VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2, nullptr, 0, kCompute, 0};
  VkQueue same = VK_NULL_HANDLE;
  vkGetDeviceQueue2(device, &info, &same);
  EXPECT_EQ(same, compute);
}

// Forbidden, so that the layer is off.
struct WrongQueues : Loader {
  WrongQueues() { validates = false; }
};

TEST_F(WrongQueues, AreRefusedOrNotThere) {
  VkQueue none = queue;
  vkGetDeviceQueue(device, kCompute, 0, &none);  // the device was made without
  EXPECT_EQ(none, VkQueue{VK_NULL_HANDLE});
  vkDestroyDevice(device, nullptr);
  device = VK_NULL_HANDLE;
  families = {2};
  EXPECT_EQ(create_device(), VK_ERROR_UNKNOWN);
  device = VK_NULL_HANDLE;
}

// With a transfer of the image's ownership from one family to the other.
TEST_F(QueueFamilies, GraphicsReadsWhatComputePainted) {
  const Image picture = make_image(kFormat, VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  const Buffer rows = make_buffer(4 * kSide, VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
  VkBufferViewCreateInfo rows_info{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
  rows_info.buffer = rows.buffer, rows_info.format = VK_FORMAT_R32_UINT, rows_info.range = VK_WHOLE_SIZE;
  VkBufferView view = VK_NULL_HANDLE;
  ok(vkCreateBufferView(device, &rows_info, nullptr, &view));
  at_end([this, view] { vkDestroyBufferView(device, view, nullptr); });
  const auto [set_layout, set] =
      make_set({{0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                {1, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkDescriptorImageInfo image{VK_NULL_HANDLE, picture.view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet writes[2]{};
  for (uint32_t i = 0; i < 2; i++) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set, writes[i].dstBinding = i, writes[i].descriptorCount = 1;
  }
  writes[0].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, writes[0].pImageInfo = &image;
  writes[1].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, writes[1].pTexelBufferView = &view;
  vkUpdateDescriptorSets(device, 2, writes, 0, nullptr);
  const VkPipelineLayout layout = make_compute_layout(set_layout, 0);
  const VkPipeline pipeline = make_compute(make_shader(paint_comp), layout);

  VkImageMemoryBarrier turn{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
  turn.image = picture.image, turn.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  const auto barrier = [&](VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to) {
    vkCmdPipelineBarrier(commands, from, to, 0, 0, nullptr, 0, nullptr, 1, &turn);
  };
  const VkCommandBuffer paints = begin_compute(), reads = begin();
  turn.dstAccessMask = VK_ACCESS_SHADER_WRITE_BIT, turn.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  turn.srcQueueFamilyIndex = turn.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier(paints, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
  vkCmdBindPipeline(paints, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(paints, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  vkCmdDispatch(paints, kSide / 4, kSide / 4, 1);
  turn.srcQueueFamilyIndex = kCompute, turn.dstQueueFamilyIndex = kGraphics;
  turn.oldLayout = VK_IMAGE_LAYOUT_GENERAL, turn.newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  turn.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT, turn.dstAccessMask = 0;
  barrier(paints, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
  turn.srcAccessMask = 0, turn.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  barrier(reads, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT);
  const Buffer result = read_back(reads, picture);

  const VkSemaphore painted = make_semaphore(VK_SEMAPHORE_TYPE_BINARY);
  submit_to(compute, paints, {}, {painted, 1});
  submit_to(queue, reads, {painted, 1});
  ok(vkQueueWaitIdle(queue));
  for (const uint32_t at : {0u, 5u, kSide - 1})
    EXPECT_EQ(pixel(result, at, 3), (Color{static_cast<uint8_t>(16 * at), 48, 0, 255})) << at;
}

// Each queue waits for a value that the other signals, and two of the waits are submitted first.
TEST_F(QueueFamilies, ATimelineOrdersBothWays) {
  constexpr VkDeviceSize kBytes = 64;
  const Buffer buffers[4] = {make_buffer(kBytes, kCopied), make_buffer(kBytes, kCopied),
                             make_buffer(kBytes, kCopied), make_buffer(kBytes, kCopied)};
  const auto copies = [&](VkCommandBuffer commands, int from) {
    copy(commands, buffers[from], buffers[from + 1], kBytes);
    return commands;
  };
  const VkSemaphore order = make_semaphore(VK_SEMAPHORE_TYPE_TIMELINE);
  submit_to(queue, copies(begin(), 2), {order, 2}, {order, 3});
  submit_to(compute, copies(begin_compute(), 1), {order, 1}, {order, 2});
  const VkCommandBuffer fills = begin_compute();
  vkCmdFillBuffer(fills, buffers[0].buffer, 0, VK_WHOLE_SIZE, 7);
  full_barrier(fills);
  copies(fills, 0);
  // Behind the wait in its queue: the program lets it go.
  submit_to(compute, fills, {order, 3});
  signal(order, 1);
  ok(vkDeviceWaitIdle(device));
  EXPECT_EQ(buffers[3].at<uint32_t>(0), 0u) << "the copies came before the fill";
  EXPECT_EQ(buffers[1].at<uint32_t>(kBytes / 4 - 1), 7u);
}

TEST_F(QueueFamilies, OneQueueIsIdleBesideOneThatWaits) {
  const VkSemaphore gate = make_semaphore(VK_SEMAPHORE_TYPE_TIMELINE);
  const Buffer drawn = make_buffer(64, kCopied), computed = make_buffer(64, kCopied);
  const VkQueryPool times = make_queries(VK_QUERY_TYPE_TIMESTAMP);
  const VkCommandBuffer first = begin(), second = begin_compute();
  vkCmdFillBuffer(first, drawn.buffer, 0, VK_WHOLE_SIZE, 1);
  full_barrier(first);
  vkCmdResetQueryPool(second, times, 0, 2);
  vkCmdWriteTimestamp(second, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times, 0);
  vkCmdFillBuffer(second, computed.buffer, 0, VK_WHOLE_SIZE, 2);
  full_barrier(second);
  submit_to(queue, first, {gate, 1});
  submit_to(compute, second);
  uint64_t time = 0;
  ok(vkGetQueryPoolResults(device, times, 0, 1, sizeof time, &time, sizeof time,
                           VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
  ok(vkQueueWaitIdle(compute));
  EXPECT_EQ(computed.at<uint32_t>(15), 2u);
  EXPECT_EQ(drawn.at<uint32_t>(0), 0u);
  signal(gate, 1);
  ok(vkQueueWaitIdle(queue));
  EXPECT_EQ(drawn.at<uint32_t>(0), 1u);
}

// A wait for an event that the program sets when the other queue has ended.
TEST_F(QueueFamilies, AnEventHoldsUpItsQueueAlone) {
  const VkEventCreateInfo event_info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event = VK_NULL_HANDLE;
  ok(vkCreateEvent(device, &event_info, nullptr, &event));
  at_end([this, event] { vkDestroyEvent(device, event, nullptr); });
  const Buffer waited = make_buffer(64, kCopied), other = make_buffer(64, kCopied);
  const VkCommandBuffer waits = begin_compute(), fills = begin();
  vkCmdWaitEvents(waits, 1, &event, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, nullptr, 0,
                  nullptr, 0, nullptr);
  copy(waits, other, waited, 64);
  vkCmdFillBuffer(fills, other.buffer, 0, VK_WHOLE_SIZE, 5);
  full_barrier(fills);
  submit_to(compute, waits);
  submit_to(queue, fills);
  ok(vkQueueWaitIdle(queue));
  EXPECT_EQ(waited.at<uint32_t>(0), 0u);
  ok(vkSetEvent(device, event));
  ok(vkQueueWaitIdle(compute));
  EXPECT_EQ(waited.at<uint32_t>(0), 5u);
}

// A compute queue takes all of this; image_commands_test.cpp tests clears.
TEST_F(QueueFamilies, AComputeQueueCopiesCountsAndObeysConditions) {
  const Sum sum = make_sum();
  const Buffer data = make_buffer(64, kCopied | VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
  const Buffer counts = make_buffer(64, kCopied), back = make_buffer(256, kCopied);
  constexpr VkImageUsageFlags kUsage =
      VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
  const Image image = make_image(kFormat, kUsage), other = make_image(kFormat, kUsage);
  const VkQueryPool invocations = make_queries(VK_QUERY_TYPE_PIPELINE_STATISTICS,
                                               VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT);
  PFN_vkCmdBeginConditionalRenderingEXT begin_condition = nullptr;
  PFN_vkCmdEndConditionalRenderingEXT end_condition = nullptr;
  load(begin_condition, "vkCmdBeginConditionalRenderingEXT");
  load(end_condition, "vkCmdEndConditionalRenderingEXT");

  const VkCommandBuffer commands = begin_compute();
  const uint32_t words[16] = {0, 11, 12, 13};
  vkCmdUpdateBuffer(commands, data.buffer, 0, 64, words);
  vkCmdFillBuffer(commands, sum.out.buffer, 0, VK_WHOLE_SIZE, 0);
  vkCmdResetQueryPool(commands, invocations, 0, 2);
  full_barrier(commands);
  vkCmdBeginQuery(commands, invocations, 0, 0);
  sum.dispatch(commands);
  vkCmdEndQuery(commands, invocations, 0);
  full_barrier(commands);
  // The first word is 0: not executed.
  const VkConditionalRenderingBeginInfoEXT condition{VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
                                                     nullptr, data.buffer, 0, 0};
  begin_condition(commands, &condition);
  sum.dispatch(commands);
  end_condition(commands);
  vkCmdCopyQueryPoolResults(commands, invocations, 0, 1, counts.buffer, 0, 8,
                            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  for (const Image& target : {image, other}) {
    VkImageMemoryBarrier made{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    made.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, made.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    made.srcQueueFamilyIndex = made.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    made.image = target.image, made.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                         nullptr, 0, nullptr, 1, &made);
  }
  const VkImageSubresourceLayers layer{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  const VkBufferImageCopy texels{0, 0, 0, layer, {2, 3, 0}, {4, 4, 1}};
  vkCmdCopyBufferToImage(commands, data.buffer, image.image, VK_IMAGE_LAYOUT_GENERAL, 1, &texels);
  full_barrier(commands);
  const VkImageCopy across{layer, {2, 3, 0}, layer, {2, 3, 0}, {4, 4, 1}};
  vkCmdCopyImage(commands, image.image, VK_IMAGE_LAYOUT_GENERAL, other.image, VK_IMAGE_LAYOUT_GENERAL, 1,
                 &across);
  full_barrier(commands);
  vkCmdCopyImageToBuffer(commands, other.image, VK_IMAGE_LAYOUT_GENERAL, back.buffer, 1, &texels);
  full_barrier(commands);
  submit_to(compute, commands);
  ok(vkQueueWaitIdle(compute));

  EXPECT_EQ(sum.out.at<uint32_t>(0), 3u * 8 * 9 / 2) << "once";
  EXPECT_EQ(counts.at<uint64_t>(0), 8u);
  EXPECT_EQ(back.at<uint32_t>(1), 11u);
  EXPECT_EQ(back.at<uint32_t>(3), 13u);
}

TEST_F(QueueFamilies, ASecondaryOfTheComputeFamilyIsExecuted) {
  const Sum sum = make_sum();
  const VkCommandBuffer secondary = begin_compute(VK_COMMAND_BUFFER_LEVEL_SECONDARY),
                        primary = begin_compute();
  sum.dispatch(secondary);
  ok(vkEndCommandBuffer(secondary));
  vkCmdExecuteCommands(primary, 1, &secondary);
  full_barrier(primary);
  submit_to(compute, primary);
  ok(vkQueueWaitIdle(compute));
  EXPECT_EQ(sum.out.at<uint32_t>(0), 3u * 8 * 9 / 2);
}

// Sharing mode CONCURRENT needs no transfers of ownership.
TEST_F(QueueFamilies, BothShareABufferOfBoth) {
  const uint32_t both[] = {kGraphics, kCompute};
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = 64, info.usage = kCopied;
  info.sharingMode = VK_SHARING_MODE_CONCURRENT;
  info.queueFamilyIndexCount = 2, info.pQueueFamilyIndices = both;
  Buffer shared;
  ok(vkCreateBuffer(device, &info, nullptr, &shared.buffer));
  at_end([this, shared] { vkDestroyBuffer(device, shared.buffer, nullptr); });
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, shared.buffer, &needs);
  ok(vkBindBufferMemory(device, shared.buffer, allocate(needs), 0));
  const Buffer back = make_buffer(64, kCopied);
  const VkSemaphore filled = make_semaphore(VK_SEMAPHORE_TYPE_BINARY);
  const VkCommandBuffer fills = begin_compute(), copies = begin();
  vkCmdFillBuffer(fills, shared.buffer, 0, VK_WHOLE_SIZE, 9);
  full_barrier(fills);
  copy(copies, shared, back, 64);
  submit_to(compute, fills, {}, {filled, 1});
  submit_to(queue, copies, {filled, 1});
  ok(vkQueueWaitIdle(queue));
  EXPECT_EQ(back.at<uint32_t>(15), 9u);
}

}  // namespace
