#pragma once

#include "icd/vulkan.h"

namespace cutaway::icd {

constexpr uint32_t kMaxVolumeDimension = 2048;  // maxImageDimension3D

// Samples per pixel that pipelines and attachments may have.
constexpr VkSampleCountFlags kSampleCounts =
    VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT | VK_SAMPLE_COUNT_8_BIT;

// What the machine does with each format, by rules over arch::format_info: the only place that decides it.
VkFormatProperties format_support(VkFormat format);

// "Supported Image Formats": false where the combination is not supported.
bool image_support(const VkPhysicalDeviceImageFormatInfo2& info, VkImageFormatProperties& properties);

}  // namespace cutaway::icd
