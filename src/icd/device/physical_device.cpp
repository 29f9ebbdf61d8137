#include "icd/device/physical_device.h"

#include <algorithm>
#include <sys/sysinfo.h>

#include "icd/api_error.h"
#include "icd/device/offer.h"

namespace cutaway::icd {
namespace {

VkPhysicalDeviceMemoryProperties memory_of_host() {
  VkPhysicalDeviceMemoryProperties m{};
  constexpr VkMemoryPropertyFlags kVisible =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const auto add = [&](VkMemoryPropertyFlags flags, uint32_t heap) {
    m.memoryTypes[m.memoryTypeCount++] = {flags, heap};
  };
  // Each byte in use costs the host two: the view and the GPU's copy.
  struct sysinfo host {};
  sysinfo(&host);
  const uint64_t total = uint64_t{host.totalram} * host.mem_unit;
  const VkDeviceSize bytes = std::clamp<uint64_t>(total / 4, 256ull << 20, 2ull << 30);
  m.memoryHeaps[m.memoryHeapCount++] = {bytes, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  if (!offer().system_memory) {
    add(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | kVisible, 0);
    return m;
  }
  m.memoryHeaps[m.memoryHeapCount++] = {bytes, 0};
  // The order of "VkPhysicalDeviceMemoryProperties": a type comes before those with more properties.
  add(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0);
  add(kVisible, 1);
  add(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | kVisible, 0);
  add(kVisible | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 1);
  return m;
}

}  // namespace

// Asks the host once: every resource asks for types.
VkPhysicalDeviceMemoryProperties PhysicalDevice::memory() {
  static const VkPhysicalDeviceMemoryProperties found = memory_of_host();
  return found;
}

uint32_t PhysicalDevice::memory_types(std::optional<arch::Placement> placement) {
  const VkPhysicalDeviceMemoryProperties m = memory();
  uint32_t types = 0;
  for (uint32_t i = 0; i < m.memoryTypeCount; i++)
    if (!placement || *placement == memory_of(i)) types |= 1u << i;
  return types;
}

arch::Placement PhysicalDevice::memory_of(uint32_t type) {
  const VkPhysicalDeviceMemoryProperties m = memory();
  if (type >= m.memoryTypeCount) throw ApiError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  return m.memoryTypes[type].heapIndex ? arch::Placement::kSystem : arch::Placement::kVideo;
}

std::vector<VkQueueFamilyProperties> PhysicalDevice::queue_families() {
  constexpr VkQueueFlags kCompute = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
  const VkQueueFlags sparse = offer().sparse ? VK_QUEUE_SPARSE_BINDING_BIT : 0;
  VkQueueFamilyProperties family{};
  family.queueCount = 1;
  family.timestampValidBits = 64;
  family.minImageTransferGranularity = {1, 1, 1};
  // "Queues": where graphics is supported, one family must have graphics and compute.
  std::vector families{family};
  families[0].queueFlags = VK_QUEUE_GRAPHICS_BIT | kCompute | sparse;
  if (!offer().compute_queue) return families;
  family.queueFlags = kCompute | sparse;
  families.push_back(family);
  return families;
}

arch::QueueKind PhysicalDevice::queue_kind(uint32_t family) {
  const size_t families = queue_families().size();
  if (family >= families) invalid_usage("queue family {} of {}", family, families);
  return static_cast<arch::QueueKind>(family);
}

}  // namespace cutaway::icd
