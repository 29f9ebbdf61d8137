#pragma once

#include <cstddef>
#include <vulkan/vulkan_core.h>

// How the answers of two drivers are joined to what both offer. Generated from the Vulkan registry; `theirs`
// is lowered to what `ours` allows.

// Bytes of a structure that extends VkPhysicalDeviceFeatures2 or VkPhysicalDeviceProperties2; 0: unknown.
size_t structure_size(VkStructureType type);

// Two structures of that type.
void join_structure(VkStructureType type, void* theirs, const void* ours);

void join_features(VkPhysicalDeviceFeatures& theirs, const VkPhysicalDeviceFeatures& ours);
void join_properties(VkPhysicalDeviceProperties& theirs, const VkPhysicalDeviceProperties& ours);
