#include "icd/loader/extensions.h"

#include <algorithm>

#include "icd/device/offer.h"
#include "icd/loader/extension_list.h"

namespace cutaway::icd {

// The lists outlive every destructor of the process: programs call from exit handlers.
#define X(NAME, VERSION) VkExtensionProperties{#NAME, VERSION},

const std::vector<VkExtensionProperties>& instance_extensions() {
  static const auto& list = *new std::vector<VkExtensionProperties>{CUTAWAY_INSTANCE_EXTENSIONS(X)};
  return list;
}

// Chips without geometry programs have no layers that a program chooses.
const std::vector<VkExtensionProperties>& device_extensions() {
  static const auto& list = []() -> const std::vector<VkExtensionProperties>& {
    auto& all = *new std::vector<VkExtensionProperties>{CUTAWAY_DEVICE_EXTENSIONS(X)};
    const auto leave_out = [&](std::string_view name) {
      std::erase_if(all, [&](const VkExtensionProperties& e) { return e.extensionName == name; });
    };
    if (!offer().driver_properties()) leave_out(VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME);
    if (!offer().geometry) leave_out(VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME);
    return all;
  }();
  return list;
}

#undef X

bool lists(const std::vector<VkExtensionProperties>& extensions, std::string_view name) {
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const VkExtensionProperties& e) { return e.extensionName == name; });
}

}  // namespace cutaway::icd
