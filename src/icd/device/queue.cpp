#include "icd/device/queue.h"

#include <vector>

#include "icd/command/command_buffer.h"
#include "icd/debug/label.h"
#include "icd/resource/sparse_binding.h"
#include "icd/sync/fence.h"
#include "icd/sync/semaphore.h"

namespace cutaway::icd {
namespace {

uint64_t point(const uint64_t* values, uint32_t count, uint32_t i, const Semaphore& semaphore) {
  return semaphore.timeline() && i < count ? values[i] : 1;
}

}  // namespace

host::Work Queue::make_work(const VkSubmitInfo& batch) {
  host::Work work;
  // "VkTimelineSemaphoreSubmitInfo": values are ignored for binary semaphores.
  VkTimelineSemaphoreSubmitInfo values{};
  if (const auto* given = find_struct<VkTimelineSemaphoreSubmitInfo>(
          batch.pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO))
    values = *given;
  for (uint32_t i = 0; i < batch.waitSemaphoreCount; i++) {
    const Semaphore& semaphore = *object(batch.pWaitSemaphores[i]);
    work.waits.push_back({semaphore.state(),
                          point(values.pWaitSemaphoreValues, values.waitSemaphoreValueCount, i, semaphore)});
  }
  for (uint32_t i = 0; i < batch.commandBufferCount; i++)
    object(batch.pCommandBuffers[i])->enqueue(labels_, work.commands);
  for (uint32_t i = 0; i < batch.signalSemaphoreCount; i++) {
    const Semaphore& semaphore = *object(batch.pSignalSemaphores[i]);
    work.signals.push_back({semaphore.state(), point(values.pSignalSemaphoreValues,
                                                     values.signalSemaphoreValueCount, i, semaphore)});
  }
  return work;
}

// The values of binary semaphores are ignored.
host::Work Queue::make_work(const VkSubmitInfo2& batch) {
  const auto point_of = [](const VkSemaphoreSubmitInfo& info) -> host::SemaphorePoint {
    const Semaphore& semaphore = *object(info.semaphore);
    return {semaphore.state(), semaphore.timeline() ? info.value : 1};
  };
  host::Work work;
  for (uint32_t i = 0; i < batch.waitSemaphoreInfoCount; i++)
    work.waits.push_back(point_of(batch.pWaitSemaphoreInfos[i]));
  for (uint32_t i = 0; i < batch.commandBufferInfoCount; i++)
    object(batch.pCommandBufferInfos[i].commandBuffer)->enqueue(labels_, work.commands);
  for (uint32_t i = 0; i < batch.signalSemaphoreInfoCount; i++)
    work.signals.push_back(point_of(batch.pSignalSemaphoreInfos[i]));
  return work;
}

// Binds are work without commands, in order with the works of its queue.
host::Work Queue::make_work(const VkBindSparseInfo& batch) {
  VkSubmitInfo semaphores{VK_STRUCTURE_TYPE_SUBMIT_INFO, batch.pNext};
  semaphores.waitSemaphoreCount = batch.waitSemaphoreCount;
  semaphores.pWaitSemaphores = batch.pWaitSemaphores;
  semaphores.signalSemaphoreCount = batch.signalSemaphoreCount;
  semaphores.pSignalSemaphores = batch.pSignalSemaphores;
  host::Work work = make_work(semaphores);
  work.ended = [binds = sparse_binds(batch), &memory = device_.memory()](const arch::Memory&) {
    for (const auto& [address, bytes, target] : binds) memory.bind(address, bytes, target);
  };
  return work;
}

void Queue::push(host::Work work) {
  work.queue = kind_;
  device_.host_queues().push(std::move(work));
}

template <class Batch>
VkResult Queue::submit(uint32_t count, const Batch* batches, VkFence fence) {
  if (device_.lost()) return VK_ERROR_DEVICE_LOST;
  for (uint32_t i = 0; i < count; i++) {
    host::Work work = make_work(batches[i]);
    if (fence && i + 1 == count) work.fence = object(fence)->state();
    push(std::move(work));
  }
  if (fence && count == 0) {  // "vkQueueSubmit": a fence alone ends when all earlier work has
    host::Work work;
    work.fence = object(fence)->state();
    push(std::move(work));
  }
  return VK_SUCCESS;
}

void Queue::begin_label(std::string_view label) {
  labels_.stack = labels_.shown = device_.labels().push(labels_.stack, label);
}

// It is for what is submitted until the next label.
void Queue::insert_label(std::string_view label) {
  labels_.shown = device_.labels().push(labels_.stack, label);
}

void Queue::end_label() { labels_.stack = labels_.shown = device_.labels().pop(labels_.stack); }

VkResult QueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo* batches, VkFence fence) {
  return guard([&] { return object(queue)->submit(count, batches, fence); });
}

VkResult QueueSubmit2(VkQueue queue, uint32_t count, const VkSubmitInfo2* batches, VkFence fence) {
  return guard([&] { return object(queue)->submit(count, batches, fence); });
}

VkResult QueueBindSparse(VkQueue queue, uint32_t count, const VkBindSparseInfo* infos, VkFence fence) {
  return guard([&] { return object(queue)->submit(count, infos, fence); });
}

VkResult QueueWaitIdle(VkQueue queue) {
  Device& device = object(queue)->device();
  device.host_queues().wait_idle(object(queue)->kind());
  return device.lost() ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

void QueueBeginDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT* info) {
  guard([&] { object(queue)->begin_label(label_of(info)); });
}

void QueueEndDebugUtilsLabelEXT(VkQueue queue) { object(queue)->end_label(); }

void QueueInsertDebugUtilsLabelEXT(VkQueue queue, const VkDebugUtilsLabelEXT* info) {
  guard([&] { object(queue)->insert_label(label_of(info)); });
}

}  // namespace cutaway::icd
