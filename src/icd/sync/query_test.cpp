// Tests queries through the loader: the values and places that the host and the queue write.
#include <cstring>

#include "icd/testing/loader_fixture.h"

namespace cutaway::icd::testing {
namespace {

struct Queries : Loader {
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::byte* bytes = nullptr;

  void SetUp() override {
    Loader::SetUp();
    VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    ASSERT_EQ(vkCreateCommandPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                     VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    ASSERT_EQ(vkAllocateCommandBuffers(device, &info, &commands), VK_SUCCESS);
    VkBufferCreateInfo buffer_info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    buffer_info.size = 4096;
    buffer_info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    ASSERT_EQ(vkCreateBuffer(device, &buffer_info, nullptr, &buffer), VK_SUCCESS);
    VkMemoryAllocateInfo memory_info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, 4096, 0};
    ASSERT_EQ(vkAllocateMemory(device, &memory_info, nullptr, &memory), VK_SUCCESS);
    ASSERT_EQ(vkBindBufferMemory(device, buffer, memory, 0), VK_SUCCESS);
    void* mapped = nullptr;
    ASSERT_EQ(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &mapped), VK_SUCCESS);
    bytes = static_cast<std::byte*>(mapped);
  }
  void TearDown() override {
    vkDestroyBuffer(device, buffer, nullptr);
    vkFreeMemory(device, memory, nullptr);
    vkDestroyCommandPool(device, pool, nullptr);
    Loader::TearDown();
  }
  VkQueryPool make(VkQueryType type, uint32_t count) {
    VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = type;
    info.queryCount = count;
    VkQueryPool queries = VK_NULL_HANDLE;
    EXPECT_EQ(vkCreateQueryPool(device, &info, nullptr, &queries), VK_SUCCESS);
    return queries;
  }
  void begin() {
    VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    ASSERT_EQ(vkBeginCommandBuffer(commands, &info), VK_SUCCESS);
  }
  void run() {
    ASSERT_EQ(vkEndCommandBuffer(commands), VK_SUCCESS);
    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    ASSERT_EQ(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
    ASSERT_EQ(vkQueueWaitIdle(queue), VK_SUCCESS);
  }
  template <class T>
  T at(size_t offset) const {
    T value;
    std::memcpy(&value, bytes + offset, sizeof value);
    return value;
  }
};

TEST_F(Queries, TimestampsRiseAndAreCopied) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  EXPECT_GT(properties.limits.timestampPeriod, 0);
  const VkQueryPool queries = make(VK_QUERY_TYPE_TIMESTAMP, 3);
  std::memset(bytes, 0x55, 128);
  begin();
  vkCmdResetQueryPool(commands, queries, 0, 3);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
  vkCmdFillBuffer(commands, buffer, 2048, 2048, 7);
  vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
  vkCmdCopyQueryPoolResults(commands, queries, 0, 2, buffer, 0, 16,
                            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  vkCmdCopyQueryPoolResults(commands, queries, 1, 2, buffer, 32, 8, VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
  run();
  uint64_t host[4] = {};
  ASSERT_EQ(vkGetQueryPoolResults(
                device, queries, 0, 2, sizeof host, host, 16,
                VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
            VK_SUCCESS);
  EXPECT_GT(host[0], 0u);
  EXPECT_GT(host[2], host[0]);
  EXPECT_EQ(host[1] + host[3], 2u);
  for (size_t i = 0; i < 4; i++) EXPECT_EQ(at<uint64_t>(8 * i), host[i]) << i;
  EXPECT_EQ(at<uint32_t>(32), static_cast<uint32_t>(host[2]));
  EXPECT_EQ(at<uint32_t>(36), 1u);
  EXPECT_EQ(at<uint32_t>(40), 0x55555555u);  // unavailable: not written
  EXPECT_EQ(at<uint32_t>(44), 0u);
  uint32_t one = 0;
  EXPECT_EQ(vkGetQueryPoolResults(device, queries, 2, 1, 4, &one, 4, 0), VK_NOT_READY);
  vkDestroyQueryPool(device, queries, nullptr);
}

TEST_F(Queries, OcclusionOfNothingIsZeroAndPartialIsWritten) {
  const VkQueryPool queries = make(VK_QUERY_TYPE_OCCLUSION, 2);
  std::memset(bytes, 0x55, 64);
  begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  vkCmdBeginQuery(commands, queries, 0, 0);
  vkCmdEndQuery(commands, queries, 0);
  vkCmdCopyQueryPoolResults(commands, queries, 0, 2, buffer, 0, 8, VK_QUERY_RESULT_PARTIAL_BIT);
  run();
  EXPECT_EQ(at<uint32_t>(0), 0u);
  EXPECT_EQ(at<uint32_t>(8), 0u);
  EXPECT_EQ(at<uint32_t>(4), 0x55555555u);
  vkDestroyQueryPool(device, queries, nullptr);
}

// "If VK_QUERY_RESULT_WAIT_BIT and VK_QUERY_RESULT_PARTIAL_BIT are both not set then no result values are
// written to pData for queries that are in the unavailable state [...], and vkGetQueryPoolResults returns
// VK_NOT_READY. However, availability state is still written to pData for those queries if
// VK_QUERY_RESULT_WITH_AVAILABILITY_BIT is set."
TEST_F(Queries, OneThatIsNotAvailableIsNotReady) {
  const VkQueryPool queries = make(VK_QUERY_TYPE_OCCLUSION, 2);
  begin();
  vkCmdResetQueryPool(commands, queries, 0, 2);
  vkCmdBeginQuery(commands, queries, 0, 0);
  vkCmdEndQuery(commands, queries, 0);
  run();
  const auto ask = [&](VkQueryResultFlags flags, std::array<uint64_t, 4>& out) {
    out.fill(77);
    return vkGetQueryPoolResults(device, queries, 0, 2, sizeof out, out.data(), 16,
                                 flags | VK_QUERY_RESULT_64_BIT);
  };
  std::array<uint64_t, 4> results;
  EXPECT_EQ(ask(VK_QUERY_RESULT_WITH_AVAILABILITY_BIT, results), VK_NOT_READY);
  EXPECT_EQ(results, (std::array<uint64_t, 4>{0, 1, 77, 0}));
  EXPECT_EQ(ask(0, results), VK_NOT_READY);
  EXPECT_EQ(results, (std::array<uint64_t, 4>{0, 77, 77, 77}));
  EXPECT_EQ(ask(VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_PARTIAL_BIT, results), VK_SUCCESS);
  EXPECT_EQ(results, (std::array<uint64_t, 4>{0, 1, 0, 0}));
  vkDestroyQueryPool(device, queries, nullptr);
}

}  // namespace
}  // namespace cutaway::icd::testing
