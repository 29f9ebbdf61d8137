#include "icd/device/private_data.h"

#include <atomic>
#include <set>

namespace cutaway::icd {
namespace {

struct LiveSlots {
  std::mutex mutex;
  std::set<PrivateDataSlot*> slots;
  std::atomic<size_t> count = 0;
};
LiveSlots& live_slots() {
  static LiveSlots& live = *new LiveSlots;  // outlives every destructor of the process
  return live;
}

}  // namespace

PrivateDataSlot::PrivateDataSlot() {
  const std::lock_guard lock(live_slots().mutex);
  live_slots().slots.insert(this);
  live_slots().count = live_slots().slots.size();
}

PrivateDataSlot::~PrivateDataSlot() {
  const std::lock_guard lock(live_slots().mutex);
  live_slots().slots.erase(this);
  live_slots().count = live_slots().slots.size();
}

void PrivateDataSlot::set(VkObjectType type, uint64_t object, uint64_t value) {
  const std::lock_guard lock(mutex_);
  values_[{object, type}] = value;
}

uint64_t PrivateDataSlot::get(VkObjectType type, uint64_t object) const {
  const std::lock_guard lock(mutex_);
  const auto found = values_.find({object, type});
  return found == values_.end() ? 0 : found->second;
}

void PrivateDataSlot::forget(uint64_t object) {
  const std::lock_guard lock(mutex_);
  values_.erase(values_.lower_bound({object, VkObjectType{}}),
                values_.lower_bound({object + 1, VkObjectType{}}));
}

// An object that is made where another one was has none of its numbers.
void forget_private_data(const void* object) {
  if (live_slots().count == 0) return;
  const std::lock_guard lock(live_slots().mutex);
  for (PrivateDataSlot* slot : live_slots().slots) slot->forget(reinterpret_cast<uint64_t>(object));
}

VkResult CreatePrivateDataSlot(VkDevice, const VkPrivateDataSlotCreateInfo*, const VkAllocationCallbacks*,
                               VkPrivateDataSlot* slot) {
  return create(slot);
}

void DestroyPrivateDataSlot(VkDevice, VkPrivateDataSlot slot, const VkAllocationCallbacks*) { destroy(slot); }

VkResult SetPrivateData(VkDevice, VkObjectType type, uint64_t object_handle, VkPrivateDataSlot slot,
                        uint64_t value) {
  return guard([&] { object(slot)->set(type, object_handle, value); });
}

void GetPrivateData(VkDevice, VkObjectType type, uint64_t object_handle, VkPrivateDataSlot slot,
                    uint64_t* value) {
  *value = object(slot)->get(type, object_handle);
}

}  // namespace cutaway::icd
