#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "base/testing/temporary_folder.h"
#include "icd/testing/loader_fixture.h"

namespace {

using cutaway::icd::testing::Loader;

TEST_F(Loader, TheValidationLayerIsThere) {
  VkBuffer buffer;
  VkBufferCreateInfo wrong{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};  // no size, no usage
  if (vkCreateBuffer(device, &wrong, nullptr, &buffer) == VK_SUCCESS)
    vkDestroyBuffer(device, buffer, nullptr);
  EXPECT_FALSE(messages.empty());
  messages.clear();
}

TEST_F(Loader, FindsOneDeviceThatIsNoCpu) {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical, &properties);
  EXPECT_STREQ(properties.deviceName, "Cutaway");
  EXPECT_EQ(properties.apiVersion, VK_API_VERSION_1_3);
  EXPECT_EQ(properties.deviceType, VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU);
}

TEST_F(Loader, DisabledExtensionsHaveNoEntryPoints) {
  EXPECT_NE(vkGetDeviceProcAddr(device, "vkCreateBuffer"), nullptr);
  EXPECT_NE(vkGetDeviceProcAddr(device, "vkWaitSemaphoresKHR"), nullptr);
  EXPECT_EQ(vkGetDeviceProcAddr(device, "vkCreateRenderPass2KHR"), nullptr);
  EXPECT_EQ(vkGetDeviceProcAddr(device, "vkCmdDrawMeshTasksEXT"), nullptr);
}

TEST_F(Loader, ZinksFiveGatesAreNamed) {
  uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> list(count);
  vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, list.data());
  for (const char* gate : {"VK_KHR_maintenance1", "VK_KHR_create_renderpass2", "VK_KHR_imageless_framebuffer",
                           "VK_KHR_descriptor_update_template", "VK_KHR_timeline_semaphore"})
    EXPECT_TRUE(std::any_of(list.begin(), list.end(), [&](const auto& e) {
      return std::strcmp(e.extensionName, gate) == 0;
    })) << gate;
}

// "Feature Requirements": includes those of structures that extend VkDeviceCreateInfo.
TEST_F(Loader, AFeatureThatIsNotThereMakesNoDevice) {
  VkPhysicalDeviceProtectedMemoryFeatures wanted{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES};
  more_features = &wanted;
  vkDestroyDevice(std::exchange(device, nullptr), nullptr);
  EXPECT_EQ(create_device(), VK_SUCCESS);
  vkDestroyDevice(std::exchange(device, nullptr), nullptr);
  wanted.protectedMemory = VK_TRUE;
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(create_device(), VK_ERROR_FEATURE_NOT_PRESENT);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("feature"), std::string::npos);
  device = VK_NULL_HANDLE;
  messages.clear();  // the layer reports it too
}

TEST_F(Loader, ABadRangeOfFramesToCaptureMakesNoDevice) {
  vkDestroyDevice(std::exchange(device, nullptr), nullptr);
  setenv("CUTAWAY_CAPTURE", (cutaway::temporary_folder() / "never.cutaway").c_str(), 1);
  setenv("CUTAWAY_FRAMES", "5..2", 1);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(create_device(), VK_ERROR_INITIALIZATION_FAILED);
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("CUTAWAY_FRAMES=5..2"), std::string::npos);
  unsetenv("CUTAWAY_CAPTURE");
  unsetenv("CUTAWAY_FRAMES");
}

TEST_F(Loader, ABadNumberOfThreadsMakesNoDevice) {
  vkDestroyDevice(std::exchange(device, nullptr), nullptr);
  for (const char* text : {"0", "two", "257"}) {
    setenv("CUTAWAY_THREADS", text, 1);
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(create_device(), VK_ERROR_INITIALIZATION_FAILED);
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("CUTAWAY_THREADS="), std::string::npos);
  }
  unsetenv("CUTAWAY_THREADS");
}

TEST_F(Loader, MappedMemoryKeepsWhatIsWritten) {
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = 1 << 20;
  VkDeviceMemory memory;
  ASSERT_EQ(vkAllocateMemory(device, &info, nullptr, &memory), VK_SUCCESS);
  void* data = nullptr;
  ASSERT_EQ(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &data), VK_SUCCESS);
  EXPECT_EQ(static_cast<uint32_t*>(data)[1000], 0u);
  static_cast<uint32_t*>(data)[1000] = 0xcafe;
  vkUnmapMemory(device, memory);
  ASSERT_EQ(vkMapMemory(device, memory, 4000, 4, 0, &data), VK_SUCCESS);
  EXPECT_EQ(*static_cast<uint32_t*>(data), 0xcafeu);
  vkUnmapMemory(device, memory);
  vkFreeMemory(device, memory, nullptr);
}

