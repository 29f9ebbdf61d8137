#include "icd/command/copy_region.h"

#include <gtest/gtest.h>

#include "icd/api_error.h"

namespace cutaway::icd {
namespace {

using arch::Format;
using arch::Surface;
using arch::SurfaceType;
using arch::Tiling;

Surface image(Format format, SurfaceType type, uint32_t width, uint32_t height, uint32_t depth,
              uint32_t layers) {
  Surface surface{};
  surface.address = 0x10000;
  surface.format = static_cast<uint32_t>(format);
  surface.type = Surface::make_type(type, Tiling::kTiled);
  surface.width = width, surface.height = height, surface.depth = depth;
  surface.levels = surface.level_count = 4;
  surface.layers = surface.layer_count = layers;
  return surface;
}

TEST(CopyRegion, TightBufferRows) {
  const VkBufferImageCopy region{64, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 1, 2, 3}, {4, 5, 0}, {10, 6, 1}};
  const auto packet = copy_buffer_image(image(Format::R8G8B8A8_UNORM, SurfaceType::k2D, 64, 64, 1, 8), 0x5000,
                                        region, CopyDirection::kBufferToImage);
  EXPECT_EQ(packet.source.address, 0x5040u);
  EXPECT_EQ(packet.source.row_pitch, 40u);
  EXPECT_EQ(packet.source.slice_pitch, 240u);
  EXPECT_EQ(packet.source.tiling(), Tiling::kLinear);
  EXPECT_EQ(arch::layer_pitch(packet.source), 240u);
  EXPECT_EQ(packet.destination.base_level, 1u);
  EXPECT_EQ(packet.destination.base_layer, 2u);
  EXPECT_EQ(packet.destination_x, 4u);
  EXPECT_EQ(packet.destination_y, 5u);
  EXPECT_EQ(packet.width, 10u);
  EXPECT_EQ(packet.height, 6u);
  EXPECT_EQ(packet.depth, 3u);
}

TEST(CopyRegion, BlocksOfCompressedFormats) {
  const VkBufferImageCopy region{0, 32, 16, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {8, 4, 0}, {6, 5, 1}};
  const auto packet = copy_buffer_image(image(Format::BC1_RGBA_UNORM_BLOCK, SurfaceType::k2D, 64, 64, 1, 1),
                                        0, region, CopyDirection::kImageToBuffer);
  EXPECT_EQ(packet.destination.row_pitch, 8u * 8);
  EXPECT_EQ(packet.destination.slice_pitch, 8u * 8 * 4);
  EXPECT_EQ(packet.source_x, 2u);
  EXPECT_EQ(packet.source_y, 1u);
  EXPECT_EQ(packet.width, 2u);
  EXPECT_EQ(packet.height, 2u);
}

TEST(CopyRegion, SlicesOfVolumes) {
  const VkBufferImageCopy region{0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 3}, {8, 8, 5}};
  const auto packet = copy_buffer_image(image(Format::R8_UNORM, SurfaceType::k3D, 8, 8, 16, 1), 0, region,
                                        CopyDirection::kBufferToImage);
  EXPECT_EQ(packet.destination_z, 3u);
  EXPECT_EQ(packet.depth, 5u);
  EXPECT_EQ(packet.source.surface_type(), SurfaceType::k3D);
}

TEST(CopyRegion, AspectsOfDepthStencil) {
  VkBufferImageCopy region{0, 0, 0, {VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0, 1}, {0, 0, 0}, {8, 8, 1}};
  const Surface depth = image(Format::D24_UNORM_S8_UINT, SurfaceType::k2D, 8, 8, 1, 1);
  auto packet = copy_buffer_image(depth, 0, region, CopyDirection::kImageToBuffer);
  EXPECT_EQ(packet.aspect, static_cast<uint32_t>(arch::CopyAspect::kStencil));
  EXPECT_EQ(packet.destination.format, static_cast<uint32_t>(Format::S8_UINT));
  EXPECT_EQ(packet.destination.row_pitch, 8u);
  region.imageSubresource.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  packet = copy_buffer_image(depth, 0, region, CopyDirection::kImageToBuffer);
  EXPECT_EQ(packet.aspect, static_cast<uint32_t>(arch::CopyAspect::kDepth));
  EXPECT_EQ(packet.destination.format, static_cast<uint32_t>(Format::X8_D24_UNORM_PACK32));
  EXPECT_EQ(packet.destination.row_pitch, 32u);
}

TEST(CopyRegion, LayersBecomeSlices) {
  const VkImageCopy region{{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 4},
                           {0, 0, 0},
                           {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                           {0, 0, 2},
                           {8, 8, 1}};
  const auto packet = copy_image(image(Format::R8_UNORM, SurfaceType::k2D, 8, 8, 1, 8),
                                 image(Format::R8_UNORM, SurfaceType::k3D, 8, 8, 8, 1), region);
  EXPECT_EQ(packet.depth, 4u);
  EXPECT_EQ(packet.source.base_layer, 1u);
  EXPECT_EQ(packet.source_z, 0u);
  EXPECT_EQ(packet.destination_z, 2u);
}

TEST(CopyRegion, ElementsOfDifferentSizesAreInvalidUsage) {
  const VkImageSubresourceLayers layers{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  const VkImageCopy region{layers, {}, layers, {}, {8, 8, 1}};
  try {
    copy_image(image(Format::R8_UNORM, SurfaceType::k2D, 8, 8, 1, 1),
               image(Format::R8G8_UNORM, SurfaceType::k2D, 8, 8, 1, 1), region);
    FAIL();
  } catch (const ApiError& error) {
    EXPECT_EQ(error.result, VK_ERROR_UNKNOWN);
    EXPECT_NE(error.text.find("R8_UNORM to R8G8_UNORM"), std::string::npos) << error.text;
  }
}

TEST(CopyRegion, BlitsThatAreCopies) {
  const Surface a = image(Format::B8G8R8A8_UNORM, SurfaceType::k2D, 64, 64, 1, 1);
  const Surface b = image(Format::R8G8B8A8_UNORM, SurfaceType::k2D, 64, 64, 1, 1);
  const VkImageSubresourceLayers layers{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  VkImageBlit region{layers, {{0, 0, 0}, {64, 32, 1}}, layers, {{0, 8, 0}, {64, 40, 1}}};
  VkImageCopy copy{};
  EXPECT_TRUE(blit_is_copy(a, a, region, copy));
  EXPECT_EQ(copy.dstOffset.y, 8);
  EXPECT_EQ(copy.extent.height, 32u);
  EXPECT_FALSE(blit_is_copy(a, b, region, copy));
  region.dstOffsets[1].x = 63;
  EXPECT_FALSE(blit_is_copy(a, a, region, copy));
  region.dstOffsets[0].x = 64, region.dstOffsets[1].x = 0;
  EXPECT_FALSE(blit_is_copy(a, a, region, copy));
}

}  // namespace
}  // namespace cutaway::icd
