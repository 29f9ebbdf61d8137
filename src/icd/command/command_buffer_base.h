#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "host/queue.h"
#include "icd/object.h"

namespace cutaway::icd {

// What the queue and the dispatch need to know of a command buffer; CommandBuffer derives from it.
//
// A recorded command buffer is a list of ranges of packets in GPU memory that belong to the driver
// (Owner::kDriver). A queue submission runs all ranges of all its command buffers, each through a CALL
// packet, behind INVALIDATE of all clean caches and before FLUSH and WAIT_IDLE, which the queue adds.
// Registers, constants, slots and programs of one command buffer are still there in the next one of the same
// submission, so each command buffer sets everything on which it relies.
//
// A secondary command buffer holds no packets: it keeps its commands, and vkCmdExecuteCommands records them
// into the primary. So what a secondary inherits (targets, view mask, queries) is simply there, and it may be
// executed from many primaries at once.
using DeferredCommand = std::function<void(VkCommandBuffer)>;

struct CommandBufferBase : Dispatchable {
  std::vector<host::CommandRange> ranges;  // valid between vkEndCommandBuffer and the next reset
  VkResult error = VK_SUCCESS;             // the first failure while recording
  bool secondary = false;
  std::vector<DeferredCommand> deferred;  // of a secondary, in order

  void fail(VkResult result) {
    if (error == VK_SUCCESS) error = result;
  }
};

// For the generated dispatch: whether a command buffer keeps its commands, and keeping one.
inline bool defers(VkCommandBuffer commands) {
  return reinterpret_cast<const CommandBufferBase*>(commands)->secondary;
}
template <class Make>
void defer(VkCommandBuffer commands, Make&& make) {
  auto& buffer = *reinterpret_cast<CommandBufferBase*>(commands);
  const VkResult result = guard([&] { buffer.deferred.push_back(make()); });
  if (result != VK_SUCCESS) buffer.fail(result);
}

// Carries out a command, or keeps it in a secondary command buffer until that is executed: for commands whose
// pointers show what no rule copies. The body owns all that it needs and takes the command buffer.
template <class Body>
void now_or_deferred(VkCommandBuffer commands, Body&& body) {
  if (!defers(commands)) return body(commands);
  defer(commands, [&] { return DeferredCommand(std::forward<Body>(body)); });
}

// A copy of the array that a parameter of a command shows; nullptr stays nullptr. What hangs in a pNext chain
// is not kept: no command that a secondary may hold looks there.
template <class T>
class Kept {
 public:
  Kept(const T* from, size_t count) {
    if (!from) return;
    values_.emplace(from, from + count);
    if constexpr (requires(T t) { t.pNext; })
      for (T& value : *values_) value.pNext = nullptr;
  }
  const T* data() const { return values_ ? values_->data() : nullptr; }

 private:
  std::optional<std::vector<T>> values_;
};

// The same of what a copy names with its regions (VK_KHR_copy_commands2).
template <class T>
requires requires(T t) {
  t.pRegions;
  t.regionCount;
}
class Kept<T> {
 public:
  Kept(const T* from, size_t) : kept_(std::make_shared<Whole>()) {
    kept_->info = *from;
    kept_->regions.assign(from->pRegions, from->pRegions + from->regionCount);
    for (auto& region : kept_->regions) region.pNext = nullptr;
    kept_->info.pNext = nullptr;
    kept_->info.pRegions = kept_->regions.data();
  }
  const T* data() const { return &kept_->info; }

 private:
  struct Whole {
    T info;
    std::vector<std::remove_cvref_t<decltype(*T::pRegions)>> regions;
  };
  std::shared_ptr<Whole> kept_;  // its place does not change when a command is copied
};

}  // namespace cutaway::icd
