#include "icd/sync/fence.h"

#include <algorithm>

#include "icd/device/device.h"

namespace cutaway::icd {

VkResult CreateFence(VkDevice, const VkFenceCreateInfo* info, const VkAllocationCallbacks*, VkFence* fence) {
  return create(fence, *info);
}

void DestroyFence(VkDevice, VkFence fence, const VkAllocationCallbacks*) { destroy(fence); }

VkResult ResetFences(VkDevice device, uint32_t count, const VkFence* fences) {
  object(device)->sync().change([&] {
    for (uint32_t i = 0; i < count; i++) object(fences[i])->state()->signaled = false;
  });
  return VK_SUCCESS;
}

VkResult GetFenceStatus(VkDevice device, VkFence fence) {
  Device& d = *object(device);
  if (d.lost()) return VK_ERROR_DEVICE_LOST;
  return d.sync().read([&] { return object(fence)->state()->signaled; }) ? VK_SUCCESS : VK_NOT_READY;
}

VkResult WaitForFences(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all,
                       uint64_t timeout) {
  Device& d = *object(device);
  const auto signaled = [](VkFence fence) { return object(fence)->state()->signaled; };
  const bool met = d.sync().wait(host::deadline_after(timeout), [&] {
    if (d.host_queue().lost_unlocked()) return true;  // "Lost Device": waits end in finite time
    return all ? std::all_of(fences, fences + count, signaled)
               : std::any_of(fences, fences + count, signaled);
  });
  if (d.lost()) return VK_ERROR_DEVICE_LOST;
  return met ? VK_SUCCESS : VK_TIMEOUT;
}

}  // namespace cutaway::icd
