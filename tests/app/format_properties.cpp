// Prints the driver's format features, one line each: the name, then those of texture, filter, color, depth
// and blend that it offers for images with optimal tiling.
#include <cstdio>
#include <cstdlib>
#include <vulkan/vulkan.h>

#include "arch/format_list.h"

namespace {

struct Format {
  VkFormat format;
  const char* name;
};
constexpr Format kFormats[] = {
#define X(name, number) {VK_FORMAT_##name, #name},
    CUTAWAY_FORMATS(X)
#undef X
};

struct Feature {
  VkFormatFeatureFlags bit;
  const char* name;
};
constexpr Feature kFeatures[] = {{VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT, "texture"},
                                 {VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT, "filter"},
                                 {VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT, "color"},
                                 {VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT, "depth"},
                                 {VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT, "blend"}};

}  // namespace

int main() {
  const VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  uint32_t count = 1;
  if (vkCreateInstance(&info, nullptr, &instance) != VK_SUCCESS ||
      vkEnumeratePhysicalDevices(instance, &count, &physical) < 0 || count == 0)
    return EXIT_FAILURE;
  for (const Format& format : kFormats) {
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(physical, format.format, &properties);
    std::printf("%s", format.name);
    for (const Feature& feature : kFeatures)
      if (properties.optimalTilingFeatures & feature.bit) std::printf(" %s", feature.name);
    std::printf("\n");
  }
  vkDestroyInstance(instance, nullptr);
}
