#include "icd/object.h"

// Names of objects.
namespace cutaway::icd {

VkResult SetDebugUtilsObjectNameEXT(VkDevice, const VkDebugUtilsObjectNameInfoEXT*) { return VK_SUCCESS; }

// No tag has a meaning here.
VkResult SetDebugUtilsObjectTagEXT(VkDevice, const VkDebugUtilsObjectTagInfoEXT*) { return VK_SUCCESS; }

}  // namespace cutaway::icd
