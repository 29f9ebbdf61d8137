// A program that presents frames of one color each to a surface without a screen, and then ends in one of
// many ways: for tests of what is kept of it.
//
// usage: present_frames COUNT MILLISECONDS END
//   COUNT frames, a pause after each; 0: without end
//   END: exit=CODE, signal=NUMBER, hang, lose (a wrong copy loses the device; then it hangs)
// A Vulkan call that fails aborts it.
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>
#include <vulkan/vulkan.h>

namespace {

constexpr VkExtent2D kExtent{64, 64};

void check(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  std::fprintf(stderr, "%s failed with VkResult %d\n", what, result);
  std::abort();
}
#define CHECK(call) check(call, #call)

struct Window {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkSurfaceKHR surface = VK_NULL_HANDLE;
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  VkSemaphore acquired = VK_NULL_HANDLE, cleared = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  std::vector<VkImage> images;

  void make_device() {
    const char* surfaces[] = {"VK_KHR_surface", "VK_EXT_headless_surface"};
    VkInstanceCreateInfo instance_info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    instance_info.enabledExtensionCount = 2, instance_info.ppEnabledExtensionNames = surfaces;
    CHECK(vkCreateInstance(&instance_info, nullptr, &instance));
    uint32_t count = 1;
    vkEnumeratePhysicalDevices(instance, &count, &physical);
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue_info{
        VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority};
    const char* swapchains = "VK_KHR_swapchain";
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.queueCreateInfoCount = 1, info.pQueueCreateInfos = &queue_info;
    info.enabledExtensionCount = 1, info.ppEnabledExtensionNames = &swapchains;
    CHECK(vkCreateDevice(physical, &info, nullptr, &device));
    vkGetDeviceQueue(device, 0, 0, &queue);
  }

  void make_swapchain() {
    const VkHeadlessSurfaceCreateInfoEXT surface_info{VK_STRUCTURE_TYPE_HEADLESS_SURFACE_CREATE_INFO_EXT};
    const auto make_surface = reinterpret_cast<PFN_vkCreateHeadlessSurfaceEXT>(
        vkGetInstanceProcAddr(instance, "vkCreateHeadlessSurfaceEXT"));
    CHECK(make_surface(instance, &surface_info, nullptr, &surface));
    VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
    info.surface = surface;
    info.minImageCount = 2;
    info.imageFormat = VK_FORMAT_B8G8R8A8_UNORM;
    info.imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
    info.imageExtent = kExtent;
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    info.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
    info.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
    CHECK(vkCreateSwapchainKHR(device, &info, nullptr, &swapchain));
    uint32_t count = 0;
    vkGetSwapchainImagesKHR(device, swapchain, &count, nullptr);
    images.resize(count);
    vkGetSwapchainImagesKHR(device, swapchain, &count, images.data());
  }

  void make_commands() {
    const VkSemaphoreCreateInfo semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    CHECK(vkCreateSemaphore(device, &semaphore, nullptr, &acquired));
    CHECK(vkCreateSemaphore(device, &semaphore, nullptr, &cleared));
    VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool_info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    CHECK(vkCreateCommandPool(device, &pool_info, nullptr, &pool));
    const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                           VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
    CHECK(vkAllocateCommandBuffers(device, &info, &commands));
  }

  void record_clear(VkImage image, const VkClearColorValue& color) const {
    const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkBeginCommandBuffer(commands, &begin));
    const VkImageSubresourceRange whole{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkImageMemoryBarrier barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image, barrier.subresourceRange = whole;
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0,
                         nullptr, 0, nullptr, 1, &barrier);
    vkCmdClearColorImage(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &whole);
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, barrier.dstAccessMask = 0;
    barrier.oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    barrier.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0,
                         nullptr, 0, nullptr, 1, &barrier);
    CHECK(vkEndCommandBuffer(commands));
  }

  void show(const VkClearColorValue& color) const {
    uint32_t index = 0;
    CHECK(vkAcquireNextImageKHR(device, swapchain, UINT64_MAX, acquired, VK_NULL_HANDLE, &index));
    record_clear(images[index], color);
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkSubmitInfo submit{
        VK_STRUCTURE_TYPE_SUBMIT_INFO, nullptr, 1, &acquired, &stage, 1, &commands, 1, &cleared};
    CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
    VkPresentInfoKHR present{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
    present.waitSemaphoreCount = present.swapchainCount = 1;
    present.pWaitSemaphores = &cleared;
    present.pSwapchains = &swapchain, present.pImageIndices = &index;
    CHECK(vkQueuePresentKHR(queue, &present));
    CHECK(vkQueueWaitIdle(queue));
  }

  // Provokes a device loss by invalid usage: a copy whose source and destination overlap.
  void lose() const {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = 4096;
    info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    CHECK(vkCreateBuffer(device, &info, nullptr, &buffer));
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, buffer, &needs);
    const VkMemoryAllocateInfo memory_info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size, 0};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    CHECK(vkAllocateMemory(device, &memory_info, nullptr, &memory));
    CHECK(vkBindBufferMemory(device, buffer, memory, 0));
    const VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    CHECK(vkBeginCommandBuffer(commands, &begin));
    const VkBufferCopy copy{0, 16, 64};
    vkCmdCopyBuffer(commands, buffer, buffer, 1, &copy);
    CHECK(vkEndCommandBuffer(commands));
    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1, submit.pCommandBuffers = &commands;
    CHECK(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
  }
};

[[noreturn]] void hang() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

[[noreturn]] void end(const std::string& how, const Window& window) {
  const int number = std::atoi(how.c_str() + how.find('=') + 1);
  if (how.starts_with("exit=")) std::exit(number);
  if (how.starts_with("signal=")) std::raise(number);
  if (how == "lose") window.lose();
  hang();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: present_frames COUNT MILLISECONDS END\n");
    return 2;
  }
  const int count = std::atoi(argv[1]);
  Window window;
  window.make_device();
  window.make_swapchain();
  window.make_commands();
  for (int frame = 1; count == 0 || frame <= count; frame++) {
    window.show({{static_cast<float>(frame % 11) / 10, 0.5f, 0.25f, 1}});
    std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(argv[2])));
  }
  end(argv[3], window);
}
