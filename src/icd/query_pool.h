#pragma once

#include <memory>

#include "host/address_space.h"
#include "icd/object.h"

namespace cutaway::icd {

// A slot is {begin, end, available}, 64 bits each, in GPU memory. vkCmdBeginQuery: WRITE_QUERY to begin;
// vkCmdEndQuery: WRITE_QUERY to end, then WRITE_VALUE 1 to available; vkCmdResetQueryPool: fill with zeros.
// vkCmdWriteTimestamp writes end alone. A result is end - begin.
class QueryPool {
 public:
  static constexpr uint32_t kSlotBytes = 24;

  QueryPool(Device& device, const VkQueryPoolCreateInfo& info);

  VkQueryType type() const { return type_; }
  uint32_t slots() const { return slots_; }
  arch::Address begin_address(uint32_t slot) const { return memory_->address() + slot * kSlotBytes; }
  arch::Address end_address(uint32_t slot) const { return begin_address(slot) + 8; }
  arch::Address available_address(uint32_t slot) const { return begin_address(slot) + 16; }

  VkResult results(Device& device, uint32_t first, uint32_t count, size_t bytes, void* data,
                   VkDeviceSize stride, VkQueryResultFlags flags) const;

 private:
  const VkQueryType type_;
  const uint32_t slots_;
  std::unique_ptr<host::Allocation> memory_;
};

}  // namespace cutaway::icd
