#pragma once

#include <optional>
#include <vector>

#include "arch/gpu.h"
#include "arch/memory.h"
#include "icd/object.h"

namespace cutaway::icd {

// What the one physical device is and can do. Nothing in it changes.
class PhysicalDevice : public Dispatchable {
 public:
  static VkPhysicalDeviceProperties properties();
  static VkPhysicalDeviceFeatures features();
  static VkPhysicalDeviceMemoryProperties memory();
  // Each has one queue, of the kind that is its index; compute alone if the chip has compute programs.
  static std::vector<VkQueueFamilyProperties> queue_families();
  // Throws ApiError if there is no such family.
  static arch::QueueKind queue_kind(uint32_t family);
  // Types of memory that lie in video or system memory, or all, as VkMemoryRequirements::memoryTypeBits.
  static uint32_t memory_types(std::optional<arch::Placement> placement = {});
  // Where memory of a type lies. Throws ApiError if there is no such type.
  static arch::Placement memory_of(uint32_t type);

  // Puts into the structures of a pNext chain what they ask; leaves those that are unknown alone.
  static void extend_properties(void* chain);
  static void extend_features(void* chain);
};

}  // namespace cutaway::icd
