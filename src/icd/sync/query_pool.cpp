#include "icd/sync/query_pool.h"

#include <array>
#include <bit>
#include <cstring>

#include "icd/device/device.h"
#include "icd/device/offer.h"

namespace cutaway::icd {
namespace {

constexpr uint32_t kPrimitivesOfAssembly = 1 << 1;       // in Vulkan's order of pipeline statistics
constexpr uint32_t kWrittenAndNeeded = 1 << 0 | 1 << 1;  // primitives, of transform feedback

}  // namespace

QueryPool::QueryPool(Device& device, const VkQueryPoolCreateInfo& info) : queries_(info.queryCount) {
  switch (info.queryType) {
    case VK_QUERY_TYPE_OCCLUSION:
      break;
    case VK_QUERY_TYPE_TIMESTAMP:
      kind_ = arch::QueryKind::kTimestamp;
      break;
    case VK_QUERY_TYPE_PIPELINE_STATISTICS:
      kind_ = arch::QueryKind::kStatistics;
      values_ = info.pipelineStatistics;
      break;
    case VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT:
      // Without geometry and tessellation stages, the assembled primitives are the generated ones.
      if (offer().streams()) {
        kind_ = arch::QueryKind::kGeneratedOfStream0;
      } else {
        kind_ = arch::QueryKind::kStatistics;
        values_ = kPrimitivesOfAssembly;
      }
      break;
    case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT:
      kind_ = arch::QueryKind::kPrimitives;
      values_ = kWrittenAndNeeded;
      break;
    default:
      unsupported("a query pool of type {}", static_cast<int>(info.queryType));
  }
  memory_ = device.allocate(uint64_t{queries_} * query_bytes());
}

void QueryPool::reset(uint32_t first, uint32_t count) {
  const std::vector<std::byte> zeros(uint64_t{count} * query_bytes());
  memory_->write(uint64_t{first} * query_bytes(), zeros.data(), zeros.size());
}

bool QueryPool::available(uint32_t first, uint32_t count) const {
  for (uint64_t slot = 0; slot < uint64_t{count} * query_bytes(); slot += sizeof(arch::QuerySlot)) {
    arch::QuerySlot read{};
    memory_->read(uint64_t{first} * query_bytes() + slot, &read, sizeof read);
    if (!read.available) return false;
  }
  return true;
}

// "Copying Query Results": consecutive integers, then the availability. Returns false if the result is
// unavailable.
bool QueryPool::result(uint32_t query, VkQueryResultFlags flags, std::byte* out) const {
  const size_t size = result_bytes(flags);
  uint64_t available = 0;
  for (uint32_t left = values_; left; left &= left - 1, out += size) {
    const auto value = static_cast<uint32_t>(std::countr_zero(left));
    arch::QuerySlot slot{};
    memory_->read(uint64_t{query} * query_bytes() + value * sizeof slot, &slot, sizeof slot);
    available = slot.available;
    const uint64_t result = available ? slot.end - slot.begin : 0;
    if (available || (flags & VK_QUERY_RESULT_PARTIAL_BIT)) std::memcpy(out, &result, size);
  }
  if (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) std::memcpy(out, &available, size);
  return available;
}

VkResult QueryPool::results(Device& device, uint32_t first, uint32_t count, std::span<std::byte> out,
                            VkDeviceSize stride, VkQueryResultFlags flags) const {
  // WAIT waits for each availability; here it waits for all work that can go on.
  if (flags & VK_QUERY_RESULT_WAIT_BIT)
    device.host_queues().wait_until([&] { return available(first, count); });
  if (device.lost()) return VK_ERROR_DEVICE_LOST;
  device.sync().look();
  const size_t integers =
      static_cast<size_t>(std::popcount(values_)) + (flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT ? 1 : 0);
  const size_t bytes = integers * result_bytes(flags);
  VkResult result = VK_SUCCESS;
  // "If VK_QUERY_RESULT_WAIT_BIT and VK_QUERY_RESULT_PARTIAL_BIT are both not set then [...]
  // vkGetQueryPoolResults returns VK_NOT_READY" for unavailable results, even if availability is requested.
  for (uint32_t i = 0; i < count && i * stride + bytes <= out.size(); i++)
    if (!this->result(first + i, flags, out.data() + i * stride) && !(flags & VK_QUERY_RESULT_PARTIAL_BIT))
      result = VK_NOT_READY;
  return result;
}

VkResult CreateQueryPool(VkDevice device, const VkQueryPoolCreateInfo* info, const VkAllocationCallbacks*,
                         VkQueryPool* pool) {
  return create(pool, *object(device), *info);
}

void DestroyQueryPool(VkDevice, VkQueryPool pool, const VkAllocationCallbacks*) { destroy(pool); }

void ResetQueryPool(VkDevice, VkQueryPool pool, uint32_t first, uint32_t count) {
  object(pool)->reset(first, count);
}

VkResult GetQueryPoolResults(VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count, size_t bytes,
                             void* data, VkDeviceSize stride, VkQueryResultFlags flags) {
  return guard([&] {
    return object(pool)->results(*object(device), first, count, {static_cast<std::byte*>(data), bytes},
                                 stride, flags);
  });
}

}  // namespace cutaway::icd
