#pragma once

#include <vector>

#include "icd/vulkan.h"

namespace cutaway::icd {

// A structure of features: its head, then a VkBool32 for each of `members`, in this order. The entry of
// VkPhysicalDeviceFeatures2 names the members of VkPhysicalDeviceFeatures, which follow that head.
struct FeatureNames {
  VkStructureType type;
  const char* structure;
  std::vector<const char*> members;
};

// Every structure of features that the registry knows; generated from vk.xml.
const std::vector<FeatureNames>& feature_names();

}  // namespace cutaway::icd
