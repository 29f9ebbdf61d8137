#pragma once

#include "icd/device/device.h"

namespace cutaway::icd {

// The device's one queue: turns Vulkan's batches into the host's work.
class Queue : public Dispatchable {
 public:
  explicit Queue(Device& device) : device_(device) {}

  Device& device() { return device_; }
  VkResult submit(uint32_t count, const VkSubmitInfo* batches, VkFence fence);

 private:
  Device& device_;
};

}  // namespace cutaway::icd
