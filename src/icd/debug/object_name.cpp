#include "icd/debug/label.h"
#include "icd/resource/image.h"

// Names of objects. Those of images are kept, for what is drawn to and read from is told by them.
namespace cutaway::icd {

VkResult SetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info) {
  if (info->objectType != VK_OBJECT_TYPE_IMAGE) return VK_SUCCESS;
  return guard([&] {
    // "VkDebugUtilsObjectNameInfoEXT": nullptr takes the name away.
    object(reinterpret_cast<VkImage>(info->objectHandle))
        ->set_name(*object(device), bounded_text(info->pObjectName));
  });
}

// No tag has a meaning here.
VkResult SetDebugUtilsObjectTagEXT(VkDevice, const VkDebugUtilsObjectTagInfoEXT*) { return VK_SUCCESS; }

}  // namespace cutaway::icd
