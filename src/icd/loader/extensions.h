#pragma once

#include <string_view>
#include <vector>

#include "icd/vulkan.h"

namespace cutaway::icd {

// What extension_list.h names, as Vulkan hands it out.
const std::vector<VkExtensionProperties>& instance_extensions();
const std::vector<VkExtensionProperties>& device_extensions();
bool lists(const std::vector<VkExtensionProperties>& extensions, std::string_view name);

}  // namespace cutaway::icd
