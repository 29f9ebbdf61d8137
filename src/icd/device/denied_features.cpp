#include "icd/device/denied_features.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

#include "icd/device/feature_names.h"
#include "icd/device/physical_device.h"

namespace cutaway::icd {
namespace {

constexpr size_t kHead = sizeof(VkBaseOutStructure);

const FeatureNames* names_of(VkStructureType type) {
  const auto& all = feature_names();
  const auto found = std::ranges::find(all, type, &FeatureNames::type);
  return found == all.end() ? nullptr : &*found;
}

// wanted, has: arrays of VkBool32, one for each name.
void compare(const FeatureNames& names, const void* wanted, const void* has,
             std::vector<std::string>& denied) {
  for (size_t i = 0; i < names.members.size(); i++) {
    VkBool32 wants = VK_FALSE, there = VK_FALSE;
    std::memcpy(&wants, static_cast<const std::byte*>(wanted) + i * sizeof wants, sizeof wants);
    std::memcpy(&there, static_cast<const std::byte*>(has) + i * sizeof there, sizeof there);
    if (wants && !there) denied.push_back(fmt::format("{}::{}", names.structure, names.members[i]));
  }
}

void compare_core(const VkPhysicalDeviceFeatures& wanted, std::vector<std::string>& denied) {
  const VkPhysicalDeviceFeatures has = PhysicalDevice::features();
  compare(*names_of(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2), &wanted, &has, denied);
}

}  // namespace

std::vector<std::string> denied_features(const VkPhysicalDeviceFeatures* core, const void* chain) {
  std::vector<std::string> denied;
  if (core) compare_core(*core, denied);
  for (auto* s = static_cast<const VkBaseInStructure*>(chain); s; s = s->pNext) {
    const FeatureNames* const names = names_of(s->sType);
    if (!names) continue;
    const std::byte* const wanted = reinterpret_cast<const std::byte*>(s) + kHead;
    if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
      compare_core(reinterpret_cast<const VkPhysicalDeviceFeatures2*>(s)->features, denied);
      continue;
    }
    // One more word: structures end at a multiple of the size of a pointer.
    std::vector<std::byte> has(kHead + (names->members.size() + 1) * sizeof(VkBool32));
    const VkBaseOutStructure head{s->sType, nullptr};
    std::memcpy(has.data(), &head, sizeof head);
    PhysicalDevice::extend_features(has.data());
    compare(*names, wanted, has.data() + kHead, denied);
  }
  return denied;
}

}  // namespace cutaway::icd
