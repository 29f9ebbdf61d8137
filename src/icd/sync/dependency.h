#pragma once

#include "icd/object.h"
#include "icd/stream/cache_tracker.h"

// Dependencies as VK_KHR_synchronization2 tells them, with 64 bits of stages and of accesses.
namespace cutaway::icd {

// Stages and accesses that version 1.0 has no bit for become those that contain them.
VkPipelineStageFlags stages_of(VkPipelineStageFlags2 stages);
VkAccessFlags accesses_of(VkAccessFlags2 accesses);

CacheTracker::Barrier barrier_of(const VkMemoryBarrier2& memory);
// All barriers of a dependency together.
CacheTracker::Barrier barrier_of(const VkDependencyInfo& dependency);

}  // namespace cutaway::icd
