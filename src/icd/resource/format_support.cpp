#include "icd/resource/format_support.h"

#include <algorithm>
#include <bit>

#include "arch/format.h"
#include "icd/device/limits.h"
#include "icd/device/offer.h"
#include "icd/resource/image.h"
#include "icd/resource/sparse_binding.h"

namespace cutaway::icd {
namespace {

using arch::FormatInfo;
using arch::NumericKind;

bool scaled(const FormatInfo& info) {
  return info.kind == NumericKind::kUscaled || info.kind == NumericKind::kSscaled;
}

bool at_most_32_bits_a_channel(const FormatInfo& info) {
  return std::all_of(info.channel.begin(), info.channel.end(), [](const auto& c) { return c.bits <= 32; });
}

// Uncompressed colors whose texel size is a power of two.
bool plain_color(const FormatInfo& info) {
  return info.is_color() && !info.compressed && at_most_32_bits_a_channel(info) &&
         std::has_single_bit(info.bytes);
}

bool depth_or_stencil(const FormatInfo& info) { return info.has_depth() || info.has_stencil(); }

bool sampled(const FormatInfo& info) {
  return (plain_color(info) && !scaled(info)) || info.compressed || depth_or_stencil(info);
}

// "Three components of 32 bits" are the only texels whose size is not a power of two.
bool texel_buffer(const FormatInfo& info) {
  return info.is_color() && !info.compressed && at_most_32_bits_a_channel(info) && !scaled(info) &&
         info.kind != NumericKind::kSrgb && (std::has_single_bit(info.bytes) || info.bytes == 12);
}

bool filtered(const FormatInfo& info) { return sampled(info) && !info.is_integer(); }

bool color_target(const FormatInfo& info) {
  return plain_color(info) && !scaled(info) && !info.shared_exponent_bits;
}

bool vertex(const FormatInfo& info) {
  return info.is_color() && !info.compressed && at_most_32_bits_a_channel(info) &&
         !info.shared_exponent_bits && info.kind != NumericKind::kSrgb;
}

bool storage(const FormatInfo& info) { return color_target(info) && info.kind != NumericKind::kSrgb; }

bool atomic(VkFormat format) { return format == VK_FORMAT_R32_UINT || format == VK_FORMAT_R32_SINT; }

// Optional formats that the GPU supports but the driver hides: Zink would use them for OpenGL's
// LUMINANCE4_ALPHA4, whose components are in the opposite order, and for SLUMINANCE8_ALPHA8, whose alpha is
// linear.
bool left_out(VkFormat format) {
  return format == VK_FORMAT_R4G4_UNORM_PACK8 || format == VK_FORMAT_R8G8_SRGB;
}

}  // namespace

VkFormatProperties format_support(VkFormat vulkan, const arch::FormatUses& chip) {
  const auto format = static_cast<arch::Format>(arch_format(vulkan));
  const FormatInfo& info = arch::format_info(format);
  VkFormatProperties result{};
  if (info.bytes == 0 || left_out(vulkan)) return result;

  if (vertex(info)) result.bufferFeatures |= VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT;
  const bool read = chip.fragment_texture.has(format), drawn = chip.target.has(format);
  if (!read && !drawn) return result;
  VkFormatFeatureFlags image = 0;
  if (sampled(info)) image |= VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
  if (sampled(info) && read) image |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_BLIT_SRC_BIT;
  if (filtered(info) && read && chip.filter.has(format))
    image |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  const bool deep = depth_or_stencil(info);
  result.linearTilingFeatures = deep || info.compressed ? 0 : image;
  result.optimalTilingFeatures = image;
  if (color_target(info) && drawn)
    result.optimalTilingFeatures |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_BLIT_DST_BIT;
  if (color_target(info) && drawn && !info.is_integer() && chip.blend.has(format))
    result.optimalTilingFeatures |= VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
  if (deep && drawn)
    result.optimalTilingFeatures |=
        VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_FORMAT_FEATURE_BLIT_DST_BIT;
  if (texel_buffer(info) && read) result.bufferFeatures |= VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
  // Programs can read and write storage images.
  if (storage(info) && read && drawn) {
    result.optimalTilingFeatures |= VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
    result.bufferFeatures |= VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT;
  }
  if (atomic(vulkan) && read && drawn) {
    result.optimalTilingFeatures |= VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT;
    result.bufferFeatures |= VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT;
  }
  return result;
}

VkFormatProperties format_support(VkFormat format) { return format_support(format, offer().formats); }

void format_support(VkFormat format, VkFormatProperties3& properties) {
  const VkFormatProperties narrow = format_support(format);
  const auto widen = [&](VkFormatFeatureFlags features) {
    VkFormatFeatureFlags2 wide = features;
    // shaderStorageImageReadWithoutFormat, shaderStorageImageWriteWithoutFormat
    if (features & (VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT))
      wide |= VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT |
              VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
    const bool deep = arch::format_info(arch_format(format)).has_depth();
    if ((features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) && deep)
      wide |= VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT;
    return wide;
  };
  properties.linearTilingFeatures = widen(narrow.linearTilingFeatures);
  properties.optimalTilingFeatures = widen(narrow.optimalTilingFeatures);
  properties.bufferFeatures = widen(narrow.bufferFeatures);
}

namespace {

VkFormatFeatureFlags tiling_features(VkFormat format, bool linear) {
  const VkFormatProperties support = format_support(format);
  return linear ? support.linearTilingFeatures : support.optimalTilingFeatures;
}

// "Compatibility of Formats": uncompressed colors with equal texel size.
bool compatible(VkFormat a, VkFormat b) {
  const FormatInfo &first = arch::format_info(arch_format(a)), &second = arch::format_info(arch_format(b));
  const auto plain = [](const FormatInfo& info) { return info.is_color() && !info.compressed; };
  return a == b || (plain(first) && plain(second) && first.bytes == second.bytes);
}

// The features of the image's possible views. "VK_IMAGE_CREATE_EXTENDED_USAGE_BIT specifies that the image
// can be created with usage flags that are not supported for the format the image is created with but are
// supported for at least one format a VkImageView created from the image can have."
VkFormatFeatureFlags view_features(const VkPhysicalDeviceImageFormatInfo2& info, bool linear) {
  VkFormatFeatureFlags features = tiling_features(info.format, linear);
  constexpr VkImageCreateFlags kExtended =
      VK_IMAGE_CREATE_EXTENDED_USAGE_BIT | VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
  if ((info.flags & kExtended) != kExtended) return features;
  const auto* list =
      find_struct<VkImageFormatListCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO);
  if (list && list->viewFormatCount) {
    for (uint32_t i = 0; i < list->viewFormatCount; i++)
      features |= tiling_features(list->pViewFormats[i], linear);
    return features;
  }
  for (uint32_t number = 1; number < arch::kFormats; number++)
    if (compatible(info.format, vulkan_format(number)))
      features |= tiling_features(vulkan_format(number), linear);
  return features;
}

}  // namespace

