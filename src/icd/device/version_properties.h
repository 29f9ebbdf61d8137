#pragma once

#include <cstddef>

#include "icd/vulkan.h"

namespace cutaway::icd {

// One of VkPhysicalDeviceVulkan11Properties to ...13Properties, from what the structures say that they
// gather. Gives the number of its members; 0: it is none of these.
size_t fill_version_properties(VkBaseOutStructure* structure);

}  // namespace cutaway::icd
