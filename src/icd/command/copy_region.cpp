#include "icd/command/copy_region.h"

#include <algorithm>

#include "icd/api_error.h"

namespace cutaway::icd {
namespace {

using arch::Surface;
using arch::SurfaceType;

constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

uint32_t divide_up(uint32_t value, uint32_t by) { return (value + by - 1) / by; }

// The format in which a buffer holds one aspect (Vulkan "Copying Data Between Buffers and Images": depth of
// D24 formats in the low bits of 32, stencil in bytes).
uint32_t buffer_format(uint32_t format, VkImageAspectFlags aspect) {
  if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT) return static_cast<uint32_t>(arch::Format::S8_UINT);
  if (aspect != VK_IMAGE_ASPECT_DEPTH_BIT) return format;
  switch (static_cast<arch::Format>(format)) {
    case arch::Format::D16_UNORM_S8_UINT:
      return static_cast<uint32_t>(arch::Format::D16_UNORM);
    case arch::Format::D24_UNORM_S8_UINT:
      return static_cast<uint32_t>(arch::Format::X8_D24_UNORM_PACK32);
    case arch::Format::D32_SFLOAT_S8_UINT:
      return static_cast<uint32_t>(arch::Format::D32_SFLOAT);
    default:
      return format;
  }
}

uint32_t layer_count(const Surface& image, const VkImageSubresourceLayers& layers) {
  if (layers.layerCount == VK_REMAINING_ARRAY_LAYERS) return image.layers - layers.baseArrayLayer;
  return layers.layerCount;
}

// The level and layers that a copy names.
Surface subresource(const Surface& image, const VkImageSubresourceLayers& layers) {
  Surface surface = image;
  surface.base_level = layers.mipLevel;
  surface.level_count = 1;
  surface.base_layer = layers.baseArrayLayer;
  surface.layer_count = layer_count(image, layers);
  return surface;
}

struct Position {
  uint32_t x, y, z;  // elements
};

Position position(const Surface& image, const VkOffset3D& offset) {
  const arch::FormatInfo& format = arch::format_info(image.format);
  return {static_cast<uint32_t>(offset.x) / format.block_width,
          static_cast<uint32_t>(offset.y) / format.block_height,
          image.surface_type() == SurfaceType::k3D ? static_cast<uint32_t>(offset.z) : 0};
}

}  // namespace

arch::CopyAspect copy_aspect(VkImageAspectFlags aspect, uint32_t format) {
  const arch::FormatInfo& info = arch::format_info(format);
  if (!info.has_depth() || !info.has_stencil() || (aspect & kDepthStencil) == kDepthStencil)
    return arch::CopyAspect::kAll;
  if (aspect & VK_IMAGE_ASPECT_DEPTH_BIT) return arch::CopyAspect::kDepth;
  return aspect & VK_IMAGE_ASPECT_STENCIL_BIT ? arch::CopyAspect::kStencil : arch::CopyAspect::kAll;
}

