#pragma once

#include "icd/object.h"

namespace cutaway::icd {

// What the one physical device is and can do. Nothing in it changes.
class PhysicalDevice : public Dispatchable {
 public:
  explicit PhysicalDevice(Instance& instance) : instance_(instance) {}

  Instance& instance() { return instance_; }

  static VkPhysicalDeviceProperties properties();
  static VkPhysicalDeviceFeatures features();
  static VkPhysicalDeviceMemoryProperties memory();
  static VkQueueFamilyProperties queue_family();

  // Puts into the structures of a pNext chain what they ask; leaves those that are unknown alone.
  static void extend_properties(void* chain);
  static void extend_features(void* chain);
  // Whether a chain asks for a feature that extend_features() denies.
  static bool denies(const void* chain);

 private:
  Instance& instance_;
};

// Limits of Vulkan's "Required Limits" that other files need too.
constexpr uint64_t kNonCoherentAtom = 64;
constexpr uint64_t kBufferOffsetAlignment = 16;  // what LOAD_CONSTANTS and descriptors ask for
constexpr uint32_t kMaxSamplers = 65536;
constexpr uint32_t kMaxPushConstantBytes = 256;
constexpr uint32_t kMaxBoundDescriptorSets = 8;
constexpr uint32_t kMaxPushDescriptors = 32;
constexpr uint32_t kMaxMultiDraws = 65536;
constexpr uint64_t kMaxTimelineDifference = UINT64_MAX >> 1;

}  // namespace cutaway::icd
