#include "icd/query_pool.h"

#include <array>
#include <cstring>

#include "icd/device.h"

namespace cutaway::icd {

QueryPool::QueryPool(Device& device, const VkQueryPoolCreateInfo& info)
    : type_(info.queryType), slots_(info.queryCount) {
  if (type_ != VK_QUERY_TYPE_OCCLUSION) unsupported("a query pool of type {}", static_cast<int>(type_));
  memory_ = device.allocate(uint64_t{slots_} * kSlotBytes);
}

VkResult QueryPool::results(Device& device, uint32_t first, uint32_t count, size_t bytes, void* data,
                            VkDeviceSize stride, VkQueryResultFlags flags) const {
  // "Copying Query Results": with WAIT the availability of each is waited for; here all that runs has ended.
  if (flags & VK_QUERY_RESULT_WAIT_BIT) device.host_queue().wait_idle();
  if (device.lost()) return VK_ERROR_DEVICE_LOST;
  const size_t element = flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
  const bool with_availability = flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count; i++) {
    std::array<uint64_t, 3> slot{};  // begin, end, available
    memory_->read(uint64_t{first + i} * kSlotBytes, slot.data(), sizeof slot);
    auto* out = static_cast<std::byte*>(data) + i * stride;
    if (i * stride + element * (with_availability ? 2 : 1) > bytes) break;
    const uint64_t value = slot[1] - slot[0];
    if (slot[2] || (flags & VK_QUERY_RESULT_PARTIAL_BIT)) {
      const uint64_t shown = slot[2] ? value : 0;
      std::memcpy(out, &shown, element);
    }
    if (with_availability) std::memcpy(out + element, &slot[2], element);
    if (!slot[2] && !(flags & (VK_QUERY_RESULT_PARTIAL_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)))
      result = VK_NOT_READY;
  }
  return result;
}

VkResult CreateQueryPool(VkDevice device, const VkQueryPoolCreateInfo* info, const VkAllocationCallbacks*,
                         VkQueryPool* pool) {
  return create(pool, *object(device), *info);
}

void DestroyQueryPool(VkDevice, VkQueryPool pool, const VkAllocationCallbacks*) { destroy(pool); }

VkResult GetQueryPoolResults(VkDevice device, VkQueryPool pool, uint32_t first, uint32_t count, size_t bytes,
                             void* data, VkDeviceSize stride, VkQueryResultFlags flags) {
  return guard(
      [&] { return object(pool)->results(*object(device), first, count, bytes, data, stride, flags); });
}

}  // namespace cutaway::icd
