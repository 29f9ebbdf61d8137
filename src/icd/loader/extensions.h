#pragma once

#include <string_view>
#include <vector>

#include "icd/vulkan.h"

namespace cutaway::icd {

// The extensions of extension_list.h, in Vulkan's structures.
const std::vector<VkExtensionProperties>& instance_extensions();
const std::vector<VkExtensionProperties>& device_extensions();
bool lists(const std::vector<VkExtensionProperties>& extensions, std::string_view name);

}  // namespace cutaway::icd
