#include <array>
#include <cstring>

#include "icd/testing/loader_fixture.h"

// Structures of promoted features and properties are generated from vk.xml; here they are held to literal
// values.
namespace {

using cutaway::icd::testing::Loader;

struct Promoted : Loader {
  void SetUp() override {
    version = VK_API_VERSION_1_3;
    Loader::SetUp();
  }
};

struct Expected {
  VkStructureType type;
  const char* features;  // in the order of the structure's members
};

constexpr Expected kExpected[] = {
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES, "1110"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES, "111"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES, "11"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES, "0"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES, "0"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, "111011111001"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES, "111"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES, "00"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, "11"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES, "11111111111111111111"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES, "111"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_UNIFORM_BUFFER_STANDARD_LAYOUT_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, "110"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
     "11111001101111111111111111111101111111110111111"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TERMINATE_INVOCATION_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES, "11"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES, "11"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXTURE_COMPRESSION_ASTC_HDR_FEATURES, "0"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES, "1"},
    {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, "111111111101111"},
};

// A structure of features is its head and nothing but VkBool32.
struct Features {
  VkStructureType type;
  void* next;
  std::array<VkBool32, 60> values;
};

TEST_F(Promoted, FeaturesAreThoseOfTheirVersion) {
  constexpr VkBool32 kUntouched = 0xabababab;
  for (const Expected& expected : kExpected) {
    Features structure{.type = expected.type, .next = nullptr, .values = {}};
    structure.values.fill(kUntouched);
    VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &structure};
    vkGetPhysicalDeviceFeatures2(physical, &all);
    const size_t count = std::strlen(expected.features);
    std::string found;
    for (size_t i = 0; i < count; i++)
      found += structure.values[i] == VK_TRUE ? '1' : structure.values[i] == VK_FALSE ? '0' : '?';
    EXPECT_EQ(found, expected.features) << "structure " << expected.type;
    const size_t end = (count + 1) / 2 * 2;  // of the structure, which a pointer aligns
    EXPECT_EQ(structure.values[end], kUntouched) << "structure " << expected.type << " is longer";
    EXPECT_EQ(structure.next, nullptr);
  }
}

TEST_F(Promoted, ADeviceWithAFeatureThatIsOffIsRefused) {
  for (const Expected& expected : kExpected) {
    const std::string_view values = expected.features;
    const size_t off = values.find('0');
    if (off == values.npos) continue;
    Features wanted{.type = expected.type, .next = nullptr, .values = {}};
    // Some features need others of the same structure.
    for (size_t i = 0; i < values.size(); i++) wanted.values[i] = values[i] == '1' || i == off;
    const float priority = 1;
    const VkDeviceQueueCreateInfo wanted_queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                               .pNext = nullptr,
                                               .flags = 0,
                                               .queueFamilyIndex = 0,
                                               .queueCount = 1,
                                               .pQueuePriorities = &priority};
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &wanted, info.queueCreateInfoCount = 1, info.pQueueCreateInfos = &wanted_queue;
    VkDevice made = VK_NULL_HANDLE;
    EXPECT_EQ(vkCreateDevice(physical, &info, nullptr, &made), VK_ERROR_FEATURE_NOT_PRESENT)
        << "structure " << expected.type;
  }
}

// The version's structures say what those that it gathers say.
TEST_F(Promoted, PropertiesAreGathered) {
  VkPhysicalDeviceSubgroupProperties subgroup{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
  VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, &subgroup};
  VkPhysicalDeviceDescriptorIndexingProperties indexing{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES, &driver};
  VkPhysicalDeviceSamplerFilterMinmaxProperties minmax{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_FILTER_MINMAX_PROPERTIES, &indexing};
  minmax.filterMinmaxImageComponentMapping = VK_TRUE;
  VkPhysicalDeviceInlineUniformBlockProperties blocks{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_PROPERTIES, &minmax};
  VkPhysicalDeviceVulkan11Properties p1{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, &blocks};
  VkPhysicalDeviceVulkan12Properties p2{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, &p1};
  VkPhysicalDeviceVulkan13Properties p3{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, &p2};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &p3};
  vkGetPhysicalDeviceProperties2(physical, &all);
  EXPECT_EQ(p1.subgroupSupportedStages, subgroup.supportedStages);
  EXPECT_EQ(p1.subgroupSupportedOperations, subgroup.supportedOperations);
  EXPECT_NE(p1.subgroupSupportedOperations, 0u);
  EXPECT_STREQ(p2.driverInfo, driver.driverInfo);
  EXPECT_EQ(p2.maxPerStageDescriptorUpdateAfterBindSamplers,
            indexing.maxPerStageDescriptorUpdateAfterBindSamplers);
  EXPECT_EQ(p2.quadDivergentImplicitLod, VK_TRUE);
  EXPECT_EQ(minmax.filterMinmaxImageComponentMapping, VK_FALSE);
  EXPECT_EQ(p3.maxInlineUniformBlockSize, blocks.maxInlineUniformBlockSize);
  // In no other structure.
  EXPECT_NE(p2.framebufferIntegerColorSampleCounts, 0u);
  EXPECT_EQ(p3.maxInlineUniformTotalSize, all.properties.limits.maxBoundDescriptorSets *
                                              blocks.maxPerStageDescriptorInlineUniformBlocks *
                                              blocks.maxInlineUniformBlockSize);
}

}  // namespace
