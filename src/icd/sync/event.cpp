#include "icd/sync/event.h"

#include "icd/device/device.h"

namespace cutaway::icd {

Event::Event(Device& device) : value_(device.allocate(sizeof(uint64_t))) {}

bool Event::set(const host::Allocation& value) {
  uint64_t bits = 0;
  value.read(0, &bits, sizeof bits);
  return bits != 0;
}

void Event::write(Device& device, bool set) {
  const uint64_t value = set;
  device.sync().change([&] { value_->write(0, &value, sizeof value); });
}

VkResult CreateEvent(VkDevice device, const VkEventCreateInfo*, const VkAllocationCallbacks*,
                     VkEvent* event) {
  return create(event, *object(device));
}

void DestroyEvent(VkDevice, VkEvent event, const VkAllocationCallbacks*) { destroy(event); }

VkResult GetEventStatus(VkDevice device, VkEvent event) {
  if (object(device)->lost()) return VK_ERROR_DEVICE_LOST;
  object(device)->sync().look();
  return Event::set(*object(event)->value()) ? VK_EVENT_SET : VK_EVENT_RESET;
}

VkResult SetEvent(VkDevice device, VkEvent event) {
  object(event)->write(*object(device), true);
  return VK_SUCCESS;
}

VkResult ResetEvent(VkDevice device, VkEvent event) {
  object(event)->write(*object(device), false);
  return VK_SUCCESS;
}

}  // namespace cutaway::icd
