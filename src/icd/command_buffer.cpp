#include "icd/command_buffer.h"

#include "icd/command_pool.h"

namespace cutaway::icd {

void CommandBuffer::begin() {
  reset(false);
  if (level_ == VK_COMMAND_BUFFER_LEVEL_SECONDARY) fail(VK_ERROR_FEATURE_NOT_PRESENT);
  stream_.begin();
}

VkResult CommandBuffer::end() {
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
  error = VK_SUCCESS;
  draws_ = {};
  pass_ = nullptr;
  if (!release) return;
  memory_.reset();
  stream_.release();
}

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

}  // namespace cutaway::icd
