// The symbols that the Vulkan loader looks up (loader interface, "Driver
// Interface"); the only ones that the driver exports.
#include <algorithm>

#include "icd/entry_points.h"
#include "icd/loader/dispatch.h"

namespace {

constexpr uint32_t kLoaderInterface = 5;  // the first that lets a driver report more than Vulkan 1.0

}  // namespace

#define CUTAWAY_EXPORT extern "C" __attribute__((visibility("default")))

CUTAWAY_EXPORT VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version);
CUTAWAY_EXPORT PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char* name);
CUTAWAY_EXPORT PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char* name);

CUTAWAY_EXPORT VkResult vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version) {
  // From version 3 on, loaders ask the driver for surfaces. Loaders of 2025 and later have no other way.
  if (*version < 3) return VK_ERROR_INCOMPATIBLE_DRIVER;
  *version = std::min(*version, kLoaderInterface);
  return VK_SUCCESS;
}

CUTAWAY_EXPORT PFN_vkVoidFunction vk_icdGetInstanceProcAddr(VkInstance instance, const char* name) {
  return cutaway::icd::GetInstanceProcAddr(instance, name);
}

CUTAWAY_EXPORT PFN_vkVoidFunction vk_icdGetPhysicalDeviceProcAddr(VkInstance, const char* name) {
  const cutaway::icd::EntryPoint* entry = cutaway::icd::find_entry_point(name);
  return entry && entry->level == cutaway::icd::CommandLevel::kPhysicalDevice ? entry->function : nullptr;
}
