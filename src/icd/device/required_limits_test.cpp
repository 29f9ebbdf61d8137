#include <algorithm>
#include <map>
#include <set>

#include "icd/testing/loader_fixture.h"

// What Vulkan 1.1 requires of every implementation: limits, features, formats and properties, from literal
// tables of the specification.
namespace {

using cutaway::icd::testing::Loader;
using Names = std::set<std::string>;

// Mandatory, not there yet, and written in docs/conformance.md. A name leaves when its piece is there.
const Names kMissingLimits = {};
const Names kMissingFormatFeatures = {};
const bool kMissingCompressedFormats = false;

struct Required : Loader {
  VkPhysicalDeviceLimits l{};
  VkPhysicalDeviceFeatures f{};
  Names unmet;

  void SetUp() override {
    Loader::SetUp();
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(physical, &properties);
    l = properties.limits;
    vkGetPhysicalDeviceFeatures(physical, &f);
  }
  void want(bool met, const char* name) {
    if (!met) unmet.insert(name);
  }
};

#define AT_LEAST(limit, least) want(l.limit >= (least), #limit)
#define AT_MOST(limit, most) want(l.limit <= (most), #limit)
#define HAS_BITS(limit, bits) want((l.limit & (bits)) == (bits), #limit)

// "Required Limits", tables 49 and 50 of version 1.1: those of images, buffers and descriptors.
TEST_F(Required, LimitsOfResources) {
  AT_LEAST(maxImageDimension1D, 4096u);
  AT_LEAST(maxImageDimension2D, 4096u);
  AT_LEAST(maxImageDimension3D, 256u);
  AT_LEAST(maxImageDimensionCube, 4096u);
  AT_LEAST(maxImageArrayLayers, 256u);
  AT_LEAST(maxTexelBufferElements, 65536u);
  AT_LEAST(maxUniformBufferRange, 16384u);
  AT_LEAST(maxStorageBufferRange, 1u << 27);
  AT_LEAST(maxPushConstantsSize, 128u);
  AT_LEAST(maxMemoryAllocationCount, 4096u);
  AT_LEAST(maxSamplerAllocationCount, 4000u);
  AT_MOST(bufferImageGranularity, 131072u);
  AT_LEAST(sparseAddressSpaceSize, f.sparseBinding ? 1ull << 31 : 0);
  AT_LEAST(maxBoundDescriptorSets, 4u);
  AT_LEAST(maxPerStageDescriptorSamplers, 16u);
  AT_LEAST(maxPerStageDescriptorUniformBuffers, 12u);
  AT_LEAST(maxPerStageDescriptorStorageBuffers, 4u);
  AT_LEAST(maxPerStageDescriptorSampledImages, 16u);
  AT_LEAST(maxPerStageDescriptorStorageImages, 4u);
  AT_LEAST(maxPerStageDescriptorInputAttachments, 4u);
  AT_LEAST(maxPerStageResources,
           std::min(128u, l.maxPerStageDescriptorUniformBuffers + l.maxPerStageDescriptorSampledImages +
                              l.maxPerStageDescriptorStorageBuffers + l.maxPerStageDescriptorStorageImages +
                              l.maxPerStageDescriptorInputAttachments + l.maxColorAttachments));
  const uint32_t stages = 3 + (f.geometryShader ? 1 : 0) + (f.tessellationShader ? 2 : 0);
  AT_LEAST(maxDescriptorSetSamplers, stages * 16);
  AT_LEAST(maxDescriptorSetUniformBuffers, stages * 12);
  AT_LEAST(maxDescriptorSetUniformBuffersDynamic, 8u);
  AT_LEAST(maxDescriptorSetStorageBuffers, stages * 4);
  AT_LEAST(maxDescriptorSetStorageBuffersDynamic, 4u);
  AT_LEAST(maxDescriptorSetSampledImages, stages * 16);
  AT_LEAST(maxDescriptorSetStorageImages, stages * 4);
  AT_LEAST(maxDescriptorSetInputAttachments, 4u);
  AT_LEAST(minMemoryMapAlignment, 64u);
  AT_MOST(minTexelBufferOffsetAlignment, 256u);
  AT_MOST(minUniformBufferOffsetAlignment, 256u);
  AT_MOST(minStorageBufferOffsetAlignment, 256u);
  AT_MOST(nonCoherentAtomSize, 256u);
  AT_LEAST(discreteQueuePriorities, 2u);
  EXPECT_EQ(unmet, Names{});
}

TEST_F(Required, LimitsOfStages) {
  AT_LEAST(maxVertexInputAttributes, 16u);
  AT_LEAST(maxVertexInputBindings, 16u);
  AT_LEAST(maxVertexInputAttributeOffset, 2047u);
  AT_LEAST(maxVertexInputBindingStride, 2048u);
  AT_LEAST(maxVertexOutputComponents, 64u);
  AT_LEAST(maxFragmentInputComponents, 64u);
  AT_LEAST(maxFragmentOutputAttachments, 4u);
  AT_LEAST(maxFragmentDualSrcAttachments, f.dualSrcBlend ? 1u : 0u);
  AT_LEAST(maxFragmentCombinedOutputResources, 4u);
  AT_LEAST(maxComputeSharedMemorySize, 16384u);
  for (int i = 0; i < 3; i++) AT_LEAST(maxComputeWorkGroupCount[i], 65535u);
  AT_LEAST(maxComputeWorkGroupInvocations, 128u);
  AT_LEAST(maxComputeWorkGroupSize[0], 128u);
  AT_LEAST(maxComputeWorkGroupSize[1], 128u);
  AT_LEAST(maxComputeWorkGroupSize[2], 64u);
  AT_LEAST(subPixelPrecisionBits, 4u);
  AT_LEAST(subTexelPrecisionBits, 4u);
  AT_LEAST(mipmapPrecisionBits, 4u);
  AT_LEAST(maxDrawIndexedIndexValue, f.fullDrawIndexUint32 ? UINT32_MAX : (1u << 24) - 1);
  AT_LEAST(maxDrawIndirectCount, f.multiDrawIndirect ? (1u << 16) - 1 : 1u);
  AT_LEAST(maxSamplerLodBias, 2.0f);
  AT_LEAST(maxSamplerAnisotropy, f.samplerAnisotropy ? 16.0f : 1.0f);
  AT_MOST(minTexelOffset, -8);
  AT_LEAST(maxTexelOffset, 7u);
  AT_MOST(minTexelGatherOffset, f.shaderImageGatherExtended ? -8 : 0);
  AT_LEAST(maxTexelGatherOffset, f.shaderImageGatherExtended ? 7u : 0u);
  AT_MOST(minInterpolationOffset, f.sampleRateShading ? -0.5f : 0.0f);
  AT_LEAST(
      maxInterpolationOffset,
      f.sampleRateShading ? 0.5f - 1.0f / static_cast<float>(1 << l.subPixelInterpolationOffsetBits) : 0.0f);
  AT_LEAST(subPixelInterpolationOffsetBits, f.sampleRateShading ? 4u : 0u);
  AT_LEAST(maxClipDistances, f.shaderClipDistance ? 8u : 0u);
  AT_LEAST(maxCullDistances, f.shaderCullDistance ? 8u : 0u);
  AT_LEAST(maxCombinedClipAndCullDistances, f.shaderClipDistance || f.shaderCullDistance ? 8u : 0u);
  EXPECT_EQ(unmet, Names{});
}

TEST_F(Required, LimitsOfFramebuffers) {
  AT_LEAST(maxViewports, f.multiViewport ? 16u : 1u);
  AT_LEAST(maxViewportDimensions[0], std::max(4096u, l.maxFramebufferWidth));
  AT_LEAST(maxViewportDimensions[1], std::max(4096u, l.maxFramebufferHeight));
  const auto side = static_cast<float>(std::max(l.maxViewportDimensions[0], l.maxViewportDimensions[1]));
  AT_MOST(viewportBoundsRange[0], -2 * side);
  AT_LEAST(viewportBoundsRange[1], 2 * side - 1);
  AT_LEAST(maxFramebufferWidth, 4096u);
  AT_LEAST(maxFramebufferHeight, 4096u);
  AT_LEAST(maxFramebufferLayers, 256u);
  constexpr VkSampleCountFlags kFour = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT;
  HAS_BITS(framebufferColorSampleCounts, kFour);
  HAS_BITS(framebufferDepthSampleCounts, kFour);
  HAS_BITS(framebufferStencilSampleCounts, kFour);
  HAS_BITS(framebufferNoAttachmentsSampleCounts, kFour);
  HAS_BITS(sampledImageColorSampleCounts, kFour);
  HAS_BITS(sampledImageIntegerSampleCounts, VkSampleCountFlags{VK_SAMPLE_COUNT_1_BIT});
  HAS_BITS(sampledImageDepthSampleCounts, kFour);
  HAS_BITS(sampledImageStencilSampleCounts, kFour);
  HAS_BITS(storageImageSampleCounts,
           f.shaderStorageImageMultisample ? kFour : VkSampleCountFlags{VK_SAMPLE_COUNT_1_BIT});
  AT_LEAST(maxColorAttachments, 4u);
  AT_LEAST(maxSampleMaskWords, 1u);
  AT_MOST(pointSizeRange[0], 1.0f);
  AT_LEAST(pointSizeRange[1], f.largePoints ? 64.0f - l.pointSizeGranularity : 1.0f);
  AT_MOST(lineWidthRange[0], 1.0f);
  AT_LEAST(lineWidthRange[1], f.wideLines ? 8.0f - l.lineWidthGranularity : 1.0f);
  AT_MOST(pointSizeGranularity, f.largePoints ? 1.0f : 0.0f);
  AT_MOST(lineWidthGranularity, f.wideLines ? 1.0f : 0.0f);
  EXPECT_EQ(unmet, kMissingLimits);
}

// "Feature Requirements"
TEST_F(Required, Features) {
  EXPECT_TRUE(f.robustBufferAccess);
  VkPhysicalDeviceMultiviewFeatures multiview{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES};
  VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &multiview};
  vkGetPhysicalDeviceFeatures2(physical, &all);
  EXPECT_TRUE(multiview.multiview);
  EXPECT_EQ(kMissingCompressedFormats,
            !f.textureCompressionBC && !f.textureCompressionETC2 && !f.textureCompressionASTC_LDR);
}