TEST_F(Loader, FencesSignalResetAndTimeOut) {
  VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  ASSERT_EQ(vkCreateFence(device, &info, nullptr, &fence), VK_SUCCESS);
  EXPECT_EQ(vkGetFenceStatus(device, fence), VK_NOT_READY);
  EXPECT_EQ(vkWaitForFences(device, 1, &fence, VK_TRUE, 1000), VK_TIMEOUT);
  ASSERT_EQ(vkQueueSubmit(queue, 0, nullptr, fence), VK_SUCCESS);
  EXPECT_EQ(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
  ASSERT_EQ(vkResetFences(device, 1, &fence), VK_SUCCESS);
  EXPECT_EQ(vkGetFenceStatus(device, fence), VK_NOT_READY);
  vkDestroyFence(device, fence, nullptr);
}

TEST_F(Loader, BindingNothingSparseSignalsItsFence) {
  const VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  VkFence fence;
  ASSERT_EQ(vkCreateFence(device, &info, nullptr, &fence), VK_SUCCESS);
  const VkBindSparseInfo nothing{VK_STRUCTURE_TYPE_BIND_SPARSE_INFO};
  ASSERT_EQ(vkQueueBindSparse(queue, 1, &nothing, fence), VK_SUCCESS);
  EXPECT_EQ(vkWaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
  vkDestroyFence(device, fence, nullptr);
}

struct Timeline : Loader {
  PFN_vkWaitSemaphoresKHR wait = nullptr;
  PFN_vkSignalSemaphoreKHR signal = nullptr;
  PFN_vkGetSemaphoreCounterValueKHR counter = nullptr;
  VkSemaphore semaphore = VK_NULL_HANDLE;

  void SetUp() override {
    Loader::SetUp();
    wait = reinterpret_cast<PFN_vkWaitSemaphoresKHR>(vkGetDeviceProcAddr(device, "vkWaitSemaphoresKHR"));
    signal = reinterpret_cast<PFN_vkSignalSemaphoreKHR>(vkGetDeviceProcAddr(device, "vkSignalSemaphoreKHR"));
    counter = reinterpret_cast<PFN_vkGetSemaphoreCounterValueKHR>(
        vkGetDeviceProcAddr(device, "vkGetSemaphoreCounterValueKHR"));
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr,
                                   VK_SEMAPHORE_TYPE_TIMELINE, 10};
    VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
    ASSERT_EQ(vkCreateSemaphore(device, &info, nullptr, &semaphore), VK_SUCCESS);
  }
  void TearDown() override {
    vkDestroySemaphore(device, semaphore, nullptr);
    Loader::TearDown();
  }
  VkResult wait_for(uint64_t value, uint64_t timeout) {
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore;
    info.pValues = &value;
    return wait(device, &info, timeout);
  }
};

TEST_F(Timeline, AQueueWaitsForTheHostAndSignalsBack) {
  const uint64_t from = 11, to = 12;
  VkTimelineSemaphoreSubmitInfo values{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
  values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
  values.pWaitSemaphoreValues = &from;
  values.pSignalSemaphoreValues = &to;
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO, &values};
  submit.waitSemaphoreCount = submit.signalSemaphoreCount = 1;
  submit.pWaitSemaphores = submit.pSignalSemaphores = &semaphore;
  submit.pWaitDstStageMask = &stage;
  ASSERT_EQ(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
  EXPECT_EQ(wait_for(12, 10'000'000), VK_TIMEOUT);

  std::thread host([&] {
    VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, semaphore, 11};
    signal(device, &info);
  });
  EXPECT_EQ(wait_for(12, UINT64_MAX), VK_SUCCESS);
  host.join();
  uint64_t value = 0;
  EXPECT_EQ(counter(device, semaphore, &value), VK_SUCCESS);
  EXPECT_EQ(value, 12u);
  vkDeviceWaitIdle(device);
}

TEST_F(Loader, EventsKeepTheirState) {
  VkEventCreateInfo info{VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
  VkEvent event;
  ASSERT_EQ(vkCreateEvent(device, &info, nullptr, &event), VK_SUCCESS);
  EXPECT_EQ(vkGetEventStatus(device, event), VK_EVENT_RESET);
  vkSetEvent(device, event);
  EXPECT_EQ(vkGetEventStatus(device, event), VK_EVENT_SET);
  vkDestroyEvent(device, event, nullptr);
}

TEST_F(Loader, ALinearImageSaysWhereItsRowsLie) {
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.extent = {100, 30, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.tiling = VK_IMAGE_TILING_LINEAR;
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  info.initialLayout = VK_IMAGE_LAYOUT_PREINITIALIZED;
  VkImage image;
  ASSERT_EQ(vkCreateImage(device, &info, nullptr, &image), VK_SUCCESS);
  VkMemoryRequirements requirements;
  vkGetImageMemoryRequirements(device, image, &requirements);
  VkImageSubresource subresource{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
  VkSubresourceLayout layout;
  vkGetImageSubresourceLayout(device, image, &subresource, &layout);
  EXPECT_EQ(layout.offset, 0u);
  EXPECT_EQ(layout.rowPitch, 448u);  // 400 bytes in whole runs of 64
  EXPECT_GE(requirements.size, layout.rowPitch * 30);
  vkDestroyImage(device, image, nullptr);
}

}  // namespace
