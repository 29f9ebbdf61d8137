#pragma once

#include <memory>
#include <vector>

#include "icd/command/command_buffer.h"

namespace cutaway::icd {

// Owns its command buffers.
class CommandPool {
 public:
  CommandPool(Device& device, const VkCommandPoolCreateInfo&) : device_(device) {}

  CommandBuffer* allocate(VkCommandBufferLevel level);
  void free(CommandBuffer* commands);
  void reset(bool release);

 private:
  Device& device_;
  std::vector<std::unique_ptr<CommandBuffer>> buffers_;
};

}  // namespace cutaway::icd
