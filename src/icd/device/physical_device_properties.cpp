#include <algorithm>
#include <cstring>

#include "arch/memory.h"
#include "icd/device/fill_structure.h"
#include "icd/device/limits.h"
#include "icd/device/offer.h"
#include "icd/device/physical_device.h"
#include "icd/device/version_properties.h"
#include "icd/loader/instance.h"
#include "icd/pipeline/pipeline_cache.h"
#include "icd/resource/sparse_binding.h"

// The properties of the physical device: version 1.0's, with its limits,
// and those of later versions and extensions.
namespace cutaway::icd {
namespace {

constexpr uint32_t kVendor = 0x10CA7;  // above the PCI range; not registered with Khronos
constexpr uint32_t kDevice = 1;

// Every limit with its least permitted value in mind ("Required Limits"); those of features that are off stay
// zero where Vulkan lets them.
VkPhysicalDeviceLimits make_limits() {
  VkPhysicalDeviceLimits l{};
  l.maxImageDimension1D = l.maxImageDimension2D = offer().images.size;
  l.maxImageDimension3D = offer().images.volume_size;
  l.maxImageDimensionCube = offer().images.cube_size;
  l.maxImageArrayLayers = kMaxArrayLayers;
  l.maxTexelBufferElements = kMaxTexelBufferElements;
  l.maxUniformBufferRange = kMaxUniformBufferRange;
  l.maxStorageBufferRange = kMaxStorageBufferRange;
  l.maxPushConstantsSize = kMaxPushConstantBytes;
  l.maxMemoryAllocationCount = kMaxAllocations;
  l.maxSamplerAllocationCount = kMaxSamplers;
  l.bufferImageGranularity = kMemoryAlignment;
  l.sparseAddressSpaceSize = offer().sparse ? 4 * kMaxSparseBytes : 0;
  l.maxBoundDescriptorSets = kMaxBoundDescriptorSets;
  l.maxPerStageDescriptorSamplers = 16;
  l.maxPerStageDescriptorUniformBuffers = kStageUniformBuffers;
  l.maxPerStageDescriptorStorageBuffers = kStageStorageBuffers;
  l.maxPerStageDescriptorSampledImages = kStageSampledImages;
  l.maxPerStageDescriptorStorageImages = kStageStorageImages;
  l.maxPerStageDescriptorInputAttachments = kStageInputAttachments;
  l.maxPerStageResources = kStageDescriptors + arch::kColorTargets;
  l.maxDescriptorSetSamplers = 96;
  l.maxDescriptorSetUniformBuffers = 90;
  l.maxDescriptorSetUniformBuffersDynamic = 8;
  l.maxDescriptorSetStorageBuffers = 6 * kStageStorageBuffers;  // of all stages
  l.maxDescriptorSetStorageBuffersDynamic = 4;
  l.maxDescriptorSetSampledImages = 96;
  l.maxDescriptorSetStorageImages = 48;
  l.maxDescriptorSetInputAttachments = kStageInputAttachments;
  l.maxVertexInputAttributes = arch::kVertexAttributes;
  l.maxVertexInputBindings = arch::kVertexBindings;
  l.maxVertexInputAttributeOffset = 65535;
  l.maxVertexInputBindingStride = 65535;
  // Fragment programs read the varyings of a chip. Zink keeps half of a vertex program's outputs for
  // transform feedback, and offers the rest to OpenGL.
  l.maxVertexOutputComponents = 4 * std::min(2 * offer().programs.varyings, arch::kInterpolants);
  if (offer().tessellation) {
    l.maxTessellationGenerationLevel = arch::kMaxTessFactor;
    l.maxTessellationPatchSize = arch::kPatchVertices;
    l.maxTessellationControlPerVertexInputComponents = l.maxTessellationControlPerVertexOutputComponents =
        l.maxTessellationEvaluationInputComponents = l.maxTessellationEvaluationOutputComponents =
            4 * arch::kInterpolants;
    l.maxTessellationControlPerPatchOutputComponents = kMaxPatchComponents;
    l.maxTessellationControlTotalOutputComponents =
        kMaxPatchComponents + 4 * arch::kInterpolants * arch::kPatchVertices;
  }
  if (offer().geometry) {
    l.maxGeometryShaderInvocations = arch::kGeometryInvocations;
    l.maxGeometryInputComponents = l.maxGeometryOutputComponents = 4 * arch::kInterpolants;
    l.maxGeometryOutputVertices = arch::kMaxEmittedVertices;
    l.maxGeometryTotalOutputComponents = kMaxGeometryTotalOutputComponents;
  }
  l.maxFragmentInputComponents = 4 * offer().programs.varyings;
  l.maxFragmentOutputAttachments = offer().programs.color_targets;
  l.maxFragmentDualSrcAttachments = 1;
  l.maxFragmentCombinedOutputResources = offer().programs.color_targets + 16;
  l.maxComputeSharedMemorySize = arch::kWorkgroupBytes;
  for (uint32_t& count : l.maxComputeWorkGroupCount) count = 65535;
  l.maxComputeWorkGroupInvocations = arch::kWorkgroupInvocations;
  l.maxComputeWorkGroupSize[0] = l.maxComputeWorkGroupSize[1] = arch::kWorkgroupInvocations;
  l.maxComputeWorkGroupSize[2] = 64;
  l.subPixelPrecisionBits = kSubPixelBits;
  l.subTexelPrecisionBits = 8;
  l.mipmapPrecisionBits = 8;
  l.maxDrawIndexedIndexValue = UINT32_MAX;
  l.maxDrawIndirectCount = UINT32_MAX;
  l.maxSamplerLodBias = kMaxLodBias;
  l.maxSamplerAnisotropy = kMaxAnisotropy;
  l.maxViewports = arch::kViewports;
  l.maxViewportDimensions[0] = l.maxViewportDimensions[1] = offer().images.size;
  l.viewportBoundsRange[0] = -2.0f * arch::kMaxDimension;
  l.viewportBoundsRange[1] = 2.0f * arch::kMaxDimension - 1;
  l.viewportSubPixelBits = kSubPixelBits;
  l.minMemoryMapAlignment = kMapAlignment;
  l.minTexelBufferOffsetAlignment = kBufferOffsetAlignment;
  l.minUniformBufferOffsetAlignment = kBufferOffsetAlignment;
  l.minStorageBufferOffsetAlignment = kBufferOffsetAlignment;
  l.minTexelOffset = l.minTexelGatherOffset = -8;
  l.maxTexelOffset = l.maxTexelGatherOffset = 7;
  l.subPixelInterpolationOffsetBits = kInterpolationOffsetBits;
  l.minInterpolationOffset = -0.5f;
  l.maxInterpolationOffset = 0.5f - 1.0f / (1u << kInterpolationOffsetBits);
  l.maxFramebufferWidth = l.maxFramebufferHeight = offer().images.size;
  l.maxFramebufferLayers = kMaxArrayLayers;
  l.framebufferColorSampleCounts = l.framebufferDepthSampleCounts = l.framebufferStencilSampleCounts =
      l.framebufferNoAttachmentsSampleCounts = kSampleCounts;
  l.maxColorAttachments = offer().programs.color_targets;
  l.sampledImageColorSampleCounts = l.sampledImageIntegerSampleCounts = l.sampledImageDepthSampleCounts =
      l.sampledImageStencilSampleCounts = kSampleCounts;
  l.storageImageSampleCounts = VK_SAMPLE_COUNT_1_BIT;
  l.maxSampleMaskWords = 1;
  l.timestampComputeAndGraphics = VK_TRUE;
  l.timestampPeriod = static_cast<float>(kTimestampNanoseconds);
  l.maxClipDistances = l.maxCullDistances = l.maxCombinedClipAndCullDistances = kMaxClipDistances;
  l.discreteQueuePriorities = 2;
  l.pointSizeRange[0] = 1;
  l.pointSizeRange[1] = arch::kMaxPointSize;
  l.lineWidthRange[0] = 1;
  l.lineWidthRange[1] = arch::kMaxLineWidth;
  l.pointSizeGranularity = l.lineWidthGranularity = 1.0f / 128;
  l.strictLines = VK_TRUE;
  l.standardSampleLocations = VK_TRUE;
  l.optimalBufferCopyOffsetAlignment = kBufferOffsetAlignment;
  l.optimalBufferCopyRowPitchAlignment = arch::kLinearPitchAlignment;
  l.nonCoherentAtomSize = kMemoryAlignment;
  return l;
}

// Fills a structure of properties of an extension. Returns the number of its members; 0: it is unknown, and
// left alone.
size_t fill_extension_properties(VkBaseOutStructure* s) {
  switch (s->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR:
      return fill<VkPhysicalDevicePushDescriptorPropertiesKHR>(
          s, [](auto& p) { p.maxPushDescriptors = kMaxPushDescriptors; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT:
      return fill<VkPhysicalDeviceExternalMemoryHostPropertiesEXT>(
          s, [](auto& p) { p.minImportedHostPointerAlignment = arch::kPageBytes; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_PROPERTIES_EXT:
      // Stages are compiled when they are linked. How an input is interpolated, its fragment program alone
      // says.
      return fill<VkPhysicalDeviceGraphicsPipelineLibraryPropertiesEXT>(s, [](auto& p) {
        p.graphicsPipelineLibraryFastLinking = VK_FALSE;
        p.graphicsPipelineLibraryIndependentInterpolationDecoration = VK_TRUE;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_PROPERTIES_EXT:
      return fill<VkPhysicalDeviceExtendedDynamicState3PropertiesEXT>(
          s, [](auto& p) { p.dynamicPrimitiveTopologyUnrestricted = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_PROPERTIES_EXT:
      return fill<VkPhysicalDeviceMultiDrawPropertiesEXT>(
          s, [](auto& p) { p.maxMultiDrawCount = kMaxMultiDraws; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_PROPERTIES_EXT:
      return fill<VkPhysicalDeviceRobustness2PropertiesEXT>(s, [](auto& p) {
        p.robustStorageBufferAccessSizeAlignment = 4;
        p.robustUniformBufferAccessSizeAlignment = kVec4Bytes;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_PROPERTIES_EXT:
      return fill<VkPhysicalDeviceProvokingVertexPropertiesEXT>(s, [](auto& p) {
        p.provokingVertexModePerPipeline = VK_TRUE;
        p.transformFeedbackPreservesTriangleFanProvokingVertex = VK_TRUE;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT:
      return fill<VkPhysicalDeviceTransformFeedbackPropertiesEXT>(s, [](auto& p) {
        p.maxTransformFeedbackStreams = offer().geometry ? arch::kStreams : 1;
        p.transformFeedbackStreamsLinesTriangles = offer().geometry;
        p.maxTransformFeedbackBuffers = arch::kFeedbackBuffers;
        p.maxTransformFeedbackBufferSize = UINT32_MAX & ~3u;
        p.maxTransformFeedbackStreamDataSize = 4 * arch::kFeedbackOutputs;
        p.maxTransformFeedbackBufferDataSize = 4 * arch::kFeedbackOutputs;
        p.maxTransformFeedbackBufferDataStride = 2048;
        p.transformFeedbackQueries = p.transformFeedbackDraw = VK_TRUE;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT:
      return fill<VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT>(
          s, [](auto& p) { p.maxVertexAttribDivisor = UINT32_MAX; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_PROPERTIES_EXT:
      return fill<VkPhysicalDeviceLineRasterizationPropertiesEXT>(
          s, [](auto& p) { p.lineSubPixelPrecisionBits = kSubPixelBits; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT:
      return fill<VkPhysicalDeviceCustomBorderColorPropertiesEXT>(
          s, [](auto& p) { p.maxCustomBorderColorSamplers = kMaxSamplers; });
    default:
      return 0;
  }
}

// Properties of extensions that became part of version 1.1, whose own structure is made of these.
size_t fill_properties_of_1_1(VkBaseOutStructure* s) {
  switch (s->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES:
      return fill<VkPhysicalDeviceIDProperties>(s, [](auto& p) {
        std::memcpy(p.deviceUUID, "cutaway-device-1", VK_UUID_SIZE);
        std::memcpy(p.driverUUID, "cutaway-driver-1", VK_UUID_SIZE);
        p.deviceNodeMask = 1;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES:
      return fill<VkPhysicalDeviceMaintenance3Properties>(s, [](auto& p) {
        p.maxPerSetDescriptors = kMaxPerSetDescriptors;
        p.maxMemoryAllocationSize = kMaxAllocationBytes;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES:
      return fill<VkPhysicalDeviceMultiviewProperties>(s, [](auto& p) {
        p.maxMultiviewViewCount = kMaxMultiviewViews;
        p.maxMultiviewInstanceIndex = (1u << 27) - 1;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_POINT_CLIPPING_PROPERTIES:
      return fill<VkPhysicalDevicePointClippingProperties>(
          s, [](auto& p) { p.pointClippingBehavior = VK_POINT_CLIPPING_BEHAVIOR_ALL_CLIP_PLANES; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES:
      return fill<VkPhysicalDeviceProtectedMemoryProperties>(s, [](auto&) {});
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES:
      return fill<VkPhysicalDeviceSubgroupProperties>(s, [](auto& p) {
        p.subgroupSize = kSubgroupSize;
        p.supportedStages =
            VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
        if (offer().geometry) p.supportedStages |= VK_SHADER_STAGE_GEOMETRY_BIT;
        if (offer().tessellation)
          p.supportedStages |=
              VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
        p.supportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
                                VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT |
                                VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT |
                                VK_SUBGROUP_FEATURE_CLUSTERED_BIT | VK_SUBGROUP_FEATURE_QUAD_BIT;
      });
    default:
      return 0;
  }
}

// Properties of extensions that became part of version 1.2, whose own structure is made of these.
size_t fill_properties_of_1_2(VkBaseOutStructure* s) {
  switch (s->sType) {
    // Descriptors of a stage share its slots as they like: no kind has a bound of its own but samplers.
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES:
      return fill<VkPhysicalDeviceDescriptorIndexingProperties>(s, [](auto& p) {
        const VkPhysicalDeviceLimits l = make_limits();
        constexpr uint32_t kStages = 6, kAll = kStages * kMaxSlotDescriptors;
        p.maxUpdateAfterBindDescriptorsInAllPools = kMaxSupportedDescriptors;
        p.maxPerStageDescriptorUpdateAfterBindSamplers = arch::kSamplers;
        p.maxPerStageDescriptorUpdateAfterBindUniformBuffers =
            p.maxPerStageDescriptorUpdateAfterBindStorageBuffers =
                p.maxPerStageDescriptorUpdateAfterBindSampledImages =
                    p.maxPerStageDescriptorUpdateAfterBindStorageImages =
                        p.maxPerStageDescriptorUpdateAfterBindInputAttachments = kMaxSlotDescriptors;
        p.maxPerStageUpdateAfterBindResources = kMaxSlotDescriptors + arch::kColorTargets;
        p.maxDescriptorSetUpdateAfterBindSamplers = kStages * arch::kSamplers;
        p.maxDescriptorSetUpdateAfterBindUniformBuffers = p.maxDescriptorSetUpdateAfterBindStorageBuffers =
            p.maxDescriptorSetUpdateAfterBindSampledImages = p.maxDescriptorSetUpdateAfterBindStorageImages =
                kAll;
        p.maxDescriptorSetUpdateAfterBindUniformBuffersDynamic = l.maxDescriptorSetUniformBuffersDynamic;
        p.maxDescriptorSetUpdateAfterBindStorageBuffersDynamic = l.maxDescriptorSetStorageBuffersDynamic;
        p.maxDescriptorSetUpdateAfterBindInputAttachments = kMaxSlotDescriptors;
        // All descriptors that are accessed are in slots, whether lanes choose the same or not.
        p.shaderUniformBufferArrayNonUniformIndexingNative =
            p.shaderSampledImageArrayNonUniformIndexingNative =
                p.shaderStorageBufferArrayNonUniformIndexingNative =
                    p.shaderStorageImageArrayNonUniformIndexingNative =
                        p.shaderInputAttachmentArrayNonUniformIndexingNative = VK_FALSE;
        p.robustBufferAccessUpdateAfterBind = VK_TRUE;
        p.quadDivergentImplicitLod = VK_TRUE;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_PROPERTIES:
      return fill<VkPhysicalDeviceTimelineSemaphoreProperties>(
          s, [](auto& p) { p.maxTimelineSemaphoreValueDifference = kMaxTimelineDifference; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES:
      if (!offer().driver_properties()) return 0;
      // No driver id is registered for this driver, and it has not passed the conformance tests.
      return fill<VkPhysicalDeviceDriverProperties>(s, [](auto& p) {
        std::strncpy(p.driverName, "Cutaway", sizeof p.driverName - 1);
        std::strncpy(p.driverInfo, "a simulated GPU", sizeof p.driverInfo - 1);
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES:
      return fill<VkPhysicalDeviceFloatControlsProperties>(s, [](auto& p) {
        // Each width has the one behaviour that docs/isa.md describes; none depends on another.
        p.denormBehaviorIndependence = p.roundingModeIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL;
        p.shaderDenormFlushToZeroFloat32 = p.shaderDenormPreserveFloat16 = VK_TRUE;
        p.shaderRoundingModeRTEFloat16 = p.shaderRoundingModeRTEFloat32 = VK_TRUE;
        p.shaderSignedZeroInfNanPreserveFloat16 = p.shaderSignedZeroInfNanPreserveFloat32 = VK_TRUE;
        p.shaderDenormPreserveFloat64 = p.shaderRoundingModeRTEFloat64 =
            p.shaderSignedZeroInfNanPreserveFloat64 = offer().doubles;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES:
      return fill<VkPhysicalDeviceDepthStencilResolveProperties>(s, [](auto& p) {
        p.supportedDepthResolveModes = p.supportedStencilResolveModes = VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
        p.independentResolve = p.independentResolveNone = VK_TRUE;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES:
      return fill<VkPhysicalDeviceSamplerFilterMinmaxProperties>(s, [](auto&) {});  // no filter of extremes
    default:
      return 0;
  }
}

// Properties of extensions that became part of version 1.3, whose own structure is made of these.
size_t fill_properties_of_1_3(VkBaseOutStructure* s) {
  switch (s->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES:
      return fill<VkPhysicalDeviceSubgroupSizeControlProperties>(s, [](auto& p) {
        p.minSubgroupSize = p.maxSubgroupSize = kSubgroupSize;
        p.maxComputeWorkgroupSubgroups = arch::kWorkgroupInvocations / kSubgroupSize;
        p.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_PROPERTIES:
      return fill<VkPhysicalDeviceTexelBufferAlignmentProperties>(s, [](auto& p) {
        p.storageTexelBufferOffsetAlignmentBytes = p.uniformTexelBufferOffsetAlignmentBytes =
            kBufferOffsetAlignment;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_PROPERTIES:
      return fill<VkPhysicalDeviceInlineUniformBlockProperties>(s, [](auto& p) {
        p.maxInlineUniformBlockSize = kMaxInlineBlockBytes;
        p.maxPerStageDescriptorInlineUniformBlocks =
            p.maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks =
                p.maxDescriptorSetInlineUniformBlocks = p.maxDescriptorSetUpdateAfterBindInlineUniformBlocks =
                    kMaxInlineBlocks;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES:
      return fill<VkPhysicalDeviceMaintenance4Properties>(
          s, [](auto& p) { p.maxBufferSize = VkDeviceSize{1} << arch::kAddressBits; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_PROPERTIES:
      return fill<VkPhysicalDeviceShaderIntegerDotProductProperties>(s, [](auto&) {});  // none is faster
    default:
      return 0;
  }
}

void fill_properties(VkBaseOutStructure* s) {
  for (const auto fill_some : {fill_properties_of_1_1, fill_properties_of_1_2, fill_properties_of_1_3,
                               fill_version_properties, fill_extension_properties})
    if (fill_some(s)) return;
}

}  // namespace

VkPhysicalDeviceProperties PhysicalDevice::properties() {
  VkPhysicalDeviceProperties p{};
  p.apiVersion = offer().version;
  p.driverVersion = VK_MAKE_VERSION(0, 1, 0);
  p.vendorID = kVendor;
  p.deviceID = kDevice;
  p.deviceType = VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU;
  std::strncpy(p.deviceName, "Cutaway", sizeof p.deviceName - 1);
  pipeline_cache_uuid(p.pipelineCacheUUID);
  p.limits = make_limits();
  p.sparseProperties.residencyNonResidentStrict = offer().sparse;
  return p;
}

void PhysicalDevice::extend_properties(void* chain) {
  for (auto* s = static_cast<VkBaseOutStructure*>(chain); s; s = s->pNext) fill_properties(s);
}

}  // namespace cutaway::icd
