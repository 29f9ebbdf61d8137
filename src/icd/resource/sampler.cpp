#include "icd/resource/sampler.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "icd/device/limits.h"

namespace cutaway::icd {
namespace {

// "VkBorderColor": the bits of a border texel.
void set_border(VkBorderColor color, arch::Sampler& sampler) {
  const bool integer = color == VK_BORDER_COLOR_INT_TRANSPARENT_BLACK ||
                       color == VK_BORDER_COLOR_INT_OPAQUE_BLACK || color == VK_BORDER_COLOR_INT_OPAQUE_WHITE;
  const bool white = color == VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE || color == VK_BORDER_COLOR_INT_OPAQUE_WHITE;
  const bool opaque =
      white || color == VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK || color == VK_BORDER_COLOR_INT_OPAQUE_BLACK;
  const uint32_t one = integer ? 1 : std::bit_cast<uint32_t>(1.0f);
  for (int i = 0; i < 3; i++) sampler.border[i] = white ? one : 0;
  sampler.border[3] = opaque ? one : 0;
}

}  // namespace

Sampler::Sampler(const VkSamplerCreateInfo& info) {
  // Enumerations of the contract have Vulkan's numbers (arch/state.h).
  descriptor_.mag_filter = static_cast<uint32_t>(info.magFilter);
  descriptor_.min_filter = static_cast<uint32_t>(info.minFilter);
  descriptor_.mip_mode = static_cast<uint32_t>(info.mipmapMode);
  descriptor_.wrap_u = static_cast<uint32_t>(info.addressModeU);
  descriptor_.wrap_v = static_cast<uint32_t>(info.addressModeV);
  descriptor_.wrap_w = static_cast<uint32_t>(info.addressModeW);
  descriptor_.compare = info.compareEnable ? static_cast<uint32_t>(info.compareOp) + 1 : 0;
  descriptor_.max_anisotropy =
      info.anisotropyEnable
          ? static_cast<uint32_t>(std::clamp(info.maxAnisotropy, 1.0f, static_cast<float>(kMaxAnisotropy)))
          : 1;
  descriptor_.lod_bias = info.mipLodBias;
  descriptor_.min_lod = info.minLod;
  descriptor_.max_lod = info.maxLod;
  if (info.unnormalizedCoordinates) descriptor_.flags |= arch::Sampler::kUnnormalized;
  if (info.flags & VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT)
    descriptor_.flags |= arch::Sampler::kSeparateFaces;
  if (info.magFilter > VK_FILTER_LINEAR || info.minFilter > VK_FILTER_LINEAR)
    unsupported("a sampler with filters {} and {}", static_cast<int>(info.magFilter),
                static_cast<int>(info.minFilter));
  set_border(info.borderColor, descriptor_);
  // "VkSamplerCustomBorderColorCreateInfoEXT": the color's bits, floats or integers, are those of the border
  // texel.
  if (const auto* custom = find_struct<VkSamplerCustomBorderColorCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
      custom && info.borderColor >= VK_BORDER_COLOR_FLOAT_CUSTOM_EXT)
    std::copy(std::begin(custom->customBorderColor.uint32), std::end(custom->customBorderColor.uint32),
              descriptor_.border);
}

VkResult CreateSampler(VkDevice, const VkSamplerCreateInfo* info, const VkAllocationCallbacks*,
                       VkSampler* sampler) {
  return create(sampler, *info);
}

void DestroySampler(VkDevice, VkSampler sampler, const VkAllocationCallbacks*) { destroy(sampler); }

// "Sampler Y'CBCR Conversion": the feature is not supported, so creating one is invalid.
VkResult CreateSamplerYcbcrConversion(VkDevice, const VkSamplerYcbcrConversionCreateInfo*,
                                      const VkAllocationCallbacks*, VkSamplerYcbcrConversion* conversion) {
  *conversion = VK_NULL_HANDLE;
  return guard([] { unsupported("sampler Y'CBCR conversion"); });
}
void DestroySamplerYcbcrConversion(VkDevice, VkSamplerYcbcrConversion, const VkAllocationCallbacks*) {}

}  // namespace cutaway::icd
