#include "icd/command_buffer.h"

#include "icd/command_pool.h"

namespace cutaway::icd {

void CommandBuffer::begin() {
  reset(false);
  if (!secondary) stream_.begin();
}

VkResult CommandBuffer::end() {
  if (secondary) return error;
  const std::vector<uint32_t> words = stream_.end();
  if (error != VK_SUCCESS) return error;
  const uint64_t bytes = words.size() * sizeof words[0];
  if (!memory_ || memory_->bytes() < bytes) memory_ = device_.allocate(bytes);
  memory_->write(0, words.data(), bytes);
  ranges = {{memory_->address(), static_cast<uint32_t>(words.size())}};
  return VK_SUCCESS;
}

void CommandBuffer::reset(bool release) {
  ranges.clear();
  deferred.clear();
  error = VK_SUCCESS;
  draws_ = {};
  pass_ = nullptr;
  view_mask_ = 0;
  if (!release) return;
  deferred.shrink_to_fit();
  memory_.reset();
  stream_.release();
}

void CommandBuffer::execute(const CommandBuffer& from) {
  for (const DeferredCommand& command : from.deferred) command(handle(this));
}

// What a secondary inherits is known when it is executed: pInheritanceInfo says nothing new.
VkResult BeginCommandBuffer(VkCommandBuffer commands, const VkCommandBufferBeginInfo*) {
  return guard([&] { object(commands)->begin(); });
}

VkResult EndCommandBuffer(VkCommandBuffer commands) {
  return guard([&] { return object(commands)->end(); });
}

VkResult ResetCommandBuffer(VkCommandBuffer commands, VkCommandBufferResetFlags flags) {
  object(commands)->reset(flags & VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT);
  return VK_SUCCESS;
}

void CmdExecuteCommands(VkCommandBuffer commands, uint32_t count, const VkCommandBuffer* secondaries) {
  CommandBuffer& primary = *object(commands);
  primary.record([&] {
    for (uint32_t i = 0; i < count; i++) primary.execute(*object(secondaries[i]));
  });
}

}  // namespace cutaway::icd
