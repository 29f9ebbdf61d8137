#pragma once

#include "arch/registers.h"
#include "arch/surface.h"
#include "icd/vulkan.h"

// The limits of the driver's own (Vulkan "Required Limits"), stated once: physical_device_properties.cpp
// reports them, the rest of the driver sizes its tables and checks by them. Limits of the machine are the
// contract's (arch/registers.h, arch/surface.h) and reported from there.
namespace cutaway::icd {

constexpr uint32_t kVec4Bytes = 16;  // of a constant register

// Memory. Whatever the driver places itself begins at a multiple of kMemoryAlignment.
constexpr uint64_t kMemoryAlignment = 64;  // also bufferImageGranularity, nonCoherentAtomSize
constexpr uint64_t kMapAlignment = 4096;   // a page of the host
constexpr uint64_t kMaxAllocationBytes = 1ull << 31;
constexpr uint32_t kMaxAllocations = 65536;
constexpr uint64_t kDeviceAddresses = uint64_t{1} << 32;  // memory that shaders reach by address lies below
constexpr uint64_t kMaxResourceBytes = 1ull << 31;        // the least that "VkImageFormatProperties" permits

// Buffers. Offsets are what LOAD_CONSTANTS and descriptors ask for.
constexpr uint64_t kBufferOffsetAlignment = kVec4Bytes;
constexpr uint32_t kMaxUniformBufferRange = 65536;     // bytes
constexpr uint32_t kMaxStorageBufferRange = 1u << 27;  // bytes
constexpr uint32_t kMaxTexelBufferElements = 1u << 27;
constexpr uint32_t kMaxPushConstantBytes = 256;

// Images.
constexpr uint32_t kMaxArrayLayers = 256;     // of images and framebuffers
constexpr VkSampleCountFlags kSampleCounts =  // of pipelines and attachments
    VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_2_BIT | VK_SAMPLE_COUNT_4_BIT | VK_SAMPLE_COUNT_8_BIT;

// Samplers.
constexpr uint32_t kMaxSamplers = 65536;
constexpr uint32_t kMaxAnisotropy = 16;
constexpr uint32_t kMaxLodBias = 16;

// Descriptors.
constexpr uint32_t kMaxBoundDescriptorSets = 8;
constexpr uint32_t kMaxPushDescriptors = 32;
constexpr uint32_t kMaxInlineBlocks = 4;         // of a stage, and of a set
constexpr uint32_t kMaxInlineBlockBytes = 4096;  // of one
// Of a stage: each may take a resource slot, and so may all memory, which pointers that hold addresses reach.
constexpr uint32_t kStageUniformBuffers = 15, kStageStorageBuffers = 16, kStageSampledImages = 16,
                   kStageStorageImages = 8, kStageInputAttachments = 4;
constexpr uint32_t kStageDescriptors = kStageUniformBuffers + kStageStorageBuffers + kStageSampledImages +
                                       kStageStorageImages + kStageInputAttachments;
static_assert(kStageDescriptors + kMaxInlineBlocks + 1 <= arch::kResources);
// Of a stage in which descriptors may be of any kind: one slot is all memory's, and inline blocks have
// theirs.
constexpr uint32_t kMaxSlotDescriptors = arch::kResources - kMaxInlineBlocks - 1;
static_assert(kStageDescriptors <= kMaxSlotDescriptors);
constexpr uint32_t kMaxPerSetDescriptors = 1024;        // every layout of so many is supported,
constexpr uint64_t kMaxSupportedDescriptors = 1 << 20;  // and all others of no more than a host can hold

// Shaders and drawing.
constexpr uint32_t kAllColorTargets = (1u << arch::kColorTargets) - 1;  // a bit each
constexpr uint32_t kMaxClipDistances = 8;                               // clip and cull distances together
constexpr uint32_t kMaxPatchComponents = 120;  // of a patch itself, beside its factors
static_assert(arch::kPatchFactorBytes + 16 * kMaxPatchComponents +
                  16 * (arch::kInterpolants + 6) * arch::kPatchVertices <=
              arch::kPatchBytes);  // each in a location of its own, with all built-ins
// The least that "Required Limits" permits: a component of each register that is emitted.
constexpr uint32_t kMaxGeometryTotalOutputComponents = 1024;
static_assert(kMaxGeometryTotalOutputComponents <= arch::kEmittedRegisters);
constexpr uint32_t kSubgroupSize = 4;  // invocations: a quad of lanes
constexpr uint32_t kMaxMultiDraws = 65536;
constexpr uint32_t kViewBits = 32;          // of a subpass's view mask: the driver draws any of them
constexpr uint32_t kMaxMultiviewViews = 6;  // the least that "Required Limits" permits
constexpr uint32_t kSubPixelBits = 8;       // vertices are snapped to 1/256 pixel
constexpr uint32_t kInterpolationOffsetBits = 4;

// Synchronisation and windows.
constexpr uint64_t kTimestampNanoseconds = 1;  // a step of work is taken for one
constexpr uint64_t kMaxTimelineDifference = UINT64_MAX >> 1;
constexpr uint32_t kMinSwapchainImages = 2;
constexpr uint32_t kMaxSwapchainImages = 16;

}  // namespace cutaway::icd
