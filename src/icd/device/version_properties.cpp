#include "icd/device/version_properties.h"

#include "icd/device/fill_structure.h"
#include "icd/device/limits.h"

namespace cutaway::icd {

size_t fill_version_properties(VkBaseOutStructure* s) {
  switch (s->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES:
      return fill<VkPhysicalDeviceVulkan11Properties>(s, [](auto& p) { gather(p); });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES:
      return fill<VkPhysicalDeviceVulkan12Properties>(s, [](auto& p) {
        gather(p);
        p.framebufferIntegerColorSampleCounts = kSampleCounts;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES:
      return fill<VkPhysicalDeviceVulkan13Properties>(s, [](auto& p) {
        gather(p);
        p.maxInlineUniformTotalSize = kMaxBoundDescriptorSets * kMaxInlineBlocks * kMaxInlineBlockBytes;
      });
    default:
      return 0;
  }
}

}  // namespace cutaway::icd
