#pragma once

#include "icd/object.h"
#include "icd/stream/cache_tracker.h"

// Converts dependencies of VK_KHR_synchronization2, with 64 bits of stages and accesses.
namespace cutaway::icd {

// Maps stages and accesses without a bit in version 1.0 to ones that contain them.
VkPipelineStageFlags stages_of(VkPipelineStageFlags2 stages);
VkAccessFlags accesses_of(VkAccessFlags2 accesses);

CacheTracker::Barrier barrier_of(const VkMemoryBarrier2& memory);
// Merges all barriers of a dependency.
CacheTracker::Barrier barrier_of(const VkDependencyInfo& dependency);

}  // namespace cutaway::icd
