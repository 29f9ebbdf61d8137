#include "icd/loader/instance.h"

#include <array>
#include <cstdlib>
#include <fmt/ranges.h>
#include <string_view>

#include "base/text.h"
#include "icd/debug/messenger.h"
#include "icd/device/device.h"
#include "icd/device/offer.h"
#include "icd/device/physical_device.h"
#include "icd/loader/dispatch.h"
#include "icd/loader/extensions.h"

namespace cutaway::icd {
namespace {

// wgpu lists no driver that says that it has not passed the conformance tests. Names the ways around that.
void tell_wgpu(const VkInstanceCreateInfo& info) {
  const char* engine = info.pApplicationInfo ? info.pApplicationInfo->pEngineName : nullptr;
  if (!engine || std::string_view(engine) != "wgpu-hal" || !offer().driver_properties()) return;
  constexpr const char* kAllow = "WGPU_ALLOW_UNDERLYING_NONCOMPLIANT_ADAPTER";
  const char* allowed = std::getenv(kAllow);
  if (allowed && std::string_view(allowed) == "1") return;
  report_once(fmt::format(
      "wgpu hides drivers that have not passed the conformance tests; set {}=1, or CUTAWAY_VULKAN=1.1 for "
      "programs that do not read it: see docs/driver.md",
      kAllow));
}

}  // namespace

Instance::Instance(const VkInstanceCreateInfo& info) {
  std::vector<std::string> missing;
  for (uint32_t i = 0; i < info.enabledExtensionCount; i++)
    if (!lists(instance_extensions(), info.ppEnabledExtensionNames[i]))
      missing.push_back(one_line(info.ppEnabledExtensionNames[i]));
  if (!missing.empty())
    throw ApiError{VK_ERROR_EXTENSION_NOT_PRESENT,
                   fmt::format("vkCreateInstance asks for what this driver does not have: extensions {}",
                               fmt::join(missing, ", "))};
  tell_wgpu(info);
  own_messengers_ = messengers_of(info.pNext);
  physical_device_ = std::make_unique<PhysicalDevice>();
}

Instance::~Instance() = default;

// "Command Function Pointers": without an instance only global commands; with one, everything that this
// driver has.
PFN_vkVoidFunction GetInstanceProcAddr(VkInstance instance, const char* name) {
  const EntryPoint* entry = find_entry_point(name);
  if (!entry) return nullptr;
  if (!instance && entry->level != CommandLevel::kGlobal && std::string_view(name) != "vkGetInstanceProcAddr")
    return nullptr;
  return entry->function;
}

// Device commands of core versions, instance extensions and enabled device extensions.
PFN_vkVoidFunction GetDeviceProcAddr(VkDevice device, const char* name) {
  const EntryPoint* entry = find_entry_point(name);
  if (!entry || entry->level != CommandLevel::kDevice) return nullptr;
  if (lists(device_extensions(), entry->provider) && !object(device)->enabled(entry->provider))
    return nullptr;
  return entry->function;
}

VkResult CreateInstance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks*,
                        VkInstance* instance) {
  // "VkDebugUtilsMessengerCreateInfoEXT": a messenger in pNext only receives messages during vkCreateInstance
  // and vkDestroyInstance.
  const std::vector<VkDebugUtilsMessengerCreateInfoEXT> infos = messengers_of(info->pNext);
  const std::vector<Messenger> messengers(infos.begin(), infos.end());
  return create(instance, *info);
}

void DestroyInstance(VkInstance instance, const VkAllocationCallbacks*) {
  if (!instance) return;
  const auto& infos = object(instance)->own_messengers();
  const std::vector<Messenger> messengers(infos.begin(), infos.end());
  destroy(instance);
}

VkResult EnumerateInstanceVersion(uint32_t* version) {
  *version = kApiVersion;
  return VK_SUCCESS;
}

VkResult EnumerateInstanceExtensionProperties(const char* layer, uint32_t* count,
                                              VkExtensionProperties* properties) {
  if (layer) return VK_ERROR_LAYER_NOT_PRESENT;
  return enumerate(instance_extensions(), count, properties);
}

VkResult EnumerateInstanceLayerProperties(uint32_t* count, VkLayerProperties*) {
  *count = 0;
  return VK_SUCCESS;
}

VkResult EnumeratePhysicalDevices(VkInstance instance, uint32_t* count, VkPhysicalDevice* devices) {
  const std::array list{handle(&object(instance)->physical_device())};
  return enumerate(list, count, devices);
}

VkResult EnumeratePhysicalDeviceGroups(VkInstance instance, uint32_t* count,
                                       VkPhysicalDeviceGroupProperties* groups) {
  if (!groups) {
    *count = 1;
    return VK_SUCCESS;
  }
  if (*count == 0) return VK_INCOMPLETE;
  *count = 1;
  groups->physicalDeviceCount = 1;
  groups->physicalDevices[0] = handle(&object(instance)->physical_device());
  groups->subsetAllocation = VK_FALSE;
  return VK_SUCCESS;
}

}  // namespace cutaway::icd
