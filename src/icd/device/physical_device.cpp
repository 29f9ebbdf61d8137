#include "icd/device/physical_device.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <sys/sysinfo.h>

#include "icd/device/limits.h"
#include "icd/loader/extensions.h"
#include "icd/loader/instance.h"
#include "icd/pipeline/pipeline_cache.h"

namespace cutaway::icd {
namespace {

constexpr uint32_t kVendor = 0x10CA7;  // above the PCI range; not registered with Khronos
constexpr uint32_t kDevice = 1;

// Every limit with its least permitted value in mind ("Required Limits"); those of features that are off stay
// zero where Vulkan lets them.
VkPhysicalDeviceLimits make_limits() {
  VkPhysicalDeviceLimits l{};
  l.maxImageDimension1D = l.maxImageDimension2D = arch::kMaxDimension;
  l.maxImageDimension3D = kMaxVolumeDimension;
  l.maxImageDimensionCube = kMaxCubeDimension;
  l.maxImageArrayLayers = kMaxArrayLayers;
  l.maxTexelBufferElements = kMaxTexelBufferElements;
  l.maxUniformBufferRange = kMaxUniformBufferRange;
  l.maxStorageBufferRange = kMaxStorageBufferRange;
  l.maxPushConstantsSize = kMaxPushConstantBytes;
  l.maxMemoryAllocationCount = kMaxAllocations;
  l.maxSamplerAllocationCount = kMaxSamplers;
  l.bufferImageGranularity = kMemoryAlignment;
  l.maxBoundDescriptorSets = kMaxBoundDescriptorSets;
  l.maxPerStageDescriptorSamplers = 16;
  l.maxPerStageDescriptorUniformBuffers = 15;
  l.maxPerStageDescriptorStorageBuffers = 8;
  l.maxPerStageDescriptorSampledImages = 16;
  l.maxPerStageDescriptorStorageImages = 8;
  l.maxPerStageDescriptorInputAttachments = 8;
  l.maxPerStageResources = arch::kResources;  // at least the sum of the above and the color attachments
  l.maxDescriptorSetSamplers = 96;
  l.maxDescriptorSetUniformBuffers = 90;
  l.maxDescriptorSetUniformBuffersDynamic = 8;
  l.maxDescriptorSetStorageBuffers = 48;
  l.maxDescriptorSetStorageBuffersDynamic = 4;
  l.maxDescriptorSetSampledImages = 96;
  l.maxDescriptorSetStorageImages = 48;
  l.maxDescriptorSetInputAttachments = 8;
  l.maxVertexInputAttributes = arch::kVertexAttributes;
  l.maxVertexInputBindings = arch::kVertexBindings;
  l.maxVertexInputAttributeOffset = 65535;
  l.maxVertexInputBindingStride = 65535;
  l.maxVertexOutputComponents = 4 * arch::kInterpolants;
  l.maxFragmentInputComponents = 4 * arch::kInterpolants;
  l.maxFragmentOutputAttachments = arch::kColorTargets;
  l.maxFragmentDualSrcAttachments = 1;
  l.maxFragmentCombinedOutputResources = arch::kColorTargets + 16;
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
  l.maxViewportDimensions[0] = l.maxViewportDimensions[1] = arch::kMaxDimension;
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
  l.maxFramebufferWidth = l.maxFramebufferHeight = arch::kMaxDimension;
  l.maxFramebufferLayers = kMaxArrayLayers;
  l.framebufferColorSampleCounts = l.framebufferDepthSampleCounts = l.framebufferStencilSampleCounts =
      l.framebufferNoAttachmentsSampleCounts = kSampleCounts;
  l.maxColorAttachments = arch::kColorTargets;
  l.sampledImageColorSampleCounts = l.sampledImageIntegerSampleCounts = l.sampledImageDepthSampleCounts =
      l.sampledImageStencilSampleCounts = kSampleCounts;
  l.storageImageSampleCounts = VK_SAMPLE_COUNT_1_BIT;
  l.maxSampleMaskWords = 1;
  l.timestampComputeAndGraphics = VK_TRUE;
  l.timestampPeriod = 1;  // ns; a step of work is taken for one
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

}  // namespace

VkPhysicalDeviceProperties PhysicalDevice::properties() {
  VkPhysicalDeviceProperties p{};
  p.apiVersion = kApiVersion;
  p.driverVersion = VK_MAKE_VERSION(0, 1, 0);
  p.vendorID = kVendor;
  p.deviceID = kDevice;
  p.deviceType = VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU;
  std::strncpy(p.deviceName, "Cutaway", sizeof p.deviceName - 1);
  pipeline_cache_uuid(p.pipelineCacheUUID);
  p.limits = make_limits();
  return p;
}

VkPhysicalDeviceFeatures PhysicalDevice::features() {
  VkPhysicalDeviceFeatures f{};
  f.vertexPipelineStoresAndAtomics = VK_TRUE;
  f.fragmentStoresAndAtomics = VK_TRUE;
  f.shaderUniformBufferArrayDynamicIndexing = VK_TRUE;
  f.shaderStorageBufferArrayDynamicIndexing = VK_TRUE;
  f.shaderSampledImageArrayDynamicIndexing = f.shaderStorageImageArrayDynamicIndexing = VK_TRUE;
  f.shaderStorageImageExtendedFormats = VK_TRUE;
  f.shaderStorageImageReadWithoutFormat = VK_TRUE;
  f.shaderStorageImageWriteWithoutFormat = VK_TRUE;
  f.robustBufferAccess = VK_TRUE;  // "Required": reads outside a buffer give zeros, see arch::VertexBinding
  f.fullDrawIndexUint32 = VK_TRUE;
  f.independentBlend = VK_TRUE;
  f.logicOp = VK_TRUE;
  f.dualSrcBlend = VK_TRUE;
  f.occlusionQueryPrecise = f.pipelineStatisticsQuery = VK_TRUE;
  f.imageCubeArray = VK_TRUE;
  f.samplerAnisotropy = VK_TRUE;
  f.shaderImageGatherExtended = VK_TRUE;
  f.textureCompressionBC = VK_TRUE;
  f.depthClamp = VK_TRUE;
  f.depthBiasClamp = VK_TRUE;
  f.fillModeNonSolid = VK_TRUE;
  f.depthBounds = VK_TRUE;
  f.wideLines = VK_TRUE;
  f.largePoints = VK_TRUE;
  f.multiViewport = VK_TRUE;
  f.alphaToOne = VK_TRUE;
  f.sampleRateShading = VK_TRUE;
  f.shaderClipDistance = VK_TRUE;
  f.multiDrawIndirect = VK_TRUE;
  f.drawIndirectFirstInstance = VK_TRUE;
  f.inheritedQueries = VK_TRUE;
  f.shaderCullDistance = VK_TRUE;
  return f;
}

VkPhysicalDeviceMemoryProperties PhysicalDevice::memory() {
  VkPhysicalDeviceMemoryProperties m{};
  m.memoryTypeCount = 1;
  m.memoryTypes[0] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                          VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                      0};
  m.memoryHeapCount = 1;
  // Each byte in use costs the host two: the view and the GPU's copy.
  struct sysinfo host {};
  sysinfo(&host);
  const uint64_t total = uint64_t{host.totalram} * host.mem_unit;
  m.memoryHeaps[0] = {std::clamp<uint64_t>(total / 4, 256ull << 20, 2ull << 30),
                      VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  return m;
}

VkQueueFamilyProperties PhysicalDevice::queue_family() {
  VkQueueFamilyProperties q{};
  // "Queues": where graphics is supported, one family must have graphics and compute.
  q.queueFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
  q.queueCount = 1;
  q.timestampValidBits = 64;
  q.minImageTransferGranularity = {1, 1, 1};
  return q;
}

}  // namespace cutaway::icd
