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
  static const auto& list = *[] {
    auto* offered = new std::vector<VkExtensionProperties>{CUTAWAY_DEVICE_EXTENSIONS(X)};
    if (!offer().geometry)
      std::erase_if(*offered, [](const VkExtensionProperties& e) {
        return std::string_view(e.extensionName) == VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME;
      });
    return offered;
  }();
  return list;
}

#undef X

bool lists(const std::vector<VkExtensionProperties>& extensions, std::string_view name) {
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const VkExtensionProperties& e) { return e.extensionName == name; });
}

}  // namespace cutaway::icd
