#pragma once

#include "icd/object.h"

namespace cutaway::icd {

// What the one physical device is and can do. Nothing in it changes.
class PhysicalDevice : public Dispatchable {
 public:
  static VkPhysicalDeviceProperties properties();
  static VkPhysicalDeviceFeatures features();
  static VkPhysicalDeviceMemoryProperties memory();
  static VkQueueFamilyProperties queue_family();

  // Puts into the structures of a pNext chain what they ask; leaves those that are unknown alone.
  static void extend_properties(void* chain);
  static void extend_features(void* chain);
};

}  // namespace cutaway::icd
