#include <algorithm>

#include "icd/command/command_buffer.h"
#include "icd/sync/dependency.h"
#include "icd/sync/event.h"

// Barriers and events.
namespace cutaway::icd {
namespace {

CacheTracker::Barrier barrier_of(VkPipelineStageFlags source_stages, VkPipelineStageFlags destination_stages,
                                 uint32_t memories, const VkMemoryBarrier* memory, uint32_t buffers,
                                 const VkBufferMemoryBarrier* buffer, uint32_t images,
                                 const VkImageMemoryBarrier* image) {
  CacheTracker::Barrier barrier{source_stages, destination_stages, 0, 0};
  const auto add = [&barrier](const auto& from) {
    barrier.source |= from.srcAccessMask;
    barrier.destination |= from.dstAccessMask;
  };
  for (uint32_t i = 0; i < memories; i++) add(memory[i]);
  for (uint32_t i = 0; i < buffers; i++) add(buffer[i]);
  for (uint32_t i = 0; i < images; i++) add(image[i]);
  return barrier;
}

}  // namespace

void CmdPipelineBarrier(VkCommandBuffer commands, VkPipelineStageFlags source_stages,
                        VkPipelineStageFlags destination_stages, VkDependencyFlags, uint32_t memories,
                        const VkMemoryBarrier* memory, uint32_t buffers, const VkBufferMemoryBarrier* buffer,
                        uint32_t images, const VkImageMemoryBarrier* image) {
  object(commands)->stream().barrier(
      barrier_of(source_stages, destination_stages, memories, memory, buffers, buffer, images, image));
}

void CommandBuffer::set_event(const Event& event, bool set) {
  stream_.writer().packet(arch::Opcode::kWriteValue, arch::WriteValuePacket{event.address(), uint64_t{set}});
  if (set) events_set_.insert(&event);
  else events_set_.erase(&event);
}

void CommandBuffer::wait_events(uint32_t count, const VkEvent* events) {
  std::vector<Event::Value> foreign;  // set by others
  for (uint32_t i = 0; i < count; i++)
    if (!events_set_.contains(object(events[i]))) foreign.push_back(object(events[i])->value());
  // Counters start anew with a submission, so one that runs is not cut: such an event must be set before.
  if (!foreign.empty() && !draws_.counts()) {
    packets_.split(stream_.split(), [foreign] {
      return std::all_of(foreign.begin(), foreign.end(),
                         [](const auto& value) { return Event::set(*value); });
    });
    draws_.touch();
  }
  for (uint32_t i = 0; i < count; i++)
    stream_.writer().packet(arch::Opcode::kWaitValue, arch::WaitValuePacket{object(events[i])->address(), 1});
}

void CmdSetEvent(VkCommandBuffer commands, VkEvent event, VkPipelineStageFlags) {
  object(commands)->record([&] { object(commands)->set_event(*object(event), true); });
}

void CmdResetEvent(VkCommandBuffer commands, VkEvent event, VkPipelineStageFlags) {
  object(commands)->record([&] { object(commands)->set_event(*object(event), false); });
}

void CmdWaitEvents(VkCommandBuffer commands, uint32_t count, const VkEvent* events,
                   VkPipelineStageFlags source_stages, VkPipelineStageFlags destination_stages,
                   uint32_t memories, const VkMemoryBarrier* memory, uint32_t buffers,
                   const VkBufferMemoryBarrier* buffer, uint32_t images, const VkImageMemoryBarrier* image) {
  CommandBuffer& buffer_of = *object(commands);
  buffer_of.record([&] {
    buffer_of.wait_events(count, events);
    buffer_of.stream().barrier(
        barrier_of(source_stages, destination_stages, memories, memory, buffers, buffer, images, image));
  });
}

// VK_KHR_synchronization2. What a dependency shows is read when it is recorded.

void CmdPipelineBarrier2(VkCommandBuffer commands, const VkDependencyInfo* dependency) {
  now_or_deferred(commands, [barrier = barrier_of(*dependency)](VkCommandBuffer to) {
    object(to)->stream().barrier(barrier);
  });
}

// The wait states the dependency again, and makes it then.
void CmdSetEvent2(VkCommandBuffer commands, VkEvent event, const VkDependencyInfo*) {
  now_or_deferred(commands, [event](VkCommandBuffer to) {
    object(to)->record([&] { object(to)->set_event(*object(event), true); });
  });
}

void CmdResetEvent2(VkCommandBuffer commands, VkEvent event, VkPipelineStageFlags2) {
  object(commands)->record([&] { object(commands)->set_event(*object(event), false); });
}

void CmdWaitEvents2(VkCommandBuffer commands, uint32_t count, const VkEvent* events,
                    const VkDependencyInfo* dependencies) {
  std::vector<CacheTracker::Barrier> barriers;
  for (uint32_t i = 0; i < count; i++) barriers.push_back(barrier_of(dependencies[i]));
  now_or_deferred(commands, [barriers = std::move(barriers),
                             waited = std::vector(events, events + count)](VkCommandBuffer to) {
    object(to)->record([&] {
      object(to)->wait_events(static_cast<uint32_t>(waited.size()), waited.data());
      for (const CacheTracker::Barrier& barrier : barriers) object(to)->stream().barrier(barrier);
    });
  });
}

}  // namespace cutaway::icd
