#include "icd/resource/format_support.h"

#include <gtest/gtest.h>

#include "arch/image_sizes.h"
#include "arch/surface.h"
#include "func/format/texel.h"
#include "icd/device/limits.h"
#include "icd/resource/image.h"

namespace cutaway::icd {
namespace {

// The units support every feature that the driver advertises.
TEST(FormatSupport, AdvertisesNothingThatTheUnitsCannotDo) {
  for (uint32_t number = 0; number < arch::kFormats; number++) {
    const arch::FormatInfo& info = arch::format_info(number);
    SCOPED_TRACE(info.name);
    const VkFormatProperties support = format_support(vulkan_format(number));
    const VkFormatFeatureFlags image = support.optimalTilingFeatures | support.linearTilingFeatures;
    const auto implies = [&](VkFormatFeatureFlags feature, bool can) {
      EXPECT_TRUE(can || !(image & feature)) << "feature " << feature;
    };
    implies(VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT, func::can_sample(info));
    implies(VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT, func::can_filter(info));
    implies(VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT, func::can_render(info));
    implies(VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT, func::can_blend(info));
    implies(VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT, func::can_depth_stencil(info));
    if (support.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT) { EXPECT_TRUE(func::can_vertex(info)); }
    if (support.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT) {
      EXPECT_TRUE(func::can_texel_buffer(info));
    }
  }
}

// Vulkan 1.0, "Required Format Support": the rows that OpenGL 2.1 and native programs need.
TEST(FormatSupport, HasTheRequiredColorAndDepthFormats) {
  constexpr VkFormatFeatureFlags kTexture = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT |
                                            VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT |
                                            VK_FORMAT_FEATURE_BLIT_SRC_BIT;
  constexpr VkFormatFeatureFlags kTarget =
      VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
  for (const VkFormat format :
       {VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB,
        VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_A2B10G10R10_UNORM_PACK32,
        VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R5G6B5_UNORM_PACK16, VK_FORMAT_A1R5G5B5_UNORM_PACK16})
    EXPECT_EQ(format_support(format).optimalTilingFeatures & (kTexture | kTarget), kTexture | kTarget)
        << format;
  for (const VkFormat format : {VK_FORMAT_D16_UNORM, VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D32_SFLOAT,
                                VK_FORMAT_D24_UNORM_S8_UINT})
    EXPECT_TRUE(format_support(format).optimalTilingFeatures &
                VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT);
}

// Removes exactly the features of formats that a chip's units do not support.
TEST(FormatSupport, LeavesOutWhatAChipDoesNotTake) {
  constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
  constexpr VkFormatFeatureFlags kMoved =
      VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
  constexpr VkFormatFeatureFlags kRead = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT;
  constexpr VkFormatFeatureFlags kDrawn =
      VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_BLIT_DST_BIT;
  constexpr VkFormatFeatureFlags kBlend = VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT,
                                 kFilter = VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  arch::FormatUses chip;
  chip.blend = {};
  const VkFormatFeatureFlags all = format_support(kFormat).optimalTilingFeatures;
  EXPECT_EQ(format_support(kFormat, chip).optimalTilingFeatures, all & ~kBlend);
  chip.filter = {};
  EXPECT_EQ(format_support(kFormat, chip).optimalTilingFeatures, all & ~(kBlend | kFilter));
  arch::FormatUses no_targets, no_textures;
  no_targets.target = {}, no_textures.fragment_texture = {};
  EXPECT_EQ(format_support(kFormat, no_targets).optimalTilingFeatures, kMoved | kRead | kFilter);
  EXPECT_EQ(format_support(kFormat, no_textures).optimalTilingFeatures, kMoved | kDrawn | kBlend);
  no_targets.fragment_texture = {};
  const VkFormatProperties vertex = format_support(kFormat, no_targets);
  EXPECT_EQ(vertex.optimalTilingFeatures | vertex.linearTilingFeatures, 0u);
  EXPECT_EQ(vertex.bufferFeatures, VkFormatFeatureFlags{VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT});
}

VkPhysicalDeviceImageFormatInfo2 texture_2d() {
  VkPhysicalDeviceImageFormatInfo2 info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2};
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.type = VK_IMAGE_TYPE_2D;
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  return info;
}

TEST(ImageSupport, TakesMipmappedTwoDimensionalTextures) {
  VkImageFormatProperties properties;
  ASSERT_TRUE(image_support(texture_2d(), properties));
  EXPECT_EQ(properties.maxExtent.width, arch::kMaxDimension);
  EXPECT_EQ(properties.maxMipLevels, 15u);
  EXPECT_EQ(properties.sampleCounts, VkSampleCountFlags{VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_2_BIT |
                                                        VK_SAMPLE_COUNT_4_BIT | VK_SAMPLE_COUNT_8_BIT});
}

TEST(ImageSupport, TakesOneDimensionalTextures) {
  auto line = texture_2d();
  line.type = VK_IMAGE_TYPE_1D;
  VkImageFormatProperties properties;
  ASSERT_TRUE(image_support(line, properties));
  EXPECT_EQ(properties.maxExtent.width, arch::kMaxDimension);
  EXPECT_EQ(properties.maxExtent.height, 1u);
  EXPECT_EQ(properties.maxArrayLayers, 256u);
}

TEST(ImageSupport, RefusesWhatTheMachineDoesNotHave) {
  VkImageFormatProperties properties;
  auto volume = texture_2d();
  volume.type = VK_IMAGE_TYPE_3D;
  EXPECT_TRUE(image_support(volume, properties));
  EXPECT_EQ(properties.maxExtent.depth, arch::kMaxVolumeDimension);
  EXPECT_EQ(properties.maxArrayLayers, 1u);
  volume.tiling = VK_IMAGE_TILING_LINEAR;
  EXPECT_FALSE(image_support(volume, properties));
  auto deep = texture_2d();
  deep.format = VK_FORMAT_D16_UNORM, deep.type = VK_IMAGE_TYPE_3D, deep.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  EXPECT_FALSE(image_support(deep, properties));
  auto cube = texture_2d();
  cube.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  EXPECT_TRUE(image_support(cube, properties));
  cube.tiling = VK_IMAGE_TILING_LINEAR;  // one layer
  EXPECT_FALSE(image_support(cube, properties));
  auto storage = texture_2d();
  storage.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  EXPECT_TRUE(image_support(storage, properties));
  storage.format = VK_FORMAT_R8G8B8A8_SRGB;
  EXPECT_FALSE(image_support(storage, properties));
  auto compressed = texture_2d();
  compressed.format = VK_FORMAT_BC1_RGB_UNORM_BLOCK;
  compressed.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  EXPECT_TRUE(image_support(compressed, properties));
  compressed.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  EXPECT_FALSE(image_support(compressed, properties));
}

// "VK_IMAGE_CREATE_EXTENDED_USAGE_BIT": a usage that a view of another format supports.
TEST(ImageSupport, AViewsFormatMayExtendTheUsage) {
  VkImageFormatProperties properties;
  auto info = texture_2d();
  info.format = VK_FORMAT_R8G8B8A8_SRGB;
  info.usage = VK_IMAGE_USAGE_STORAGE_BIT;
  info.flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
  EXPECT_FALSE(image_support(info, properties));
  info.flags = VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;  // no view has another format
  EXPECT_FALSE(image_support(info, properties));
  info.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
  EXPECT_TRUE(image_support(info, properties));
  EXPECT_EQ(properties.sampleCounts, VkSampleCountFlags{VK_SAMPLE_COUNT_1_BIT});

  // "VkImageFormatListCreateInfo": views have only these formats.
  VkFormat formats[2] = {VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32};
  const VkImageFormatListCreateInfo list{VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO, nullptr, 2,
                                         formats};
  info.pNext = &list;
  EXPECT_FALSE(image_support(info, properties));
  formats[1] = VK_FORMAT_R8G8B8A8_UNORM;
  EXPECT_TRUE(image_support(info, properties));

  auto shared = texture_2d();
  shared.format = VK_FORMAT_E5B9G9R9_UFLOAT_PACK32;
  shared.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  EXPECT_FALSE(image_support(shared, properties));
  shared.flags = VK_IMAGE_CREATE_EXTENDED_USAGE_BIT | VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
  EXPECT_TRUE(image_support(shared, properties));
  // No format of four bytes is of the class of depth, and none of the class of blocks is drawn to.
  shared.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  EXPECT_FALSE(image_support(shared, properties));
  shared.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  shared.format = VK_FORMAT_BC7_UNORM_BLOCK;
  EXPECT_FALSE(image_support(shared, properties));
}

}  // namespace
}  // namespace cutaway::icd
