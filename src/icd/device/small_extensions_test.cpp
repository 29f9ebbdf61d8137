#include <algorithm>

#include "icd/testing/render_fixture.h"
#include "icd_testdata/half_vert.h"
#include "icd_testdata/sum_comp.h"
#include "icd_testdata/white_frag.h"

// Extensions of a call or two.
namespace {

using namespace cutaway::icd::testing;

struct PrivateData : Renderer {
  VkPhysicalDevicePrivateDataFeatures wanted{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES, nullptr,
                                             VK_TRUE};
  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_EXT_PRIVATE_DATA_EXTENSION_NAME);
    Renderer::SetUp();
  }
};

// Each slot has a number of its own for each object; an object that is made anew has none, wherever it lies.
TEST_F(PrivateData, ObjectsKeepANumberForEachSlot) {
  PFN_vkCreatePrivateDataSlotEXT make = nullptr;
  PFN_vkDestroyPrivateDataSlotEXT destroy = nullptr;
  PFN_vkSetPrivateDataEXT set = nullptr;
  PFN_vkGetPrivateDataEXT get = nullptr;
  load(make, "vkCreatePrivateDataSlotEXT");
  load(destroy, "vkDestroyPrivateDataSlotEXT");
  load(set, "vkSetPrivateDataEXT");
  load(get, "vkGetPrivateDataEXT");
  const VkPrivateDataSlotCreateInfo info{VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
  VkPrivateDataSlot slots[2] = {};
  for (VkPrivateDataSlot& slot : slots) ok(make(device, &info, nullptr, &slot));
  const auto value = [&](VkObjectType type, uint64_t object, uint32_t slot) {
    uint64_t found = 99;
    get(device, type, object, slots[slot], &found);
    return found;
  };
  const auto of_pool = reinterpret_cast<uint64_t>(pool);
  ok(set(device, VK_OBJECT_TYPE_COMMAND_POOL, of_pool, slots[0], 5));
  ok(set(device, VK_OBJECT_TYPE_COMMAND_POOL, of_pool, slots[1], uint64_t{1} << 40));
  EXPECT_EQ(value(VK_OBJECT_TYPE_COMMAND_POOL, of_pool, 0), 5u);
  EXPECT_EQ(value(VK_OBJECT_TYPE_COMMAND_POOL, of_pool, 1), uint64_t{1} << 40);
  EXPECT_EQ(value(VK_OBJECT_TYPE_DEVICE, reinterpret_cast<uint64_t>(device), 0), 0u);
  for (int i = 0; i < 20; i++) {
    const VkFenceCreateInfo fence_info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence = VK_NULL_HANDLE;
    ok(vkCreateFence(device, &fence_info, nullptr, &fence));
    const auto of_fence = reinterpret_cast<uint64_t>(fence);
    EXPECT_EQ(value(VK_OBJECT_TYPE_FENCE, of_fence, 0), 0u) << i;
    ok(set(device, VK_OBJECT_TYPE_FENCE, of_fence, slots[0], 7));
    vkDestroyFence(device, fence, nullptr);
  }
  for (const VkPrivateDataSlot slot : slots) destroy(device, slot, nullptr);
}

struct Maintenance4 : Renderer {
  VkPhysicalDeviceMaintenance4Features wanted{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
                                              nullptr, VK_TRUE};
  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_KHR_MAINTENANCE_4_EXTENSION_NAME);
    Renderer::SetUp();
  }
};

