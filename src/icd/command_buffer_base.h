#pragma once

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
struct CommandBufferBase : Dispatchable {
  std::vector<host::CommandRange> ranges;  // valid between vkEndCommandBuffer and the next reset
  VkResult error = VK_SUCCESS;             // the first failure while recording

  void fail(VkResult result) {
    if (error == VK_SUCCESS) error = result;
  }
};

}  // namespace cutaway::icd
