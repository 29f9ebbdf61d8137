#include "icd/command/command_pool.h"

#include <algorithm>

namespace cutaway::icd {

CommandBuffer* CommandPool::allocate(VkCommandBufferLevel level) {
  buffers_.push_back(std::make_unique<CommandBuffer>(device_, queue_, level));
  forget_private_data(buffers_.back().get());
  return buffers_.back().get();
}

void CommandPool::free(CommandBuffer* commands) {
  std::erase_if(buffers_, [&](const auto& owned) { return owned.get() == commands; });
}

void CommandPool::reset(bool release) {
  for (const auto& commands : buffers_) commands->reset(release);
}

VkResult CreateCommandPool(VkDevice device, const VkCommandPoolCreateInfo* info, const VkAllocationCallbacks*,
                           VkCommandPool* pool) {
  return create(pool, *object(device), *info);
}

void DestroyCommandPool(VkDevice, VkCommandPool pool, const VkAllocationCallbacks*) { destroy(pool); }

VkResult ResetCommandPool(VkDevice, VkCommandPool pool, VkCommandPoolResetFlags flags) {
  object(pool)->reset(flags & VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT);
  return VK_SUCCESS;
}

void TrimCommandPool(VkDevice, VkCommandPool, VkCommandPoolTrimFlags) {}

VkResult AllocateCommandBuffers(VkDevice, const VkCommandBufferAllocateInfo* info, VkCommandBuffer* buffers) {
  CommandPool& pool = *object(info->commandPool);
  std::fill(buffers, buffers + info->commandBufferCount, VkCommandBuffer{});
  const VkResult result = guard([&] {
    for (uint32_t i = 0; i < info->commandBufferCount; i++) buffers[i] = handle(pool.allocate(info->level));
  });
  if (result != VK_SUCCESS)
    for (uint32_t i = 0; i < info->commandBufferCount; i++) {
      pool.free(object(buffers[i]));
      buffers[i] = nullptr;
    }
  return result;
}

void FreeCommandBuffers(VkDevice, VkCommandPool pool, uint32_t count, const VkCommandBuffer* buffers) {
  for (uint32_t i = 0; i < count; i++)
    if (buffers[i]) object(pool)->free(object(buffers[i]));
}

}  // namespace cutaway::icd
