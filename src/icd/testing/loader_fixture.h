#pragma once

#include <gtest/gtest.h>
#define VK_USE_PLATFORM_XCB_KHR
#include <array>
#include <cstdlib>
#include <string>
#include <vector>
#include <vulkan/vulkan.h>

struct _XDisplay;  // Xlib's types as Vulkan names them, without Xlib's macros
using Display = _XDisplay;
using Window = unsigned long;
using VisualID = unsigned long;
#include <vulkan/vulkan_xlib.h>

namespace cutaway::icd::testing {

constexpr const char* kValidation = "VK_LAYER_KHRONOS_validation";

inline VKAPI_ATTR VkBool32 VKAPI_CALL note(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                           VkDebugUtilsMessageTypeFlagsEXT,
                                           const VkDebugUtilsMessengerCallbackDataEXT* data, void* messages) {
  static_cast<std::vector<std::string>*>(messages)->emplace_back(data->pMessage);
  return VK_FALSE;
}

// Uses the driver as programs do: through the stock loader, with the validation layer, which must stay
// silent.
struct Loader : ::testing::Test {
  std::vector<std::string> messages;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT reporter = VK_NULL_HANDLE;
  // Parameters of device creation; tests set them before SetUp().
  std::vector<uint32_t> families{0};  // one queue of each; `queue` is the first's
  VkPhysicalDeviceFeatures features{};
  void* more_features = nullptr;          // a pNext chain
  uint32_t version = VK_API_VERSION_1_1;  // version that the program requests
  bool validates = true;                  // false: without the layer, for cases that crash it
  std::vector<const char*> extensions{VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
                                      VK_KHR_SWAPCHAIN_EXTENSION_NAME};

  void SetUp() override {
    setenv("VK_DRIVER_FILES", CUTAWAY_MANIFEST, 1);
    setenv("VK_ICD_FILENAMES", CUTAWAY_MANIFEST, 1);
    make_instance();
    uint32_t count = 1;
    ASSERT_EQ(vkEnumeratePhysicalDevices(instance, &count, &physical), VK_SUCCESS);
    ASSERT_EQ(count, 1u);
    ASSERT_EQ(create_device(), VK_SUCCESS);
    vkGetDeviceQueue(device, families[0], 0, &queue);
  }

  void TearDown() override {
    if (device) vkDestroyDevice(device, nullptr);
    if (reporter)
      reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
          vkGetInstanceProcAddr(instance, "vkDestroyDebugUtilsMessengerEXT"))(instance, reporter, nullptr);
    if (instance) vkDestroyInstance(instance, nullptr);
    EXPECT_EQ(messages, std::vector<std::string>{}) << "the validation layer is not silent";
  }

  // Looks up a command of the device's extensions.
  template <class Function>
  void load(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(vkGetDeviceProcAddr(device, name));
    ASSERT_NE(function, nullptr) << name;
  }

  void make_instance() {
    VkDebugUtilsMessengerCreateInfoEXT messenger{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    messenger.messageSeverity =
        VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    messenger.pfnUserCallback = note;
    messenger.pUserData = &messages;
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.apiVersion = version;
    const std::array instance_extensions{VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_KHR_SURFACE_EXTENSION_NAME,
                                         VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
                                         VK_KHR_XCB_SURFACE_EXTENSION_NAME,
                                         VK_KHR_XLIB_SURFACE_EXTENSION_NAME};
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, &messenger};
    info.pApplicationInfo = &application;
    info.enabledLayerCount = validates ? 1 : 0;
    info.ppEnabledLayerNames = &kValidation;
    info.enabledExtensionCount = instance_extensions.size();
    info.ppEnabledExtensionNames = instance_extensions.data();
    ASSERT_EQ(vkCreateInstance(&info, nullptr, &instance), VK_SUCCESS)
        << "needs Debian's vulkan-validationlayers";
    messenger.pNext = nullptr;
    ASSERT_EQ(reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(vkGetInstanceProcAddr(
                  instance, "vkCreateDebugUtilsMessengerEXT"))(instance, &messenger, nullptr, &reporter),
              VK_SUCCESS);
  }

  VkResult create_device() {
    uint32_t known = 0;  // as the layer asks of programs
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &known, nullptr);
    const float priority = 1;
    std::vector<VkDeviceQueueCreateInfo> queues;
    for (const uint32_t family : families)
      queues.push_back({VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, family, 1, &priority});
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, more_features, VK_TRUE};
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, &timeline};
    info.queueCreateInfoCount = static_cast<uint32_t>(queues.size());
    info.pQueueCreateInfos = queues.data();
    info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    info.pEnabledFeatures = &features;
    return vkCreateDevice(physical, &info, nullptr, &device);
  }
};

}  // namespace cutaway::icd::testing
