#include "icd/sync/fence.h"

#include "icd/device/device.h"
#include "icd/sync/awaited.h"

namespace cutaway::icd {

VkResult CreateFence(VkDevice, const VkFenceCreateInfo* info, const VkAllocationCallbacks*, VkFence* fence) {
  return create(fence, *info);
}

void DestroyFence(VkDevice, VkFence fence, const VkAllocationCallbacks*) { destroy(fence); }

VkResult ResetFences(VkDevice device, uint32_t count, const VkFence* fences) {
  object(device)->sync().change([&] {
    for (uint32_t i = 0; i < count; i++) *object(fences[i])->state() = {};
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
  const host::HostTrace::Entry entry = d.host_queues().trace().enter();
  Awaited awaited(all, count);
  const bool met = d.sync().wait(host::deadline_after(timeout), [&] {
    if (d.host_queues().lost_unlocked()) return true;  // "Lost Device": waits end in finite time
    awaited = Awaited(all, count);
    for (uint32_t i = 0; i < count; i++)
      if (const host::FenceState& fence = *object(fences[i])->state(); fence.signaled)
        awaited.add(fence.submission);
    return awaited.enough();
  });
  if (d.lost()) return VK_ERROR_DEVICE_LOST;
  if (met && timeout) d.host_queues().trace().waited(entry, awaited.submission());
  return met ? VK_SUCCESS : VK_TIMEOUT;
}

}  // namespace cutaway::icd
