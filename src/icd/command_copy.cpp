#include <algorithm>

#include "icd/buffer.h"
#include "icd/command_buffer.h"
#include "icd/copy_region.h"
#include "icd/image.h"

// Copies, fills and blits.
namespace cutaway::icd {
namespace {

void copy_surface(CommandBuffer& buffer, const arch::CopySurfacePacket& packet) {
  if (!packet.width || !packet.height || !packet.depth) return;
  buffer.stream().writer().packet(arch::Opcode::kCopySurface, packet);
  buffer.stream().caches().copy();
}

void copy_bytes(CommandBuffer& buffer, arch::Address source, arch::Address destination, uint64_t bytes) {
  if (!bytes) return;
  buffer.stream().writer().packet(arch::Opcode::kCopyBuffer,
                                  arch::CopyBufferPacket{source, destination, bytes});
  buffer.stream().caches().copy();
}

// One direction of an axis of a blit that keeps its size: destination pixel p takes texel p × step + offset.
bool axis(int32_t s0, int32_t s1, int32_t d0, int32_t d1, int32_t& step, int32_t& offset) {
  if (std::abs(s1 - s0) != std::abs(d1 - d0)) return false;
  step = (s1 > s0) == (d1 > d0) ? 1 : -1;
  // Pixel min(d0, d1) takes the first texel of the source in the destination's direction.
  const int32_t first_pixel = std::min(d0, d1);
  const int32_t first_texel = step > 0 ? std::min(s0, s1) : std::max(s0, s1) - 1;
  offset = first_texel - step * first_pixel;
  return true;
}

// "Image Copies With Scaling": the pixel with center p takes the source at (p - d0) × scale + s0, with
// scale = (s1 - s0) / (d1 - d0).
void scaled_axis(int32_t s0, int32_t s1, int32_t d0, int32_t d1, float& scale, float& offset) {
  const double ratio = static_cast<double>(s1 - s0) / (d1 - d0);
  scale = static_cast<float>(ratio);
  offset = static_cast<float>(s0 - d0 * ratio);
}

// One layer of one level of an image.
arch::Surface layer_surface(const Image& image, const VkImageSubresourceLayers& range, uint32_t layer) {
  arch::Surface surface = image.surface();
  surface.base_level = range.mipLevel;
  surface.base_layer = range.baseArrayLayer + layer;
  surface.level_count = surface.layer_count = 1;
  return surface;
}

// A blit that scales, mirrors or converts: draws of the driver's own.
void blit_by_draw(CommandBuffer& buffer, const Image& source, const Image& destination,
                  const VkImageBlit& region, VkFilter filter) {
  const VkOffset3D& s0 = region.srcOffsets[0];
  const VkOffset3D& s1 = region.srcOffsets[1];
  const VkOffset3D& d0 = region.dstOffsets[0];
  const VkOffset3D& d1 = region.dstOffsets[1];
  if (source.type() == VK_IMAGE_TYPE_3D || destination.type() == VK_IMAGE_TYPE_3D)
    unsupported("vkCmdBlitImage of a 3D image with scaling or conversion");
  if (!(region.srcSubresource.aspectMask & VK_IMAGE_ASPECT_COLOR_BIT))
    unsupported("vkCmdBlitImage of depth or stencil with scaling or mirroring");
  if (d0.x == d1.x || d0.y == d1.y) return;
  TexelMove move;
  TexelScale scale;
  const bool same_size = axis(s0.x, s1.x, d0.x, d1.x, move.step[0], move.offset[0]) &&
                         axis(s0.y, s1.y, d0.y, d1.y, move.step[1], move.offset[1]);
  scaled_axis(s0.x, s1.x, d0.x, d1.x, scale.scale[0], scale.offset[0]);
  scaled_axis(s0.y, s1.y, d0.y, d1.y, scale.scale[1], scale.offset[1]);
  scale.filter = filter == VK_FILTER_LINEAR ? arch::Filter::kLinear : arch::Filter::kNearest;
  move.area = {{std::min(d0.x, d1.x), std::min(d0.y, d1.y)},
               {static_cast<uint32_t>(std::abs(d1.x - d0.x)), static_cast<uint32_t>(std::abs(d1.y - d0.y))}};
  scale.area = move.area;
  for (uint32_t layer = 0; layer < destination.layer_count(region.dstSubresource); layer++) {
    move.source = layer_surface(source, region.srcSubresource, layer);
    move.source.type = arch::Surface::make_type(arch::SurfaceType::k2D, move.source.tiling());
    move.destination = layer_surface(destination, region.dstSubresource, layer);
    scale.source = move.source, scale.destination = move.destination;
    if (same_size) buffer.move(move);
    else buffer.scale(scale);
  }
}

}  // namespace

void CmdCopyBuffer(VkCommandBuffer commands, VkBuffer source, VkBuffer destination, uint32_t count,
                   const VkBufferCopy* regions) {
  for (uint32_t i = 0; i < count; i++)
    copy_bytes(*object(commands), object(source)->address() + regions[i].srcOffset,
               object(destination)->address() + regions[i].dstOffset, regions[i].size);
}

void CmdUpdateBuffer(VkCommandBuffer commands, VkBuffer destination, VkDeviceSize offset, VkDeviceSize bytes,
                     const void* data) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    copy_bytes(buffer, buffer.stream().uploads().put(data, bytes), object(destination)->address() + offset,
               bytes);
  });
}

