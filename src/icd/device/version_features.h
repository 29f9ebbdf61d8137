#pragma once

#include <cstddef>

#include "icd/vulkan.h"

// The features that versions 1.1 to 1.3 brought, stated once: the structures of the versions and those of the
// extensions that they were promoted from take them from here.
namespace cutaway::icd {

VkPhysicalDeviceVulkan11Features features_of_1_1();
VkPhysicalDeviceVulkan12Features features_of_1_2();
VkPhysicalDeviceVulkan13Features features_of_1_3();

// Fills the structure of features of a version, or of an extension that became part of one. Returns the
// number of its features; 0: it is none of these. Generated: generate_promoted.py.
size_t fill_promoted_features(VkBaseOutStructure* structure);

}  // namespace cutaway::icd
