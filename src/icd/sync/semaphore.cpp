#include "icd/sync/semaphore.h"

#include "icd/device/device.h"
#include "icd/sync/awaited.h"

namespace cutaway::icd {

Semaphore::Semaphore(const VkSemaphoreCreateInfo& info) : state_(std::make_shared<host::SemaphoreState>()) {
  if (const auto* type =
          find_struct<VkSemaphoreTypeCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO)) {
    state_->timeline = type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
    if (state_->timeline) state_->value = type->initialValue;
  }
}

VkResult CreateSemaphore(VkDevice, const VkSemaphoreCreateInfo* info, const VkAllocationCallbacks*,
                         VkSemaphore* semaphore) {
  return create(semaphore, *info);
}

void DestroySemaphore(VkDevice, VkSemaphore semaphore, const VkAllocationCallbacks*) { destroy(semaphore); }

VkResult GetSemaphoreCounterValue(VkDevice device, VkSemaphore semaphore, uint64_t* value) {
  Device& d = *object(device);
  *value = d.sync().read([&] { return object(semaphore)->state()->value; });
  return d.lost() ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

VkResult SignalSemaphore(VkDevice device, const VkSemaphoreSignalInfo* info) {
  object(device)->sync().change([&] { object(info->semaphore)->state()->signal(info->value, {}); });
  return VK_SUCCESS;
}

VkResult WaitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* info, uint64_t timeout) {
  Device& d = *object(device);
  const bool all = !(info->flags & VK_SEMAPHORE_WAIT_ANY_BIT);
  const host::HostTrace::Entry entry = d.host_queues().trace().enter();
  Awaited awaited(all, info->semaphoreCount);
  const bool met = d.sync().wait(host::deadline_after(timeout), [&] {
    if (d.host_queues().lost_unlocked()) return true;
    awaited = Awaited(all, info->semaphoreCount);
    for (uint32_t i = 0; i < info->semaphoreCount; i++) {
      const host::SemaphoreState& semaphore = *object(info->pSemaphores[i])->state();
      if (semaphore.value >= info->pValues[i]) awaited.add(semaphore.submission_of(info->pValues[i]));
    }
    return awaited.enough();
  });
  if (d.lost()) return VK_ERROR_DEVICE_LOST;
  if (met && timeout) d.host_queues().trace().waited(entry, awaited.submission());
  return met ? VK_SUCCESS : VK_TIMEOUT;
}

}  // namespace cutaway::icd
