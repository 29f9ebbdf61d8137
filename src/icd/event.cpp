#include "icd/event.h"

#include "icd/device.h"

namespace cutaway::icd {

Event::Event(Device& device) : value_(device.allocate(sizeof(uint64_t))) {}

bool Event::set() const {
  uint64_t value = 0;
  value_->read(0, &value, sizeof value);
  return value != 0;
}

void Event::write(bool set) {
  const uint64_t value = set;
  value_->write(0, &value, sizeof value);
}

VkResult CreateEvent(VkDevice device, const VkEventCreateInfo*, const VkAllocationCallbacks*,
                     VkEvent* event) {
  return create(event, *object(device));
}

void DestroyEvent(VkDevice, VkEvent event, const VkAllocationCallbacks*) { destroy(event); }

VkResult GetEventStatus(VkDevice device, VkEvent event) {
  if (object(device)->lost()) return VK_ERROR_DEVICE_LOST;
  return object(event)->set() ? VK_EVENT_SET : VK_EVENT_RESET;
}

VkResult SetEvent(VkDevice, VkEvent event) {
  object(event)->write(true);
  return VK_SUCCESS;
}

VkResult ResetEvent(VkDevice, VkEvent event) {
  object(event)->write(false);
  return VK_SUCCESS;
}

}  // namespace cutaway::icd
