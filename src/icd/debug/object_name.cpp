#include "icd/debug/label.h"
#include "icd/resource/image.h"

// Names of objects. Only names of images are kept, because they identify the surfaces that draws write and
// read.
namespace cutaway::icd {

VkResult SetDebugUtilsObjectNameEXT(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info) {
  if (info->objectType != VK_OBJECT_TYPE_IMAGE) return VK_SUCCESS;
  return guard([&] {
    // "VkDebugUtilsObjectNameInfoEXT": nullptr removes the name.
    object(reinterpret_cast<VkImage>(info->objectHandle))
        ->set_name(*object(device), bounded_text(info->pObjectName));
  });
}

VkResult DebugMarkerSetObjectNameEXT(VkDevice device, const VkDebugMarkerObjectNameInfoEXT* info) {
  if (info->objectType != VK_DEBUG_REPORT_OBJECT_TYPE_IMAGE_EXT) return VK_SUCCESS;
  return guard([&] {
    object(reinterpret_cast<VkImage>(info->object))
        ->set_name(*object(device), bounded_text(info->pObjectName));
  });
}

// Tags have no effect.
VkResult SetDebugUtilsObjectTagEXT(VkDevice, const VkDebugUtilsObjectTagInfoEXT*) { return VK_SUCCESS; }
VkResult DebugMarkerSetObjectTagEXT(VkDevice, const VkDebugMarkerObjectTagInfoEXT*) { return VK_SUCCESS; }

}  // namespace cutaway::icd
