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
                         {&Storage::storageBuffer16BitAccess, &Storage::uniformAndStorageBuffer16BitAccess,
                          &Storage::storagePushConstant16, &Storage::storageInputOutput16});
  using Multiview = VkPhysicalDeviceMultiviewFeatures;
  expect_denied<Multiview>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
                           {&Multiview::multiviewGeometryShader, &Multiview::multiviewTessellationShader});
  using Pointers = VkPhysicalDeviceVariablePointersFeatures;
  expect_denied<Pointers>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES,
                          {&Pointers::variablePointersStorageBuffer, &Pointers::variablePointers});
  using Protected = VkPhysicalDeviceProtectedMemoryFeatures;
  expect_denied<Protected>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES,
                           {&Protected::protectedMemory});
  using Feedback = VkPhysicalDeviceTransformFeedbackFeaturesEXT;
  expect_denied<Feedback>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
                          {&Feedback::geometryStreams});
  using Generated = VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT;
  expect_denied<Generated>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT,
                           {&Generated::primitivesGeneratedQueryWithNonZeroStreams});
  using Dynamic2 = VkPhysicalDeviceExtendedDynamicState2FeaturesEXT;
  expect_denied<Dynamic2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
                          {&Dynamic2::extendedDynamicState2PatchControlPoints});
}

}  // namespace
}  // namespace cutaway::icd