TEST_F(Required, PropertiesOfVersion11) {
  VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
  VkPhysicalDeviceMaintenance3Properties maintenance{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, &id};
  VkPhysicalDeviceMultiviewProperties views{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES,
                                            &maintenance};
  VkPhysicalDevicePointClippingProperties points{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_POINT_CLIPPING_PROPERTIES,
                                                 &views};
  VkPhysicalDeviceProtectedMemoryProperties secret{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES, &points};
  VkPhysicalDeviceSubgroupProperties subgroup{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, &secret};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &subgroup};
  vkGetPhysicalDeviceProperties2(physical, &all);
  EXPECT_EQ(all.properties.apiVersion, VK_API_VERSION_1_3);
  EXPECT_TRUE(std::any_of(std::begin(id.deviceUUID), std::end(id.deviceUUID), [](uint8_t b) { return b; }));
  EXPECT_TRUE(std::any_of(std::begin(id.driverUUID), std::end(id.driverUUID), [](uint8_t b) { return b; }));
  EXPECT_FALSE(id.deviceLUIDValid);
  EXPECT_GE(maintenance.maxPerSetDescriptors, 1024u);
  EXPECT_GE(maintenance.maxMemoryAllocationSize, 1u << 30);
  EXPECT_GE(views.maxMultiviewViewCount, 6u);
  EXPECT_GE(views.maxMultiviewInstanceIndex, (1u << 27) - 1);
  EXPECT_LE(points.pointClippingBehavior, VK_POINT_CLIPPING_BEHAVIOR_USER_CLIP_PLANES_ONLY);
  EXPECT_FALSE(secret.protectedNoFault);
  EXPECT_GE(subgroup.subgroupSize, 1u);
  EXPECT_TRUE(subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT);
  EXPECT_TRUE(subgroup.supportedOperations & VK_SUBGROUP_FEATURE_BASIC_BIT);
}

