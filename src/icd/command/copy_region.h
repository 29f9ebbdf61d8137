#pragma once

#include "arch/packet.h"
#include "icd/vulkan.h"

// Translation of Vulkan's copy regions to packets of the copy engine. Pure functions of values.
namespace cutaway::icd {

// One aspect of an image's subresource layers as a surface for copies; aspect must be one that the format
// has, or several when `whole` copies are meant (COPY_SURFACE with CopyAspect::kAll).
arch::CopyAspect copy_aspect(VkImageAspectFlags aspect, uint32_t format);

// Between a buffer and an image (vkCmdCopyBufferToImage and back). `image` describes the whole image.
enum class CopyDirection { kBufferToImage, kImageToBuffer };
arch::CopySurfacePacket copy_buffer_image(const arch::Surface& image, arch::Address buffer,
                                          const VkBufferImageCopy& region, CopyDirection direction);

// Between images (vkCmdCopyImage), one packet an aspect. ApiError: their elements differ in size.
arch::CopySurfacePacket copy_image(const arch::Surface& source, const arch::Surface& destination,
                                   const VkImageCopy& region);

// True for a blit that moves texels one to one without conversion or mirroring, so that the copy engine can
// do it; `copy` is then that copy.
bool blit_is_copy(const arch::Surface& source, const arch::Surface& destination, const VkImageBlit& region,
                  VkImageCopy& copy);

}  // namespace cutaway::icd
