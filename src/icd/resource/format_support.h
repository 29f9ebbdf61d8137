#pragma once

#include "arch/format_uses.h"
#include "icd/vulkan.h"

namespace cutaway::icd {

// The uses of each format that the machine supports, by rules over arch::format_info, limited to the chip's
// units: the only place that decides it. Vulkan does not distinguish textures of vertex programs from those
// of fragment programs: the formats of the latter are offered.
VkFormatProperties format_support(VkFormat format, const arch::FormatUses& chip);
// For the chip that the driver offers.
VkFormatProperties format_support(VkFormat format);
// The same with the bits that need 64 bits; keeps the structure's header.
void format_support(VkFormat format, VkFormatProperties3& properties);

// "Supported Image Formats": returns false if the combination is unsupported.
bool image_support(const VkPhysicalDeviceImageFormatInfo2& info, VkImageFormatProperties& properties);

}  // namespace cutaway::icd
