#include "icd/command/command_buffer.h"

#include "icd/command/command_pool.h"

namespace cutaway::icd {

void CommandBuffer::begin() {
  reset(false);
  if (!secondary) stream_.begin();
}

VkResult CommandBuffer::end() {
  if (secondary) return error;
  labels_.end_commands(stream_.writer());
  parts_.push_back({stream_.end(), std::move(ready_)});
  if (error != VK_SUCCESS) return error;
  uint64_t bytes = 0;
  for (const Part& part : parts_) bytes += part.words.size() * sizeof part.words[0];
  if (!memory_ || memory_->bytes() < bytes) memory_ = device_.allocate(bytes);
  uint64_t offset = 0;
  size_t marker = 0;
  for (Part& part : parts_) {
    const uint64_t length = part.words.size() * sizeof part.words[0];
    memory_->write(offset, part.words.data(), length);
    part_offsets_.push_back(offset);
    ranges.push_back(
        {memory_->address() + offset, static_cast<uint32_t>(part.words.size()), std::move(part.ready)});
    for (; marker < labels_.markers().size() && labels_.markers()[marker].part == ranges.size() - 1; marker++)
      marker_offsets_.push_back(offset + labels_.markers()[marker].word * sizeof part.words[0]);
    offset += length;
  }
  parts_.clear();
  return VK_SUCCESS;
}

void CommandBuffer::reset(bool release) {
  ranges.clear();
  deferred.clear();
  parts_.clear();
  ready_ = nullptr;
  events_set_.clear();
  labels_.clear();
  marker_offsets_.clear();
  part_offsets_.clear();
  labelled_below_.reset();
  error = VK_SUCCESS;
  draws_ = {};
  dispatches_ = {};
  pass_ = nullptr;
  rendering_.reset();
  view_mask_ = 0;
  if (!release) return;
  deferred.shrink_to_fit();
  memory_.reset();
  stream_.release();
}

void CommandBuffer::enqueue(LabelPlace& around, std::vector<host::CommandRange>& to) {
  if (ranges.empty()) return;
  const auto first = static_cast<std::ptrdiff_t>(to.size());
  to.insert(to.end(), ranges.begin(), ranges.end());
  label(around, to, first);
  if (stream_.live().empty()) return;
  // The queue puts what descriptors hold now into the packets when its turn comes: earlier submissions still
  // read what they held then.
  std::function<void()>& prepare = to[static_cast<size_t>(first)].prepare;
  prepare = [labelled = std::move(prepare), fill = stream_.live().read(*memory_, part_offsets_)] {
    if (labelled) labelled();
    fill();
  };
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
