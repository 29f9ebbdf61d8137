#include <algorithm>

#include "icd/command_buffer.h"
#include "icd/event.h"
#include "icd/query_pool.h"

// Barriers, events and queries.
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

void write_value(VkCommandBuffer commands, arch::Address address, uint64_t value) {
  object(commands)->stream().writer().packet(arch::Opcode::kWriteValue,
                                             arch::WriteValuePacket{address, value});
}

// "Query Operation", with multiview: a query takes as many slots as the subpass has views. The first has the
// sum of all, the others stay zero.
void make_available(VkCommandBuffer commands, const QueryPool& pool, uint32_t slot) {
  for (uint32_t view = 0; view < object(commands)->views(); view++)
    if (slot + view < pool.slots()) write_value(commands, pool.available_address(slot + view), 1);
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
  std::vector<Event::Value> foreign;  // those that others set
  for (uint32_t i = 0; i < count; i++)
    if (!events_set_.contains(object(events[i]))) foreign.push_back(object(events[i])->value());
  // Counters start anew with a submission, so one that runs is not cut: such an event must be set before.
  if (!foreign.empty() && !draws_.counts_samples()) {
    parts_.push_back({stream_.split(), std::move(ready_)});
    ready_ = [foreign] {
      return std::all_of(foreign.begin(), foreign.end(),
                         [](const auto& value) { return Event::set(*value); });
    };
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

void CmdResetQueryPool(VkCommandBuffer commands, VkQueryPool pool, uint32_t first, uint32_t count) {
  if (!count) return;
  CommandStream& stream = object(commands)->stream();
  stream.writer().packet(
      arch::Opcode::kFillBuffer,
      arch::FillBufferPacket{object(pool)->begin_address(first), uint64_t{count} * QueryPool::kSlotBytes, 0});
  stream.caches().copy();
  // Queries that follow write there without a barrier of the application's.
  stream.barrier({VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0});
}

void CmdBeginQuery(VkCommandBuffer commands, VkQueryPool pool, uint32_t slot, VkQueryControlFlags) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    if (object(pool)->type() != VK_QUERY_TYPE_OCCLUSION) unsupported("vkCmdBeginQuery of this query type");
    buffer.draws().count_samples(true);
    buffer.stream().writer().packet(arch::Opcode::kWriteQuery,
                                    arch::QueryPacket{static_cast<uint32_t>(arch::QueryKind::kSamplesPassed),
                                                      object(pool)->begin_address(slot)});
  });
}

void CmdEndQuery(VkCommandBuffer commands, VkQueryPool pool, uint32_t slot) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    buffer.draws().count_samples(false);
    buffer.stream().writer().packet(arch::Opcode::kWriteQuery,
                                    arch::QueryPacket{static_cast<uint32_t>(arch::QueryKind::kSamplesPassed),
                                                      object(pool)->end_address(slot)});
    make_available(commands, *object(pool), slot);
  });
}

void CmdWriteTimestamp(VkCommandBuffer commands, VkPipelineStageFlagBits, VkQueryPool pool, uint32_t slot) {
  object(commands)->stream().writer().packet(
      arch::Opcode::kWriteQuery,
      arch::QueryPacket{static_cast<uint32_t>(arch::QueryKind::kTimestamp), object(pool)->end_address(slot)});
  make_available(commands, *object(pool), slot);
}

}  // namespace cutaway::icd
