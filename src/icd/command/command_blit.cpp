#include <algorithm>
#include <bit>
#include <cstdlib>

#include "icd/command/command_buffer.h"
#include "icd/command/copy_region.h"
#include "icd/resource/image.h"

// Blits: copies where texels stay what they are, else draws of the driver's own.
namespace cutaway::icd {
namespace {

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

// One layer of one level of an image, as a 2D surface; of a 3D image all of
// the level as a source, a slice as a destination.
arch::Surface source_surface(const Image& image, const VkImageSubresourceLayers& range, uint32_t layer) {
  arch::Surface surface = image.surface();
  surface.base_level = range.mipLevel;
  surface.level_count = surface.layer_count = 1;
  if (image.type() == VK_IMAGE_TYPE_3D) return surface;
  surface.base_layer = range.baseArrayLayer + layer;
  surface.type = arch::Surface::make_type(arch::SurfaceType::k2D, surface.tiling(),
                                          static_cast<uint32_t>(std::countr_zero(surface.samples())));
  return surface;
}

arch::Surface destination_surface(const Image& image, const VkImageSubresourceLayers& range, uint32_t slice) {
  arch::Surface surface = image.surface();
  surface.base_level = range.mipLevel;
  surface.base_layer = image.type() == VK_IMAGE_TYPE_3D ? slice : range.baseArrayLayer + slice;
  surface.level_count = surface.layer_count = 1;
  return surface;
}

// The blit of one layer, or of one slice where the destination is 3D.
struct Slice {
  uint32_t source, destination;
  float w;  // of a 3D source
};

void blit_slice(CommandBuffer& buffer, const Image& source, const Image& destination,
                const VkImageBlit& region, arch::Filter filter, const Slice& slice) {
  const VkOffset3D& s0 = region.srcOffsets[0];
  const VkOffset3D& s1 = region.srcOffsets[1];
  const VkOffset3D& d0 = region.dstOffsets[0];
  const VkOffset3D& d1 = region.dstOffsets[1];
  TexelScale scale;
  scale.source = source_surface(source, region.srcSubresource, slice.source);
  scale.destination = destination_surface(destination, region.dstSubresource, slice.destination);
  scale.area = {{std::min(d0.x, d1.x), std::min(d0.y, d1.y)},
                {static_cast<uint32_t>(std::abs(d1.x - d0.x)), static_cast<uint32_t>(std::abs(d1.y - d0.y))}};
  scale.filter = filter;
  scale.slice = slice.w;
  scaled_axis(s0.x, s1.x, d0.x, d1.x, scale.scale[0], scale.offset[0]);
  scaled_axis(s0.y, s1.y, d0.y, d1.y, scale.scale[1], scale.offset[1]);
  const VkImageAspectFlags aspects = region.srcSubresource.aspectMask;
  if (aspects & VK_IMAGE_ASPECT_COLOR_BIT) {
    TexelMove move{scale.source, scale.destination, scale.area, {}, {}};
    const bool same_size = axis(s0.x, s1.x, d0.x, d1.x, move.step[0], move.offset[0]) &&
                           axis(s0.y, s1.y, d0.y, d1.y, move.step[1], move.offset[1]);
    if (same_size && source.type() != VK_IMAGE_TYPE_3D) buffer.driver_draws().move(move);
    else buffer.driver_draws().scale(scale);
  }
  if (aspects & VK_IMAGE_ASPECT_DEPTH_BIT) {
    scale.aspect = TexelScale::Aspect::kDepth;
    buffer.driver_draws().scale(scale);
  }
  if (aspects & VK_IMAGE_ASPECT_STENCIL_BIT) {
    scale.aspect = TexelScale::Aspect::kStencil;
    scale.source.type |= arch::Surface::kReadsStencil;
    buffer.driver_draws().scale(scale);
  }
}

// A blit that scales, mirrors or converts.
void blit_by_draw(CommandBuffer& buffer, const Image& source, const Image& destination,
                  const VkImageBlit& region, arch::Filter filter) {
  const VkOffset3D& s0 = region.srcOffsets[0];
  const VkOffset3D& s1 = region.srcOffsets[1];
  const VkOffset3D& d0 = region.dstOffsets[0];
  const VkOffset3D& d1 = region.dstOffsets[1];
  if (d0.x == d1.x || d0.y == d1.y || d0.z == d1.z) return;
  if (source.type() != VK_IMAGE_TYPE_3D && destination.type() != VK_IMAGE_TYPE_3D) {
    for (uint32_t layer = 0; layer < destination.layer_count(region.dstSubresource); layer++)
      blit_slice(buffer, source, destination, region, filter, {layer, layer, 0});
    return;
  }
  // "If the source or the destination is a 3D image": one slice after the other, a layer counting as one.
  float scale, offset;
  scaled_axis(s0.z, s1.z, d0.z, d1.z, scale, offset);
  const int32_t first = std::min(d0.z, d1.z);
  for (int32_t z = first; z < std::max(d0.z, d1.z); z++) {
    const float w = (static_cast<float>(z) + 0.5f) * scale + offset;
    blit_slice(buffer, source, destination, region, filter, {0, static_cast<uint32_t>(z), w});
  }
}

}  // namespace

void CmdBlitImage(VkCommandBuffer commands, VkImage source, VkImageLayout, VkImage destination, VkImageLayout,
                  uint32_t count, const VkImageBlit* regions, VkFilter filter) {
  CommandBuffer& buffer = *object(commands);
  const arch::Filter chosen = filter == VK_FILTER_LINEAR ? arch::Filter::kLinear : arch::Filter::kNearest;
  buffer.record([&] {
    for (uint32_t i = 0; i < count; i++) {
      VkImageCopy copy{};
      const arch::Surface from = object(source)->surface(), to = object(destination)->surface();
      if (blit_is_copy(from, to, regions[i], copy)) buffer.copy(copy_image(from, to, copy));
      else blit_by_draw(buffer, *object(source), *object(destination), regions[i], chosen);
    }
  });
}

void CmdResolveImage(VkCommandBuffer commands, VkImage source, VkImageLayout, VkImage destination,
                     VkImageLayout, uint32_t count, const VkImageResolve* regions) {
  CommandBuffer& buffer = *object(commands);
  buffer.record([&] {
    const Image &from = *object(source), &to = *object(destination);
    for (uint32_t i = 0; i < count; i++) {
      const VkImageResolve& region = regions[i];
      for (uint32_t layer = 0; layer < from.layer_count(region.srcSubresource); layer++) {
        TexelMove move;
        move.source = source_surface(from, region.srcSubresource, layer);
        move.destination =
            destination_surface(to, region.dstSubresource, static_cast<uint32_t>(region.dstOffset.z) + layer);
        move.area = {{region.dstOffset.x, region.dstOffset.y}, {region.extent.width, region.extent.height}};
        move.offset[0] = region.srcOffset.x - region.dstOffset.x;
        move.offset[1] = region.srcOffset.y - region.dstOffset.y;
        buffer.driver_draws().resolve(move, DrawOrigin::kTransfer);
      }
    }
  });
}

}  // namespace cutaway::icd