arch::CopySurfacePacket copy_buffer_image(const Surface& image, arch::Address buffer,
                                          const VkBufferImageCopy& region, CopyDirection direction) {
  const arch::FormatInfo& format = arch::format_info(image.format);
  const bool volume = image.surface_type() == SurfaceType::k3D;
  const uint32_t layers = layer_count(image, region.imageSubresource);
  // "bufferRowLength and bufferImageHeight [...] If either of these values is zero, that aspect of the buffer
  // memory is considered to be tightly packed according to the imageExtent."
  const uint32_t row_texels = region.bufferRowLength ? region.bufferRowLength : region.imageExtent.width;
  const uint32_t slice_texels =
      region.bufferImageHeight ? region.bufferImageHeight : region.imageExtent.height;

  Surface memory{};
  memory.address = buffer + region.bufferOffset;
  memory.format = buffer_format(image.format, region.imageSubresource.aspectMask);
  memory.type = Surface::make_type(volume ? SurfaceType::k3D : SurfaceType::k2D, arch::Tiling::kLinear);
  memory.width = row_texels;
  memory.height = slice_texels;
  memory.depth = volume ? region.imageExtent.depth : 1;
  memory.levels = memory.level_count = 1;
  memory.layers = memory.layer_count = volume ? 1 : layers;
  memory.swizzle = arch::kSwizzleIdentity;
  memory.row_pitch = divide_up(row_texels, format.block_width) * arch::format_info(memory.format).bytes;
  memory.slice_pitch = memory.row_pitch * divide_up(slice_texels, format.block_height);

  arch::CopySurfacePacket packet{};
  const Surface texels = subresource(image, region.imageSubresource);
  const Position at = position(image, region.imageOffset);
  if (direction == CopyDirection::kBufferToImage) {
    packet.source = memory;
    packet.destination = texels;
    packet.destination_x = at.x, packet.destination_y = at.y, packet.destination_z = at.z;
  } else {
    packet.source = texels;
    packet.destination = memory;
    packet.source_x = at.x, packet.source_y = at.y, packet.source_z = at.z;
  }
  packet.width = divide_up(region.imageExtent.width, format.block_width);
  packet.height = divide_up(region.imageExtent.height, format.block_height);
  packet.depth = volume ? region.imageExtent.depth : layers;
  packet.aspect = static_cast<uint32_t>(copy_aspect(region.imageSubresource.aspectMask, image.format));
  return packet;
}

arch::CopySurfacePacket copy_image(const Surface& source, const Surface& destination,
                                   const VkImageCopy& region) {
  const arch::FormatInfo& format = arch::format_info(source.format);
  if (format.bytes != arch::format_info(destination.format).bytes)
    invalid_usage("a copy from {} to {}, whose elements differ in size,", format.name,
                  arch::format_info(destination.format).name);
  arch::CopySurfacePacket packet{};
  packet.source = subresource(source, region.srcSubresource);
  packet.destination = subresource(destination, region.dstSubresource);
  const Position from = position(source, region.srcOffset), to = position(destination, region.dstOffset);
  packet.source_x = from.x, packet.source_y = from.y, packet.source_z = from.z;
  packet.destination_x = to.x, packet.destination_y = to.y, packet.destination_z = to.z;
  packet.width = divide_up(region.extent.width, format.block_width);
  packet.height = divide_up(region.extent.height, format.block_height);
  // Slices of a 3D image may become layers of a 2D image and back (maintenance1).
  packet.depth = std::max(region.extent.depth, source.surface_type() == SurfaceType::k3D
                                                   ? layer_count(destination, region.dstSubresource)
                                                   : layer_count(source, region.srcSubresource));
  packet.aspect = static_cast<uint32_t>(copy_aspect(region.srcSubresource.aspectMask, source.format));
  return packet;
}

bool blit_is_copy(const Surface& source, const Surface& destination, const VkImageBlit& region,
                  VkImageCopy& copy) {
  if (source.format != destination.format) return false;
  const VkOffset3D& s0 = region.srcOffsets[0];
  const VkOffset3D& s1 = region.srcOffsets[1];
  const VkOffset3D& d0 = region.dstOffsets[0];
  const VkOffset3D& d1 = region.dstOffsets[1];
  const VkOffset3D size{s1.x - s0.x, s1.y - s0.y, s1.z - s0.z};
  if (size.x <= 0 || size.y <= 0 || size.z <= 0) return false;
  if (d1.x - d0.x != size.x || d1.y - d0.y != size.y || d1.z - d0.z != size.z) return false;
  copy.srcSubresource = region.srcSubresource;
  copy.srcOffset = s0;
  copy.dstSubresource = region.dstSubresource;
  copy.dstOffset = d0;
  copy.extent = {static_cast<uint32_t>(size.x), static_cast<uint32_t>(size.y), static_cast<uint32_t>(size.z)};
  return true;
}

}  // namespace cutaway::icd
