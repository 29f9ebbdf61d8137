#include "icd/device/physical_device.h"

#include <algorithm>
#include <sys/sysinfo.h>

namespace cutaway::icd {

VkPhysicalDeviceMemoryProperties PhysicalDevice::memory() {
  VkPhysicalDeviceMemoryProperties m{};
  m.memoryTypeCount = 1;
  m.memoryTypes[0] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                          VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                      0};
  m.memoryHeapCount = 1;
  // Each byte in use costs the host two: the view and the GPU's copy.
  struct sysinfo host {};
  sysinfo(&host);
  const uint64_t total = uint64_t{host.totalram} * host.mem_unit;
  m.memoryHeaps[0] = {std::clamp<uint64_t>(total / 4, 256ull << 20, 2ull << 30),
                      VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  return m;
}

VkQueueFamilyProperties PhysicalDevice::queue_family() {
  VkQueueFamilyProperties q{};
  // "Queues": where graphics is supported, one family must have graphics and compute.
  q.queueFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
  q.queueCount = 1;
  q.timestampValidBits = 64;
  q.minImageTransferGranularity = {1, 1, 1};
  return q;
}

}  // namespace cutaway::icd
