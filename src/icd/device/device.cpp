#include "icd/device/device.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <mutex>

#include "base/text.h"
#include "icd/debug/label_tree.h"
#include "icd/device/denied_features.h"
#include "icd/device/offer.h"
#include "icd/device/physical_device.h"
#include "icd/device/queue.h"
#include "icd/loader/extensions.h"
#include "icd/recording/gpu_factory.h"

namespace cutaway::icd {
namespace {

// "Feature Requirements", "Extensions": a device is not made with what is not there. Names all of it.
void check_wanted(const VkDeviceCreateInfo& info) {
  std::vector<std::string> extensions;
  for (uint32_t i = 0; i < info.enabledExtensionCount; i++)
    if (!lists(device_extensions(), info.ppEnabledExtensionNames[i]))
      extensions.push_back(one_line(info.ppEnabledExtensionNames[i]));
  const std::vector<std::string> features = denied_features(info.pEnabledFeatures, info.pNext);
  if (extensions.empty() && features.empty()) return;
  std::string text = "vkCreateDevice asks for what this driver does not have:";
  if (!extensions.empty()) text += fmt::format(" extensions {}", fmt::join(extensions, ", "));
  if (!extensions.empty() && !features.empty()) text += ';';
  if (!features.empty()) text += fmt::format(" features {}", fmt::join(features, ", "));
  throw ApiError{extensions.empty() ? VK_ERROR_FEATURE_NOT_PRESENT : VK_ERROR_EXTENSION_NOT_PRESENT, text};
}

// Devices that have not been destroyed.
struct LiveDevices {
  std::mutex mutex;
  std::vector<Device*> devices;
};
LiveDevices& live_devices() {
  static LiveDevices& live = *new LiveDevices;  // outlives every destructor of the process
  return live;
}

arch::Placement command_placement() {
  return offer().system_memory ? arch::Placement::kSystem : arch::Placement::kVideo;
}

}  // namespace

Device::Device(PhysicalDevice& physical_device, const VkDeviceCreateInfo& info)
    : physical_device_(physical_device) {
  check_wanted(info);
  for (uint32_t i = 0; i < info.enabledExtensionCount; i++)
    extensions_.emplace_back(info.ppEnabledExtensionNames[i]);

  try {
    std::unique_ptr<arch::Gpu> gpu = make_gpu();
    auto on_loss = [which = gpu.get()](const std::string& why) { gpu_lost(*which, why); };
    host_queues_ = std::make_unique<host::Queues>(std::move(gpu), std::move(on_loss), command_placement());
  } catch (const UserError& error) { throw ApiError{VK_ERROR_INITIALIZATION_FAILED, error.what()}; }
  labels_ = std::make_unique<LabelTree>(
      [this](uint32_t id, std::string_view text) { annotate("label", id, text); });
  for (uint32_t i = 0; i < info.queueCreateInfoCount; i++) make_queue(info.pQueueCreateInfos[i]);
  const std::lock_guard lock(live_devices().mutex);
  live_devices().devices.push_back(this);
}

Device::~Device() {
  {
    const std::lock_guard lock(live_devices().mutex);
    std::erase(live_devices().devices, this);
  }
  host_queues_->wait_idle();
}

void Device::make_queue(const VkDeviceQueueCreateInfo& info) {
  const arch::QueueKind kind = PhysicalDevice::queue_kind(info.queueFamilyIndex);
  if (info.queueCount != 1)
    invalid_usage("{} queues of 1 of family {}", info.queueCount, info.queueFamilyIndex);
  queues_[info.queueFamilyIndex] = std::make_unique<Queue>(*this, kind);
  forget_private_data(queues_[info.queueFamilyIndex].get());
}

Queue* Device::queue(uint32_t family, uint32_t index) {
  return family < queues_.size() && index == 0 ? queues_[family].get() : nullptr;
}

void finish_live_devices(uint64_t nanoseconds) {
  const host::Deadline deadline = host::deadline_after(nanoseconds);
  const std::lock_guard lock(live_devices().mutex);
  for (Device* device : live_devices().devices) device->host_queues().wait_idle(deadline);
}

std::unique_ptr<host::Allocation> Device::allocate_commands(uint64_t bytes) {
  return memory().allocate(bytes, host::Owner::kDriver, {.memory = command_placement()});
}

void Device::annotate(std::string_view kind, uint64_t id, std::string_view text) {
  memory().annotate(kind, id, std::as_bytes(std::span(text)));
}

bool Device::enabled(const char* extension) const {
  return std::find(extensions_.begin(), extensions_.end(), extension) != extensions_.end();
}

VkResult CreateDevice(VkPhysicalDevice physical_device, const VkDeviceCreateInfo* info,
                      const VkAllocationCallbacks*, VkDevice* device) {
  return create(device, *object(physical_device), *info);
}

void DestroyDevice(VkDevice device, const VkAllocationCallbacks*) { destroy(device); }

VkResult DeviceWaitIdle(VkDevice device) {
  object(device)->host_queues().wait_idle();
  return object(device)->lost() ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

void GetDeviceQueue(VkDevice device, uint32_t family, uint32_t index, VkQueue* queue) {
  *queue = handle(object(device)->queue(family, index));
}

void GetDeviceQueue2(VkDevice device, const VkDeviceQueueInfo2* info, VkQueue* queue) {
  // "VkDeviceQueueInfo2": flags that the device was not made with give no queue; none are known here.
  *queue =
      info->flags ? VK_NULL_HANDLE : handle(object(device)->queue(info->queueFamilyIndex, info->queueIndex));
}

void GetDeviceGroupPeerMemoryFeatures(VkDevice, uint32_t, uint32_t, uint32_t,
                                      VkPeerMemoryFeatureFlags* features) {
  *features = VK_PEER_MEMORY_FEATURE_COPY_SRC_BIT | VK_PEER_MEMORY_FEATURE_COPY_DST_BIT |
              VK_PEER_MEMORY_FEATURE_GENERIC_SRC_BIT | VK_PEER_MEMORY_FEATURE_GENERIC_DST_BIT;
}

}  // namespace cutaway::icd
