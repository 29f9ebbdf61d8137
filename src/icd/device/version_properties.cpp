#include "icd/device/version_properties.h"

#include <algorithm>

#include "icd/device/fill_structure.h"
#include "icd/device/limits.h"
#include "icd/device/physical_device.h"

namespace cutaway::icd {
namespace {

// What a structure of properties holds.
template <class Struct>
Struct properties_of(VkStructureType type) {
  Struct s{};
  s.sType = type;
  PhysicalDevice::extend_properties(&s);
  return s;
}

template <size_t kCount, class T>
void copy(const T (&from)[kCount], T (&to)[kCount]) {
  std::copy(std::begin(from), std::end(from), std::begin(to));
}

void fill_1_1(VkPhysicalDeviceVulkan11Properties& p) {
  const auto id =
      properties_of<VkPhysicalDeviceIDProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
  copy(id.deviceUUID, p.deviceUUID);
  copy(id.driverUUID, p.driverUUID);
  copy(id.deviceLUID, p.deviceLUID);
  p.deviceNodeMask = id.deviceNodeMask;
  p.deviceLUIDValid = id.deviceLUIDValid;
  const auto subgroup = properties_of<VkPhysicalDeviceSubgroupProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  p.subgroupSize = subgroup.subgroupSize;
  p.subgroupSupportedStages = subgroup.supportedStages;
  p.subgroupSupportedOperations = subgroup.supportedOperations;
  p.subgroupQuadOperationsInAllStages = subgroup.quadOperationsInAllStages;
  p.pointClippingBehavior = properties_of<VkPhysicalDevicePointClippingProperties>(
                                VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_POINT_CLIPPING_PROPERTIES)
                                .pointClippingBehavior;
  const auto views = properties_of<VkPhysicalDeviceMultiviewProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES);
  p.maxMultiviewViewCount = views.maxMultiviewViewCount;
  p.maxMultiviewInstanceIndex = views.maxMultiviewInstanceIndex;
  const auto limits = properties_of<VkPhysicalDeviceMaintenance3Properties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES);
  p.maxPerSetDescriptors = limits.maxPerSetDescriptors;
  p.maxMemoryAllocationSize = limits.maxMemoryAllocationSize;
}

// What float controls and filters of extremes would bring stays off.
void fill_1_2(VkPhysicalDeviceVulkan12Properties& p) {
  const auto driver =
      properties_of<VkPhysicalDeviceDriverProperties>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
  p.driverID = driver.driverID;
  copy(driver.driverName, p.driverName);
  copy(driver.driverInfo, p.driverInfo);
  p.conformanceVersion = driver.conformanceVersion;
  const auto floats = properties_of<VkPhysicalDeviceFloatControlsProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES);
  p.denormBehaviorIndependence = floats.denormBehaviorIndependence;
  p.roundingModeIndependence = floats.roundingModeIndependence;
  const auto indexing = properties_of<VkPhysicalDeviceDescriptorIndexingProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES);
  p.maxPerStageDescriptorUpdateAfterBindSamplers = indexing.maxPerStageDescriptorUpdateAfterBindSamplers;
  p.maxPerStageDescriptorUpdateAfterBindUniformBuffers =
      indexing.maxPerStageDescriptorUpdateAfterBindUniformBuffers;
  p.maxPerStageDescriptorUpdateAfterBindStorageBuffers =
      indexing.maxPerStageDescriptorUpdateAfterBindStorageBuffers;
  p.maxPerStageDescriptorUpdateAfterBindSampledImages =
      indexing.maxPerStageDescriptorUpdateAfterBindSampledImages;
  p.maxPerStageDescriptorUpdateAfterBindStorageImages =
      indexing.maxPerStageDescriptorUpdateAfterBindStorageImages;
  p.maxPerStageDescriptorUpdateAfterBindInputAttachments =
      indexing.maxPerStageDescriptorUpdateAfterBindInputAttachments;
  p.maxPerStageUpdateAfterBindResources = indexing.maxPerStageUpdateAfterBindResources;
  p.maxDescriptorSetUpdateAfterBindSamplers = indexing.maxDescriptorSetUpdateAfterBindSamplers;
  p.maxDescriptorSetUpdateAfterBindUniformBuffers = indexing.maxDescriptorSetUpdateAfterBindUniformBuffers;
  p.maxDescriptorSetUpdateAfterBindUniformBuffersDynamic =
      indexing.maxDescriptorSetUpdateAfterBindUniformBuffersDynamic;
  p.maxDescriptorSetUpdateAfterBindStorageBuffers = indexing.maxDescriptorSetUpdateAfterBindStorageBuffers;
  p.maxDescriptorSetUpdateAfterBindStorageBuffersDynamic =
      indexing.maxDescriptorSetUpdateAfterBindStorageBuffersDynamic;
  p.maxDescriptorSetUpdateAfterBindSampledImages = indexing.maxDescriptorSetUpdateAfterBindSampledImages;
  p.maxDescriptorSetUpdateAfterBindStorageImages = indexing.maxDescriptorSetUpdateAfterBindStorageImages;
  p.maxDescriptorSetUpdateAfterBindInputAttachments =
      indexing.maxDescriptorSetUpdateAfterBindInputAttachments;
  p.maxUpdateAfterBindDescriptorsInAllPools = indexing.maxUpdateAfterBindDescriptorsInAllPools;
  p.robustBufferAccessUpdateAfterBind = indexing.robustBufferAccessUpdateAfterBind;
  p.quadDivergentImplicitLod = indexing.quadDivergentImplicitLod;
  const auto resolve = properties_of<VkPhysicalDeviceDepthStencilResolveProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES);
  p.supportedDepthResolveModes = resolve.supportedDepthResolveModes;
  p.supportedStencilResolveModes = resolve.supportedStencilResolveModes;
  p.independentResolveNone = resolve.independentResolveNone;
  p.independentResolve = resolve.independentResolve;
  p.maxTimelineSemaphoreValueDifference = properties_of<VkPhysicalDeviceTimelineSemaphoreProperties>(
                                              VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_PROPERTIES)
                                              .maxTimelineSemaphoreValueDifference;
  p.framebufferIntegerColorSampleCounts = kSampleCounts;
}

