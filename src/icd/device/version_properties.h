#pragma once

#include <cstddef>

#include "icd/vulkan.h"

namespace cutaway::icd {

// Copies the properties of the extensions that became part of a version, from what their structures say.
// Generated: generate_promoted.py.
void gather(VkPhysicalDeviceVulkan11Properties& to);
void gather(VkPhysicalDeviceVulkan12Properties& to);
void gather(VkPhysicalDeviceVulkan13Properties& to);

// Fills VkPhysicalDeviceVulkan11Properties, ...12... or ...13.... Returns the number of its members; 0: it is
// none of these.
size_t fill_version_properties(VkBaseOutStructure* structure);

}  // namespace cutaway::icd
