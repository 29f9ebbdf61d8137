#pragma once

#include <memory>
#include <vector>

#include "icd/command/command_buffer.h"
#include "icd/device/physical_device.h"

namespace cutaway::icd {

// Owns its command buffers.
class CommandPool {
 public:
  CommandPool(Device& device, const VkCommandPoolCreateInfo& info)
      : device_(device), queue_(PhysicalDevice::queue_kind(info.queueFamilyIndex)) {}

  CommandBuffer* allocate(VkCommandBufferLevel level);
  void free(CommandBuffer* commands);
  void reset(bool release);

 private:
  Device& device_;
  const arch::QueueKind queue_;
  std::vector<std::unique_ptr<CommandBuffer>> buffers_;
};

}  // namespace cutaway::icd