// "Required Format Support"
constexpr VkFormatFeatureFlags kSampled =
                                   VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT |
                                   VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT,
                               kFiltered = kSampled | VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT,
                               kTarget =
                                   VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_BLIT_DST_BIT,
                               kBlended = kTarget | VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT,
                               kStorage = VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT,
                               kAtomic = kStorage | VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT,
                               kDepth = VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT,
                               kVertex = VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT,
                               kTexels = VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT,
                               kStorageTexels = kTexels | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT,
                               kAtomicTexels =
                                   kStorageTexels | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT;

struct FormatRow {
  VkFormat format;
  VkFormatFeatureFlags optimal, buffer;
};
constexpr FormatRow kRequiredFormats[] = {
    {VK_FORMAT_B4G4R4A4_UNORM_PACK16, kFiltered, 0},
    {VK_FORMAT_A4R4G4B4_UNORM_PACK16, kFiltered, 0},
    {VK_FORMAT_A4B4G4R4_UNORM_PACK16, kFiltered, 0},
    {VK_FORMAT_R5G6B5_UNORM_PACK16, kFiltered | kBlended, 0},
    {VK_FORMAT_A1R5G5B5_UNORM_PACK16, kFiltered | kBlended, 0},
    {VK_FORMAT_R8_UNORM, kFiltered | kBlended, kVertex | kTexels},
    {VK_FORMAT_R8_SNORM, kFiltered, kVertex | kTexels},
    {VK_FORMAT_R8_UINT, kSampled | kTarget, kVertex | kTexels},
    {VK_FORMAT_R8_SINT, kSampled | kTarget, kVertex | kTexels},
    {VK_FORMAT_R8G8_UNORM, kFiltered | kBlended, kVertex | kTexels},
    {VK_FORMAT_R8G8_SNORM, kFiltered, kVertex | kTexels},
    {VK_FORMAT_R8G8_UINT, kSampled | kTarget, kVertex | kTexels},
    {VK_FORMAT_R8G8_SINT, kSampled | kTarget, kVertex | kTexels},
    {VK_FORMAT_R8G8B8A8_UNORM, kFiltered | kBlended | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_R8G8B8A8_SNORM, kFiltered | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_R8G8B8A8_UINT, kSampled | kTarget | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_R8G8B8A8_SINT, kSampled | kTarget | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_R8G8B8A8_SRGB, kFiltered | kBlended, 0},
    {VK_FORMAT_B8G8R8A8_UNORM, kFiltered | kBlended, kVertex | kTexels},
    {VK_FORMAT_B8G8R8A8_SRGB, kFiltered | kBlended, 0},
    {VK_FORMAT_A8B8G8R8_UNORM_PACK32, kFiltered | kBlended, kVertex | kStorageTexels},
    {VK_FORMAT_A8B8G8R8_SNORM_PACK32, kFiltered, kVertex | kStorageTexels},
    {VK_FORMAT_A8B8G8R8_UINT_PACK32, kSampled | kTarget, kVertex | kStorageTexels},
    {VK_FORMAT_A8B8G8R8_SINT_PACK32, kSampled | kTarget, kVertex | kStorageTexels},
    {VK_FORMAT_A8B8G8R8_SRGB_PACK32, kFiltered | kBlended, 0},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, kFiltered | kBlended, kVertex | kTexels},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, kSampled | kTarget, kTexels},
    {VK_FORMAT_R16_UNORM, 0, kVertex},
    {VK_FORMAT_R16_SNORM, 0, kVertex},
    {VK_FORMAT_R16_UINT, kSampled | kTarget, kVertex | kTexels},
    {VK_FORMAT_R16_SINT, kSampled | kTarget, kVertex | kTexels},
    {VK_FORMAT_R16_SFLOAT, kFiltered | kBlended, kVertex | kTexels},
    {VK_FORMAT_R16G16_UNORM, 0, kVertex},
    {VK_FORMAT_R16G16_SNORM, 0, kVertex},
    {VK_FORMAT_R16G16_UINT, kSampled | kTarget, kVertex | kTexels},
    {VK_FORMAT_R16G16_SINT, kSampled | kTarget, kVertex | kTexels},
    {VK_FORMAT_R16G16_SFLOAT, kFiltered | kBlended, kVertex | kTexels},
    {VK_FORMAT_R16G16B16A16_UNORM, 0, kVertex},
    {VK_FORMAT_R16G16B16A16_SNORM, 0, kVertex},
    {VK_FORMAT_R16G16B16A16_UINT, kSampled | kTarget | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_R16G16B16A16_SINT, kSampled | kTarget | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_R16G16B16A16_SFLOAT, kFiltered | kBlended | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_R32_UINT, kSampled | kTarget | kAtomic, kVertex | kAtomicTexels},
    {VK_FORMAT_R32_SINT, kSampled | kTarget | kAtomic, kVertex | kAtomicTexels},
    {VK_FORMAT_R32_SFLOAT, kSampled | kTarget | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_R32G32_UINT, kSampled | kTarget | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_R32G32_SINT, kSampled | kTarget | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_R32G32_SFLOAT, kSampled | kTarget | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_R32G32B32_UINT, 0, kVertex},
    {VK_FORMAT_R32G32B32_SINT, 0, kVertex},
    {VK_FORMAT_R32G32B32_SFLOAT, 0, kVertex},
    {VK_FORMAT_R32G32B32A32_UINT, kSampled | kTarget | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_R32G32B32A32_SINT, kSampled | kTarget | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_R32G32B32A32_SFLOAT, kSampled | kTarget | kStorage, kVertex | kStorageTexels},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, kFiltered, kVertex | kTexels},  // kVertex: OpenGL 4.4
    {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, kFiltered, 0},
    {VK_FORMAT_D16_UNORM, kSampled | kDepth, 0},
    {VK_FORMAT_D32_SFLOAT, kSampled | kDepth, 0},
};

