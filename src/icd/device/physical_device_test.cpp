#include "icd/device/physical_device.h"

#include <gtest/gtest.h>
#include <initializer_list>

namespace cutaway::icd {
namespace {

// "Feature Requirements": each member by itself, the last ones of structures without padding among them.
template <class Features>
void expect_denied(VkStructureType type, std::initializer_list<VkBool32 Features::*> missing) {
  Features have{};
  have.sType = type;
  PhysicalDevice::extend_features(&have);
  EXPECT_FALSE(PhysicalDevice::denies(&have)) << type;
  for (VkBool32 Features::*member : missing) {
    EXPECT_FALSE(have.*member) << type;
    Features wanted = have;
    wanted.*member = VK_TRUE;
    EXPECT_TRUE(PhysicalDevice::denies(&wanted)) << type;
  }
}

TEST(PhysicalDevice, DeniesEveryFeatureThatItDoesNotHave) {
  using Storage = VkPhysicalDevice16BitStorageFeatures;
  expect_denied<Storage>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES,
                         {&Storage::storageInputOutput16});
  using Multiview = VkPhysicalDeviceMultiviewFeatures;
  expect_denied<Multiview>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
                           {&Multiview::multiviewGeometryShader, &Multiview::multiviewTessellationShader});
  // Each feature of descriptor indexing is there, but not the number of descriptors that the whole asks for.
  using Features12 = VkPhysicalDeviceVulkan12Features;
  expect_denied<Features12>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                            {&Features12::descriptorIndexing});
  using Protected = VkPhysicalDeviceProtectedMemoryFeatures;
  expect_denied<Protected>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
                           {&Protected::protectedMemory});
}

}  // namespace
}  // namespace cutaway::icd
