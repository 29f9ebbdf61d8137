#include <atomic>
#include <ctime>
#include <gmock/gmock.h>
#include <thread>

#include "icd/testing/render_fixture.h"

// Tests VK_EXT_calibrated_timestamps.
namespace calibrated_time_test {
namespace {

using namespace cutaway::icd::testing;

struct CalibratedTime : Renderer {
  PFN_vkGetCalibratedTimestampsEXT get = nullptr;
  VkQueryPool queries = VK_NULL_HANDLE;

  void SetUp() override {
    extensions.push_back(VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
    Renderer::SetUp();
    load(get, "vkGetCalibratedTimestampsEXT");
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_TIMESTAMP, info.queryCount = 2;
    ok(vkCreateQueryPool(device, &info, nullptr, &queries));
    at_end([this] { vkDestroyQueryPool(device, queries, nullptr); });
  }
  static VkCalibratedTimestampInfoEXT of(VkTimeDomainEXT domain) {
    return {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT, nullptr, domain};
  }
  uint64_t device_time() const {
    const VkCalibratedTimestampInfoEXT info = of(VK_TIME_DOMAIN_DEVICE_EXT);
    uint64_t time = 0, deviation = 0;
    ok(get(device, 1, &info, &time, &deviation));
    EXPECT_GE(deviation, 1u);
    return time;
  }
  static uint64_t now(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
  }
  // Records timestamps around a fill of a buffer.
  VkCommandBuffer record_fill(const Buffer& buffer) const {
    const VkCommandBuffer commands = begin();
    vkCmdResetQueryPool(commands, queries, 0, 2);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
    vkCmdFillBuffer(commands, buffer.buffer, 0, VK_WHOLE_SIZE, 1);
    vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
    ok(vkEndCommandBuffer(commands));
    return commands;
  }
};

TEST_F(CalibratedTime, DomainsAreTheDevicesAndTheHosts) {
  PFN_vkGetPhysicalDeviceCalibrateableTimeDomainsEXT list = nullptr;
  list = reinterpret_cast<decltype(list)>(
      vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceCalibrateableTimeDomainsEXT"));
  ASSERT_NE(list, nullptr);
  uint32_t count = 0;
  ok(list(physical, &count, nullptr));
  std::vector<VkTimeDomainEXT> domains(count);
  ok(list(physical, &count, domains.data()));
  EXPECT_THAT(domains, ::testing::ElementsAre(VK_TIME_DOMAIN_DEVICE_EXT, VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT,
                                              VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT));
}

// Timestamps lie between the clock before they were submitted and the clock behind; it stands still between.
TEST_F(CalibratedTime, TimestampsLieBetweenReadingsOfTheClock) {
  const Buffer buffer = make_buffer(1 << 16, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkCommandBuffer commands = record_fill(buffer);
  uint64_t advance[2];
  for (uint64_t& advanced : advance) {
    const uint64_t before = device_time();
    EXPECT_EQ(device_time(), before);
    submit_again(commands);
    uint64_t written[2];
    ok(vkGetQueryPoolResults(device, queries, 0, 2, sizeof written, written, sizeof written[0],
                             VK_QUERY_RESULT_64_BIT));
    const uint64_t after = device_time();
    EXPECT_LE(before, written[0]);
    EXPECT_LT(written[0], written[1]);
    EXPECT_LE(written[1], after);
    advanced = after - before;
  }
  EXPECT_EQ(advance[0], advance[1]) << "the same work takes the same time";
}

// Reading waits for what was submitted: the value does not depend on how far the GPU has come.
TEST_F(CalibratedTime, CountsAllThatWasSubmitted) {
  const Buffer buffer = make_buffer(1 << 22, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkCommandBuffer commands = record_fill(buffer);
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1, info.pCommandBuffers = &commands;
  const uint64_t start = device_time();
  ok(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  const uint64_t read = device_time();
  ok(vkQueueWaitIdle(queue));
  EXPECT_GT(read, start);
  EXPECT_EQ(device_time(), read);
}

// A submission that waits for the host holds nobody up.
TEST_F(CalibratedTime, IsReadWhileASubmissionWaitsForAnEvent) {
  const VkEventCreateInfo event_info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event = VK_NULL_HANDLE;
  ok(vkCreateEvent(device, &event_info, nullptr, &event));
  at_end([this, event] { vkDestroyEvent(device, event, nullptr); });
  const VkCommandBuffer commands = begin();
  vkCmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
                  nullptr, 0, nullptr, 0, nullptr);
  ok(vkEndCommandBuffer(commands));
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1, info.pCommandBuffers = &commands;
  ok(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE));
  const uint64_t read = device_time();
  ok(vkSetEvent(device, event));
  ok(vkQueueWaitIdle(queue));
  EXPECT_LE(read, device_time());
}

// A thread that always has work in the queue does not keep others from the clock.
TEST_F(CalibratedTime, IsReadWhileAnotherThreadSubmits) {
  const Buffer buffer = make_buffer(1 << 18, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkCommandBuffer all[] = {begin(), begin()};
  for (const VkCommandBuffer commands : all) {
    vkCmdFillBuffer(commands, buffer.buffer, 0, VK_WHOLE_SIZE, 1);
    ok(vkEndCommandBuffer(commands));
  }
  std::atomic<bool> over = false;
  std::atomic<uint32_t> submitted = 0;
  std::thread submits([&] {
    VkFence fences[2] = {};
    const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, nullptr, VK_FENCE_CREATE_SIGNALED_BIT};
    for (VkFence& one : fences) ok(vkCreateFence(device, &fence, nullptr, &one));
    for (uint32_t i = 0; !over; i++) {
      ok(vkWaitForFences(device, 1, &fences[i % 2], VK_TRUE, UINT64_MAX));
      ok(vkResetFences(device, 1, &fences[i % 2]));
      VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
      info.commandBufferCount = 1, info.pCommandBuffers = &all[i % 2];
      ok(vkQueueSubmit(queue, 1, &info, fences[i % 2]));
      submitted++;
    }
    ok(vkWaitForFences(device, 2, fences, VK_TRUE, UINT64_MAX));
    for (const VkFence one : fences) vkDestroyFence(device, one, nullptr);
  });
  while (submitted < 4) std::this_thread::yield();
  uint64_t last = 0;
  for (int i = 0; i < 50; i++) {
    const uint64_t read = device_time();
    EXPECT_GE(read, last);
    last = read;
  }
  over = true;
  submits.join();
  EXPECT_GT(last, 0u);
}

TEST_F(CalibratedTime, ClocksOfTheHostAreReadWithIt) {
  const VkCalibratedTimestampInfoEXT infos[] = {of(VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT),
                                                of(VK_TIME_DOMAIN_DEVICE_EXT),
                                                of(VK_TIME_DOMAIN_CLOCK_MONOTONIC_RAW_EXT)};
  const uint64_t before = now(CLOCK_MONOTONIC), raw_before = now(CLOCK_MONOTONIC_RAW);
  uint64_t times[3] = {}, deviation = 0;
  ok(get(device, 3, infos, times, &deviation));
  const uint64_t after = now(CLOCK_MONOTONIC), raw_after = now(CLOCK_MONOTONIC_RAW);
  EXPECT_TRUE(before <= times[0] && times[0] <= after) << times[0];
  EXPECT_TRUE(raw_before <= times[2] && times[2] <= raw_after) << times[2];
  EXPECT_EQ(times[1], device_time());
  EXPECT_TRUE(deviation >= 1 && deviation <= raw_after - raw_before + 1) << deviation;
}

struct WrongTimeDomain : CalibratedTime {
  void SetUp() override {
    validates = false;
    CalibratedTime::SetUp();
  }
};

TEST_F(WrongTimeDomain, IsRefused) {
  const VkCalibratedTimestampInfoEXT info = of(VK_TIME_DOMAIN_QUERY_PERFORMANCE_COUNTER_EXT);
  uint64_t time = 0, deviation = 0;
  EXPECT_EQ(get(device, 1, &info, &time, &deviation), VK_ERROR_UNKNOWN);
}

}  // namespace
}  // namespace calibrated_time_test
