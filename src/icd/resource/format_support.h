#pragma once

#include "arch/format_uses.h"
#include "icd/vulkan.h"

namespace cutaway::icd {

// What the machine does with each format, by rules over arch::format_info, as far as a chip's units take it:
// the only place that decides it. Vulkan does not tell textures of vertex programs from those of fragment
// programs: what the latter read is offered.
VkFormatProperties format_support(VkFormat format, const arch::FormatUses& chip);
// Of the chip that the driver offers.
VkFormatProperties format_support(VkFormat format);
// The same with the bits that only 64 bits have room for; its head stays.
void format_support(VkFormat format, VkFormatProperties3& properties);

// "Supported Image Formats": false where the combination is not supported.
bool image_support(const VkPhysicalDeviceImageFormatInfo2& info, VkImageFormatProperties& properties);

}  // namespace cutaway::icd