bool image_support(const VkPhysicalDeviceImageFormatInfo2& info, VkImageFormatProperties& properties) {
  properties = {};
  const bool linear = info.tiling == VK_IMAGE_TILING_LINEAR;
  if (info.tiling > VK_IMAGE_TILING_LINEAR || tiling_features(info.format, linear) == 0) return false;
  const VkFormatFeatureFlags features = view_features(info, linear);
  const bool volume = info.type == VK_IMAGE_TYPE_3D;
  if (info.type > VK_IMAGE_TYPE_3D) return false;
  if (volume && (linear || (features & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT))) return false;
  constexpr VkImageCreateFlags kSlices =
      VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT | VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
  if ((info.flags & kSlices) && !volume) return false;
  if ((info.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) && (linear || info.type != VK_IMAGE_TYPE_2D))
    return false;
  constexpr VkImageCreateFlags kFlags =
      VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT | VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | kSlices |
      VK_IMAGE_CREATE_EXTENDED_USAGE_BIT | VK_IMAGE_CREATE_ALIAS_BIT | VK_IMAGE_CREATE_SPARSE_BINDING_BIT |
      VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
  if ((info.flags & ~kFlags) || !can_be_sparse(info)) return false;

  VkImageUsageFlags usage = 0;
  if (features & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  if (features & VK_FORMAT_FEATURE_TRANSFER_SRC_BIT) usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  if (features & VK_FORMAT_FEATURE_TRANSFER_DST_BIT) usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  if (features & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT) usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  constexpr VkImageUsageFlags kAttachment =
      VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT;
  if (features & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT)
    usage |= VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | kAttachment;
  if (features & VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)
    usage |= VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | kAttachment;
  // Checks only bits of version 1.0: Zink sets ATTACHMENT_FEEDBACK_LOOP_BIT_EXT without the extension.
  constexpr VkImageUsageFlags kCoreUsage = 0xff;
  VkImageUsageFlags asked = info.usage;
  if (const auto* stencil = find_struct<VkImageStencilUsageCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO))
    asked |= stencil->stencilUsage;
  if (asked & kCoreUsage & ~usage) return false;

  const arch::ImageSizes& sizes = offer().images;
  const uint32_t size = volume                                             ? sizes.volume_size
                        : info.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT ? sizes.cube_size
                                                                           : sizes.size;
  properties.maxExtent = {size, info.type == VK_IMAGE_TYPE_1D ? 1 : size, volume ? size : 1};
  properties.maxMipLevels = linear ? 1 : std::bit_width(properties.maxExtent.width);
  properties.maxArrayLayers = linear || volume ? 1 : kMaxArrayLayers;
  // "Supported Sample Counts": for 2D attachments with optimal tiling.
  constexpr VkFormatFeatureFlags kTargets =
      VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT;
  const bool multisampled =
      (features & kTargets) && !linear && !(info.flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) &&
      info.type == VK_IMAGE_TYPE_2D && !(info.flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) &&
      !(asked & VK_IMAGE_USAGE_STORAGE_BIT);
  properties.sampleCounts = VK_SAMPLE_COUNT_1_BIT;
  if (multisampled) properties.sampleCounts |= kSampleCounts;
  properties.maxResourceSize =
      info.flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT ? kMaxSparseBytes : kMaxResourceBytes;
  return true;
}

}  // namespace cutaway::icd