TEST_F(Maintenance4, RequirementsWithoutAnObject) {
  PFN_vkGetDeviceBufferMemoryRequirementsKHR of_buffer = nullptr;
  PFN_vkGetDeviceImageMemoryRequirementsKHR of_image = nullptr;
  PFN_vkGetDeviceImageSparseMemoryRequirementsKHR sparse = nullptr;
  load(of_buffer, "vkGetDeviceBufferMemoryRequirementsKHR");
  load(of_image, "vkGetDeviceImageMemoryRequirementsKHR");
  load(sparse, "vkGetDeviceImageSparseMemoryRequirementsKHR");
  VkBufferCreateInfo buffer{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  buffer.size = 1000, buffer.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkMemoryRequirements2 told{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  const VkDeviceBufferMemoryRequirements ask{VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, nullptr,
                                             &buffer};
  of_buffer(device, &ask, &told);
  EXPECT_EQ(told.memoryRequirements.size, 1024u);
  VkImageCreateInfo image{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  image.imageType = VK_IMAGE_TYPE_2D, image.format = kFormat, image.extent = {100, 50, 1};
  image.mipLevels = image.arrayLayers = 1, image.samples = VK_SAMPLE_COUNT_1_BIT;
  image.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  VkImage made = VK_NULL_HANDLE;
  ok(vkCreateImage(device, &image, nullptr, &made));
  VkMemoryRequirements of_object;
  vkGetImageMemoryRequirements(device, made, &of_object);
  vkDestroyImage(device, made, nullptr);
  VkDeviceImageMemoryRequirements ask_image{VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS, nullptr,
                                            &image};
  of_image(device, &ask_image, &told);
  EXPECT_EQ(told.memoryRequirements.size, of_object.size);
  EXPECT_EQ(told.memoryRequirements.alignment, of_object.alignment);
  uint32_t count = 3;
  sparse(device, &ask_image, &count, nullptr);
  EXPECT_EQ(count, 0u);
}

struct CacheControl : Renderer {
  VkPhysicalDevicePipelineCreationCacheControlFeatures wanted{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_CREATION_CACHE_CONTROL_FEATURES, nullptr, VK_TRUE};
  void SetUp() override {
    more_features = &wanted;
    extensions.push_back(VK_EXT_PIPELINE_CREATION_CACHE_CONTROL_EXTENSION_NAME);
    extensions.push_back(VK_EXT_PIPELINE_CREATION_FEEDBACK_EXTENSION_NAME);
    Renderer::SetUp();
  }
};

// Pipelines that may not be compiled are made once the cache has their programs.
TEST_F(CacheControl, WhatMayNotBeCompiledComesFromTheCache) {
  VkPipelineCacheCreateInfo cache_info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  cache_info.flags = VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT;
  VkPipelineCache cache = VK_NULL_HANDLE;
  ok(vkCreatePipelineCache(device, &cache_info, nullptr, &cache));
  at_end([this, cache] { vkDestroyPipelineCache(device, cache, nullptr); });
  const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const auto [set_layout, set] = make_set({{0, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
                                           {1, type, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
  VkPipelineLayoutCreateInfo layout_info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  layout_info.setLayoutCount = 1, layout_info.pSetLayouts = &set_layout;
  layout_info.pushConstantRangeCount = 1, layout_info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  ok(vkCreatePipelineLayout(device, &layout_info, nullptr, &layout));
  at_end([this, layout] { vkDestroyPipelineLayout(device, layout, nullptr); });
  VkPipelineCreationFeedback whole{}, of_stage{VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT, 1};
  const VkPipelineCreationFeedbackCreateInfo feedback{
      VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO, nullptr, &whole, 1, &of_stage};
  VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, &feedback};
  info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = make_shader(sum_comp);
  info.stage.pName = "main";
  info.layout = layout;
  VkComputePipelineCreateInfo both[2] = {info, info};
  both[1].flags = 0;
  const auto make = [&](VkPipeline* made) {
    return vkCreateComputePipelines(device, cache, 2, both, nullptr, made);
  };
  VkPipeline made[2] = {};
  both[0].flags |= VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
  EXPECT_EQ(make(made), VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(made[0], VkPipeline{});
  EXPECT_EQ(made[1], VkPipeline{});
  both[0].flags = info.flags;
  EXPECT_EQ(make(made), VK_PIPELINE_COMPILE_REQUIRED);
  EXPECT_EQ(made[0], VkPipeline{});
  EXPECT_NE(made[1], VkPipeline{});
  EXPECT_TRUE(whole.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT);
  EXPECT_GT(whole.duration, 0u);
  EXPECT_FALSE(of_stage.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT);
  vkDestroyPipeline(device, made[1], nullptr);  // the cache alone has it now
  ok(make(made));
  for (const VkPipeline pipeline : made) vkDestroyPipeline(device, pipeline, nullptr);
}

TEST_F(Loader, FormatsAndToolsByTheirExtensions) {
  VkFormatProperties3 wide{VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
  VkFormatProperties2 both{VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, &wide};
  vkGetPhysicalDeviceFormatProperties2(physical, VK_FORMAT_D32_SFLOAT, &both);
  EXPECT_EQ(static_cast<uint32_t>(wide.optimalTilingFeatures), both.formatProperties.optimalTilingFeatures);
  EXPECT_TRUE(wide.optimalTilingFeatures & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT);
  vkGetPhysicalDeviceFormatProperties2(physical, VK_FORMAT_R8G8B8A8_UNORM, &both);
  EXPECT_FALSE(wide.optimalTilingFeatures & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT);
  EXPECT_TRUE(wide.optimalTilingFeatures & VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT);
  EXPECT_TRUE(wide.bufferFeatures & VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT);
  EXPECT_FALSE(wide.linearTilingFeatures & VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT);
}

// "VkImageStencilUsageCreateInfo": a use of stencil that the format does not have is refused.
TEST_F(Loader, StencilHasAUsageOfItsOwn) {
  VkImageStencilUsageCreateInfo stencil{VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO, nullptr,
                                        VK_IMAGE_USAGE_SAMPLED_BIT};
  VkPhysicalDeviceImageFormatInfo2 info{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2, &stencil};
  info.format = VK_FORMAT_D24_UNORM_S8_UINT, info.type = VK_IMAGE_TYPE_2D;
  info.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
  VkImageFormatProperties2 told{VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
  EXPECT_EQ(vkGetPhysicalDeviceImageFormatProperties2(physical, &info, &told), VK_SUCCESS);
  stencil.stencilUsage = VK_IMAGE_USAGE_STORAGE_BIT;
  EXPECT_EQ(vkGetPhysicalDeviceImageFormatProperties2(physical, &info, &told), VK_ERROR_FORMAT_NOT_SUPPORTED);
}

}  // namespace
