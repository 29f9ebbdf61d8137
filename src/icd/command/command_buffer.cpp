#include "icd/command/command_buffer.h"

#include "icd/command/command_pool.h"

namespace cutaway::icd {

void CommandBuffer::begin() {
  reset(false);
  if (!secondary) stream_.begin();
}

VkResult CommandBuffer::end() {
  if (secondary) return error;
  groups_.end(labels(), stream_.writer());
  labels().end_commands(stream_.writer());
  packets_.end(stream_.end());
  if (error == VK_SUCCESS) ranges = packets_.write();
  return error;
}

void CommandBuffer::reset(bool release) {
  ranges.clear();
  deferred.clear();
  packets_.clear();
  groups_.clear();
  events_set_.clear();
  error = VK_SUCCESS;
  draws_ = {};
  draws_.allow_wide_depth(device_.enabled(VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME));
  dispatches_ = {};
  pass_.reset();
  if (!release) return;
  deferred.shrink_to_fit();
  packets_.release();
  stream_.release();
}

void CommandBuffer::enqueue(LabelPlace& around, std::vector<host::CommandRange>& to) {
  if (ranges.empty()) return;
  const auto first = static_cast<std::ptrdiff_t>(to.size());
  to.insert(to.end(), ranges.begin(), ranges.end());
  packets_.label(around, to, first);
  if (stream_.live().empty()) return;
  // The queue puts what descriptors hold now into the packets when its turn comes: earlier submissions still
  // read what they held then.
  std::function<void()>& prepare = to[static_cast<size_t>(first)].prepare;
  prepare = [labelled = std::move(prepare),
             fill = stream_.live().read(packets_.memory(), packets_.offsets())] {
    if (labelled) labelled();
    fill();
  };
}

void CommandBuffer::execute(const CommandBuffer& from) {
  for (const DeferredCommand& command : from.deferred) command(handle(this));
}

void CommandBuffer::name_programs(const Pipeline* pipeline) {
  const DebugGroups* groups = GroupFollower::of_thread();
  if (!groups || !groups->draws || !pipeline) return;
  for (const StoredProgram* program : pipeline->programs())
    if (program) device_.programs().name(*program, groups->program, NameOrigin::kApplication);
}

// A secondary gets what it inherits when it is executed: pInheritanceInfo says nothing new.
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