void CmdFillBuffer(VkCommandBuffer commands, VkBuffer destination, VkDeviceSize offset, VkDeviceSize bytes,
                   uint32_t value) {
  CommandBuffer& buffer = *object(commands);
  // "If VK_WHOLE_SIZE is used and the remaining size of the buffer is not a multiple of 4, then the nearest
  // smaller multiple is used."
  const uint64_t length = object(destination)->range(offset, bytes) & ~uint64_t{3};
  if (!length) return;
  buffer.stream().writer().packet(
      arch::Opcode::kFillBuffer,
      arch::FillBufferPacket{object(destination)->address() + offset, length, value});
  buffer.stream().caches().copy();
}

void CmdCopyImage(VkCommandBuffer commands, VkImage source, VkImageLayout, VkImage destination, VkImageLayout,
                  uint32_t count, const VkImageCopy* regions) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    for (uint32_t i = 0; i < count; i++)
      copy_surface(buffer, copy_image(object(source)->surface(), object(destination)->surface(), regions[i]));
  });
}

void CmdCopyBufferToImage(VkCommandBuffer commands, VkBuffer source, VkImage destination, VkImageLayout,
                          uint32_t count, const VkBufferImageCopy* regions) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    for (uint32_t i = 0; i < count; i++)
      copy_surface(buffer, copy_buffer_image(object(destination)->surface(), object(source)->address(),
                                             regions[i], CopyDirection::kBufferToImage));
  });
}

void CmdCopyImageToBuffer(VkCommandBuffer commands, VkImage source, VkImageLayout, VkBuffer destination,
                          uint32_t count, const VkBufferImageCopy* regions) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    for (uint32_t i = 0; i < count; i++)
      copy_surface(buffer, copy_buffer_image(object(source)->surface(), object(destination)->address(),
                                             regions[i], CopyDirection::kImageToBuffer));
  });
}

void CmdBlitImage(VkCommandBuffer commands, VkImage source, VkImageLayout, VkImage destination, VkImageLayout,
                  uint32_t count, const VkImageBlit* regions, VkFilter filter) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    for (uint32_t i = 0; i < count; i++) {
      VkImageCopy copy{};
      const arch::Surface from = object(source)->surface(), to = object(destination)->surface();
      if (blit_is_copy(from, to, regions[i], copy)) copy_surface(buffer, copy_image(from, to, copy));
      else blit_by_draw(buffer, *object(source), *object(destination), regions[i], filter);
    }
  });
}

}  // namespace cutaway::icd
