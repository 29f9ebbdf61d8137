#pragma once

#include "icd/vulkan.h"

namespace cutaway::icd {

// What the machine does with each format, by rules over arch::format_info: the only place that decides it.
VkFormatProperties format_support(VkFormat format);
// The same with the bits that only 64 bits have room for; its head stays.
void format_support(VkFormat format, VkFormatProperties3& properties);

// "Supported Image Formats": false where the combination is not supported.
bool image_support(const VkPhysicalDeviceImageFormatInfo2& info, VkImageFormatProperties& properties);

}  // namespace cutaway::icd
