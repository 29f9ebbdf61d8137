#pragma once

#include <memory>
#include <span>

#include "arch/packet.h"
#include "host/address_space.h"
#include "icd/object.h"

namespace cutaway::icd {

// Bytes of one integer of a result.
constexpr size_t result_bytes(VkQueryResultFlags flags) {
  return flags & VK_QUERY_RESULT_64_BIT ? sizeof(uint64_t) : sizeof(uint32_t);
}

// Each query has as many arch::QuerySlot in GPU memory as the GPU has counters of its kind. vkCmdBeginQuery
// is a WRITE_QUERY to the begin; vkCmdEndQuery and vkCmdWriteTimestamp are WRITE_QUERYs to the end; a reset
// fills with zeros. A result is end - begin.
class QueryPool {
 public:
  QueryPool(Device& device, const VkQueryPoolCreateInfo& info);

  uint32_t queries() const { return queries_; }
  arch::QueryKind kind() const { return kind_; }  // the kind of stream 0, if each stream has its own counters
  uint32_t values() const { return values_; }     // bit i: counter i is a result
  uint32_t query_bytes() const {
    return arch::query_values(static_cast<uint32_t>(kind_)) * sizeof(arch::QuerySlot);
  }
  arch::Address address(uint32_t query) const { return memory_->address() + uint64_t{query} * query_bytes(); }

  bool available(uint32_t first, uint32_t count) const;  // all of them are
  void reset(uint32_t first, uint32_t count);            // a reset from the host
  VkResult results(Device& device, uint32_t first, uint32_t count, std::span<std::byte> out,
                   VkDeviceSize stride, VkQueryResultFlags flags) const;

 private:
  bool result(uint32_t query, VkQueryResultFlags flags, std::byte* out) const;

  const uint32_t queries_;
  arch::QueryKind kind_ = arch::QueryKind::kSamplesPassed;
  uint32_t values_ = 1;
  std::unique_ptr<host::Allocation> memory_;
};

}  // namespace cutaway::icd