const std::map<VkFormatFeatureFlagBits, std::string> kFeatureNames = {
    {VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT, "storage image"},
    {VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT, "storage image atomic"},
    {VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT, "uniform texel buffer"},
    {VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT, "storage texel buffer"},
    {VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT, "storage texel buffer atomic"}};

TEST_F(Required, Formats) {
  Names missing;
  for (const FormatRow& row : kRequiredFormats) {
    VkFormatProperties have;
    vkGetPhysicalDeviceFormatProperties(physical, row.format, &have);
    const VkFormatFeatureFlags unmet_features =
        (row.optimal & ~have.optimalTilingFeatures) | (row.buffer & ~have.bufferFeatures);
    for (uint32_t bit = 0; bit < 32; bit++) {
      if (!(unmet_features >> bit & 1)) continue;
      const auto name = kFeatureNames.find(static_cast<VkFormatFeatureFlagBits>(1u << bit));
      missing.insert(name == kFeatureNames.end()
                         ? "feature bit " + std::to_string(bit) + " of format " + std::to_string(row.format)
                         : name->second);
    }
  }
  EXPECT_EQ(missing, kMissingFormatFeatures);
}

TEST_F(Required, DepthFormatsOfWhichOneMustBeThere) {
  const auto attaches = [&](VkFormat format) {
    VkFormatProperties have;
    vkGetPhysicalDeviceFormatProperties(physical, format, &have);
    return (have.optimalTilingFeatures & kDepth) != 0;
  };
  EXPECT_TRUE(attaches(VK_FORMAT_X8_D24_UNORM_PACK32) || attaches(VK_FORMAT_D32_SFLOAT));
  EXPECT_TRUE(attaches(VK_FORMAT_D24_UNORM_S8_UINT) || attaches(VK_FORMAT_D32_SFLOAT_S8_UINT));
}

}  // namespace
