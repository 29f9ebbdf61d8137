#include "icd/testing/loader_fixture.h"

// Calls of Vulkan 1.1's core about devices, their memory and what they share.
namespace {

using namespace cutaway::icd::testing;

// "Device Groups": one device is a group.
TEST_F(Loader, AGroupOfOneDevice) {
  uint32_t count = 0;
  ASSERT_EQ(vkEnumeratePhysicalDeviceGroups(instance, &count, nullptr), VK_SUCCESS);
  ASSERT_EQ(count, 1u);
  VkPhysicalDeviceGroupProperties group{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES};
  ASSERT_EQ(vkEnumeratePhysicalDeviceGroups(instance, &count, &group), VK_SUCCESS);
  EXPECT_EQ(group.physicalDeviceCount, 1u);
  EXPECT_EQ(group.physicalDevices[0], physical);
  vkDestroyDevice(std::exchange(device, nullptr), nullptr);
  VkDeviceGroupDeviceCreateInfo together{VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO};
  together.physicalDeviceCount = 1;
  together.pPhysicalDevices = &physical;
  more_features = &together;
  ASSERT_EQ(create_device(), VK_SUCCESS);

  const VkDeviceQueueInfo2 which{VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2};
  vkGetDeviceQueue2(device, &which, &queue);
  EXPECT_NE(queue, nullptr);
  const VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  VkCommandPool pool = VK_NULL_HANDLE;
  ASSERT_EQ(vkCreateCommandPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
  const VkCommandBufferAllocateInfo one{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                        VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  VkCommandBuffer commands = nullptr;
  ASSERT_EQ(vkAllocateCommandBuffers(device, &one, &commands), VK_SUCCESS);
  VkDeviceGroupCommandBufferBeginInfo mask{VK_STRUCTURE_TYPE_DEVICE_GROUP_COMMAND_BUFFER_BEGIN_INFO, nullptr,
                                           1};
  const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, &mask};
  EXPECT_EQ(vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
  vkCmdSetDeviceMask(commands, 1);
  EXPECT_EQ(vkEndCommandBuffer(commands), VK_SUCCESS);
  VkDeviceGroupSubmitInfo masks{VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO};
  const uint32_t bit = 1;
  masks.commandBufferCount = 1;
  masks.pCommandBufferDeviceMasks = &bit;
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO, &masks};
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  EXPECT_EQ(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  EXPECT_EQ(vkQueueWaitIdle(queue), VK_SUCCESS);
  vkTrimCommandPool(device, pool, 0);
  vkDestroyCommandPool(device, pool, nullptr);
}

// Memory by the extensible calls of version 1.1, dedicated to its resource.
TEST_F(Loader, MemoryBindsByTheExtensibleCalls) {
  VkBufferCreateInfo buffer_info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  buffer_info.size = 256;
  buffer_info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer buffer = VK_NULL_HANDLE;
  ASSERT_EQ(vkCreateBuffer(device, &buffer_info, nullptr, &buffer), VK_SUCCESS);
  VkMemoryDedicatedRequirements dedicated{VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS};
  VkMemoryRequirements2 needs{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2, &dedicated};
  const VkBufferMemoryRequirementsInfo2 of{VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2, nullptr,
                                           buffer};
  vkGetBufferMemoryRequirements2(device, &of, &needs);
  EXPECT_FALSE(dedicated.requiresDedicatedAllocation);
  const VkMemoryDedicatedAllocateInfo whole{VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, nullptr,
                                            VK_NULL_HANDLE, buffer};
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &whole};
  info.allocationSize = needs.memoryRequirements.size;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  ASSERT_EQ(vkAllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
  const VkBindBufferMemoryInfo bind{VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO, nullptr, buffer, memory, 0};
  EXPECT_EQ(vkBindBufferMemory2(device, 1, &bind), VK_SUCCESS);
  vkDestroyBuffer(device, buffer, nullptr);
  vkFreeMemory(device, memory, nullptr);
}

TEST_F(Loader, DescriptorSetLayoutsOfAnyReasonableSizeAreSupported) {
  for (const auto& [count, supported] : {std::pair{1024u, VK_TRUE}, std::pair{1u << 31, VK_FALSE}}) {
    const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, count,
                                               VK_SHADER_STAGE_VERTEX_BIT, nullptr};
    VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    info.bindingCount = 1;
    info.pBindings = &binding;
    VkDescriptorSetLayoutSupport support{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT};
    vkGetDescriptorSetLayoutSupport(device, &info, &support);
    EXPECT_EQ(support.supported, supported ? VkBool32{VK_TRUE} : VkBool32{VK_FALSE}) << count;
  }
}

TEST_F(Loader, NothingIsSharedWithOthers) {
  VkExternalBufferProperties buffer{VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
  const VkPhysicalDeviceExternalBufferInfo buffer_info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
                                                       nullptr, 0, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                                       VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
  vkGetPhysicalDeviceExternalBufferProperties(physical, &buffer_info, &buffer);
  EXPECT_EQ(buffer.externalMemoryProperties.externalMemoryFeatures, 0u);
  VkExternalFenceProperties fence{VK_STRUCTURE_TYPE_EXTERNAL_FENCE_PROPERTIES};
  const VkPhysicalDeviceExternalFenceInfo fence_info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_FENCE_INFO,
                                                     nullptr, VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT};
  vkGetPhysicalDeviceExternalFenceProperties(physical, &fence_info, &fence);
  EXPECT_EQ(fence.externalFenceFeatures, 0u);
  VkExternalSemaphoreProperties semaphore{VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES};
  const VkPhysicalDeviceExternalSemaphoreInfo semaphore_info{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO, nullptr,
      VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
  vkGetPhysicalDeviceExternalSemaphoreProperties(physical, &semaphore_info, &semaphore);
  EXPECT_EQ(semaphore.externalSemaphoreFeatures, 0u);
  VkPhysicalDeviceSparseImageFormatInfo2 sparse{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SPARSE_IMAGE_FORMAT_INFO_2};
  sparse.format = VK_FORMAT_R8G8B8A8_UNORM, sparse.type = VK_IMAGE_TYPE_2D;
  sparse.samples = VK_SAMPLE_COUNT_1_BIT, sparse.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  uint32_t count = 7;
  sparse.tiling = VK_IMAGE_TILING_LINEAR;
  vkGetPhysicalDeviceSparseImageFormatProperties2(physical, &sparse, &count, nullptr);
  EXPECT_EQ(count, 0u);
}

// No address space holds it: refused, not made with requirements that wrapped around to nothing.
TEST_F(Loader, ABufferLargerThanTheAddressSpaceIsRefused) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  for (const VkDeviceSize bytes : {UINT64_MAX, UINT64_MAX - 62, (uint64_t{1} << 40) + 1}) {
    info.size = bytes;
    VkBuffer buffer = VK_NULL_HANDLE;
    EXPECT_EQ(vkCreateBuffer(device, &info, nullptr, &buffer), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    EXPECT_EQ(buffer, VkBuffer{VK_NULL_HANDLE});
  }
  info.size = (uint64_t{1} << 33) + 1;
  VkBuffer buffer = VK_NULL_HANDLE;
  ASSERT_EQ(vkCreateBuffer(device, &info, nullptr, &buffer), VK_SUCCESS);
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, buffer, &needs);
  EXPECT_GE(needs.size, info.size);
  vkDestroyBuffer(device, buffer, nullptr);
}

}  // namespace