// No dot product of integers is faster than what it does.
void fill_1_3(VkPhysicalDeviceVulkan13Properties& p) {
  const auto subgroup = properties_of<VkPhysicalDeviceSubgroupSizeControlProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
  p.minSubgroupSize = subgroup.minSubgroupSize;
  p.maxSubgroupSize = subgroup.maxSubgroupSize;
  p.maxComputeWorkgroupSubgroups = subgroup.maxComputeWorkgroupSubgroups;
  p.requiredSubgroupSizeStages = subgroup.requiredSubgroupSizeStages;
  const auto blocks = properties_of<VkPhysicalDeviceInlineUniformBlockProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_PROPERTIES);
  p.maxInlineUniformBlockSize = blocks.maxInlineUniformBlockSize;
  p.maxPerStageDescriptorInlineUniformBlocks = blocks.maxPerStageDescriptorInlineUniformBlocks;
  p.maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks =
      blocks.maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks;
  p.maxDescriptorSetInlineUniformBlocks = blocks.maxDescriptorSetInlineUniformBlocks;
  p.maxDescriptorSetUpdateAfterBindInlineUniformBlocks =
      blocks.maxDescriptorSetUpdateAfterBindInlineUniformBlocks;
  p.maxInlineUniformTotalSize = kMaxBoundDescriptorSets * kMaxInlineBlocks * kMaxInlineBlockBytes;
  const auto texels = properties_of<VkPhysicalDeviceTexelBufferAlignmentProperties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_PROPERTIES);
  p.storageTexelBufferOffsetAlignmentBytes = texels.storageTexelBufferOffsetAlignmentBytes;
  p.storageTexelBufferOffsetSingleTexelAlignment = texels.storageTexelBufferOffsetSingleTexelAlignment;
  p.uniformTexelBufferOffsetAlignmentBytes = texels.uniformTexelBufferOffsetAlignmentBytes;
  p.uniformTexelBufferOffsetSingleTexelAlignment = texels.uniformTexelBufferOffsetSingleTexelAlignment;
  p.maxBufferSize = properties_of<VkPhysicalDeviceMaintenance4Properties>(
                        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES)
                        .maxBufferSize;
}

}  // namespace

size_t fill_version_properties(VkBaseOutStructure* s) {
  switch (s->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES:
      return fill<VkPhysicalDeviceVulkan11Properties>(s, fill_1_1);
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES:
      return fill<VkPhysicalDeviceVulkan12Properties>(s, fill_1_2);
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES:
      return fill<VkPhysicalDeviceVulkan13Properties>(s, fill_1_3);
    default:
      return 0;
  }
}

}  // namespace cutaway::icd
