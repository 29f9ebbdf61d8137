#include "icd/device/denied_features.h"

#include <cstring>
#include <gmock/gmock.h>
#include <set>

#include "icd/device/feature_names.h"
#include "icd/device/physical_device.h"

// "Feature Requirements": each feature that is asked for and not there is named, with its structure.
namespace cutaway::icd {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A structure of features, with all of them or one of them on.
struct Asked {
  explicit Asked(const FeatureNames& names)
      : words(sizeof(VkBaseOutStructure) / 4 + names.members.size() + 2) {
    const VkBaseOutStructure head{names.type, nullptr};
    std::memcpy(words.data(), &head, sizeof head);
  }
  VkBool32& member(size_t i) { return words[sizeof(VkBaseOutStructure) / 4 + i]; }

  std::vector<VkBool32> words;
};

// The features that the driver says it has are those that it does not deny, in every structure of the
// registry.
TEST(DeniedFeatures, AreThoseThatTheDriverDoesNotHave) {
  size_t structures = 0, denied = 0;
  for (const FeatureNames& names : feature_names()) {
    Asked has(names);
    if (names.type == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
      const VkPhysicalDeviceFeatures core = PhysicalDevice::features();
      std::memcpy(&has.member(0), &core, sizeof core);
    } else {
      PhysicalDevice::extend_features(has.words.data());
    }
    EXPECT_THAT(denied_features(nullptr, has.words.data()), IsEmpty()) << names.structure;
    for (size_t i = 0; i < names.members.size(); i++) {
      Asked one(names);
      one.member(i) = VK_TRUE;
      const std::vector<std::string> found = denied_features(nullptr, one.words.data());
      if (has.member(i)) EXPECT_THAT(found, IsEmpty()) << names.structure << "::" << names.members[i];
      else EXPECT_THAT(found, ElementsAre(std::string(names.structure) + "::" + names.members[i]));
      denied += found.size();
    }
    structures++;
  }
  EXPECT_GT(structures, 140u);
  EXPECT_GT(denied, 180u);
}

TEST(DeniedFeatures, AllAreNamedInTheOrderOfTheChain) {
  VkPhysicalDeviceMeshShaderFeaturesEXT mesh{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT};
  mesh.meshShader = VK_TRUE;
  VkPhysicalDeviceVulkan11Features of_1_1{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &mesh};
  of_1_1.multiview = of_1_1.protectedMemory = of_1_1.samplerYcbcrConversion = VK_TRUE;
  VkPhysicalDeviceFeatures2 of_1_0{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &of_1_1};
  of_1_0.features.depthClamp = of_1_0.features.shaderStorageImageMultisample = VK_TRUE;
  VkPhysicalDeviceFeatures plain{};
  plain.shaderResourceResidency = VK_TRUE;
  EXPECT_THAT(denied_features(&plain, &of_1_0),
              ElementsAre("VkPhysicalDeviceFeatures::shaderResourceResidency",
                          "VkPhysicalDeviceFeatures::shaderStorageImageMultisample",
                          "VkPhysicalDeviceVulkan11Features::protectedMemory",
                          "VkPhysicalDeviceVulkan11Features::samplerYcbcrConversion",
                          "VkPhysicalDeviceMeshShaderFeaturesEXT::meshShader"));
}

// Some structures end with padding: their last feature counts.
TEST(DeniedFeatures, TheTableHasTheStructuresOfTheHeader) {
  std::set<VkStructureType> types;
  for (const FeatureNames& names : feature_names())
    EXPECT_TRUE(types.insert(names.type).second) << names.structure;
  EXPECT_EQ(feature_names()[0].members.size() * sizeof(VkBool32), sizeof(VkPhysicalDeviceFeatures));
}

}  // namespace
}  // namespace cutaway::icd
