#pragma once

#include <optional>

#include "arch/memory.h"
#include "icd/object.h"

namespace cutaway::icd {

// What the one physical device is and can do. Nothing in it changes.
class PhysicalDevice : public Dispatchable {
 public:
  static VkPhysicalDeviceProperties properties();
  static VkPhysicalDeviceFeatures features();
  static VkPhysicalDeviceMemoryProperties memory();
  static VkQueueFamilyProperties queue_family();
  // Types of memory that lie in video or system memory, or all, as VkMemoryRequirements::memoryTypeBits.
  static uint32_t memory_types(std::optional<arch::Placement> placement = {});
  // Where memory of a type lies. Throws ApiError if there is no such type.
  static arch::Placement memory_of(uint32_t type);

  // Puts into the structures of a pNext chain what they ask; leaves those that are unknown alone.
  static void extend_properties(void* chain);
  static void extend_features(void* chain);
};

}  // namespace cutaway::icd
