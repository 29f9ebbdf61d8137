#include <cstdlib>
#include <cstring>
#include <memory>

#include "icd/testing/render_fixture.h"

// VK_EXT_external_memory_host: the GPU works in memory of the program.
namespace {

using namespace cutaway::icd::testing;

constexpr auto kHostMemory = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;

struct HostMemory : Renderer {
  void SetUp() override {
    extensions.push_back(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
    Renderer::SetUp();
  }
  VkDeviceSize alignment() const {
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT host{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &host};
    vkGetPhysicalDeviceProperties2(physical, &all);
    return host.minImportedHostPointerAlignment;
  }
  // A buffer of 4096 bytes in the memory at a pointer.
  VkBuffer make_imported(void* pointer) {
    VkExternalMemoryBufferCreateInfo external{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO, nullptr,
                                              kHostMemory};
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, &external};
    info.size = 4096;
    info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkBuffer buffer = VK_NULL_HANDLE;
    ok(vkCreateBuffer(device, &info, nullptr, &buffer));
    at_end([this, buffer] { vkDestroyBuffer(device, buffer, nullptr); });
    VkImportMemoryHostPointerInfoEXT from{VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT, nullptr,
                                          kHostMemory, pointer};
    const VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &from, 4096, 0};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    ok(vkAllocateMemory(device, &allocate, nullptr, &memory));
    at_end([this, memory] { vkFreeMemory(device, memory, nullptr); });
    ok(vkBindBufferMemory(device, buffer, memory, 0));
    return buffer;
  }
};

TEST_F(HostMemory, IsSaidToBeImportable) {
  VkPhysicalDeviceExternalBufferInfo info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO};
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT, info.handleType = kHostMemory;
  VkExternalBufferProperties properties{VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
  vkGetPhysicalDeviceExternalBufferProperties(physical, &info, &properties);
  EXPECT_EQ(properties.externalMemoryProperties.externalMemoryFeatures,
            VkExternalMemoryFeatureFlags{VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT});
  EXPECT_EQ(properties.externalMemoryProperties.compatibleHandleTypes,
            VkExternalMemoryHandleTypeFlags{kHostMemory});
  info.handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
  vkGetPhysicalDeviceExternalBufferProperties(physical, &info, &properties);
  EXPECT_EQ(properties.externalMemoryProperties.externalMemoryFeatures, 0u);
  PFN_vkGetMemoryHostPointerPropertiesEXT ask = nullptr;
  load(ask, "vkGetMemoryHostPointerPropertiesEXT");
  VkMemoryHostPointerPropertiesEXT of_pointer{VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
  const std::unique_ptr<void, decltype(&std::free)> own(std::aligned_alloc(alignment(), alignment()),
                                                        std::free);
  ok(ask(device, kHostMemory, own.get(), &of_pointer));
  EXPECT_EQ(of_pointer.memoryTypeBits, 1u);
}

// Two pages of the program's, one copied to the other twice; between the copies the program writes the first.
TEST_F(HostMemory, IsReadAndWrittenInPlace) {
  ASSERT_EQ(alignment(), 4096u);
  const std::unique_ptr<void, decltype(&std::free)> own(std::aligned_alloc(4096, 2 * 4096), std::free);
  auto* const bytes = static_cast<uint8_t*>(own.get());
  std::memset(bytes, 0, 2 * 4096);
  const VkBuffer from = make_imported(bytes), to = make_imported(bytes + 4096);
  const VkCommandBuffer commands = begin();
  const VkBufferCopy all{0, 0, 4096};
  vkCmdCopyBuffer(commands, from, to, 1, &all);
  const VkMemoryBarrier host{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                             VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &host, 0,
                       nullptr, 0, nullptr);
  bytes[7] = 77;
  submit(commands);
  EXPECT_EQ(bytes[4096 + 7], 77);
  bytes[7] = 78, bytes[4095] = 79;
  submit_again(commands);
  EXPECT_EQ(bytes[4096 + 7], 78);
  EXPECT_EQ(bytes[2 * 4096 - 1], 79);
}

}  // namespace
