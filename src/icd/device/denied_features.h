#pragma once

#include <string>
#include <vector>

#include "icd/vulkan.h"

namespace cutaway::icd {

// Names the features that `core` (may be null) and the structures of `chain` ask for and the physical device
// does not have, as "VkPhysicalDeviceFeatures::shaderResourceMinLod", in the order of the chain. Structures
// of extensions that the driver does not have deny all of their features.
std::vector<std::string> denied_features(const VkPhysicalDeviceFeatures* core, const void* chain);

}  // namespace cutaway::icd
