#include <cstring>

#include "icd/testing/loader_fixture.h"

// What versions 1.2 and 1.3 require of every implementation ("Feature Requirements", "Limit Requirements"),
// from literal tables of the specification; what their structures say is what those of the extensions say.
namespace {

using cutaway::icd::testing::Loader;

struct RequiredOf13 : Loader {
  void SetUp() override {
    version = VK_API_VERSION_1_3;
    Loader::SetUp();
  }
};

TEST_F(RequiredOf13, Features) {
  VkPhysicalDeviceVulkan13Features f3{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceVulkan12Features f2{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &f3};
  VkPhysicalDeviceVulkan11Features f1{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &f2};
  VkPhysicalDeviceFeatures2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &f1};
  vkGetPhysicalDeviceFeatures2(physical, &all);
  EXPECT_TRUE(f1.multiview);
  EXPECT_TRUE(f2.hostQueryReset);
  EXPECT_TRUE(f2.imagelessFramebuffer);
  EXPECT_TRUE(f2.uniformBufferStandardLayout);
  EXPECT_TRUE(f2.shaderSubgroupExtendedTypes);
  EXPECT_TRUE(f2.separateDepthStencilLayouts);
  EXPECT_TRUE(f2.timelineSemaphore);
  EXPECT_TRUE(f2.subgroupBroadcastDynamicId);
  EXPECT_TRUE(f2.vulkanMemoryModel);
  EXPECT_TRUE(f2.vulkanMemoryModelDeviceScope);
  EXPECT_TRUE(f2.bufferDeviceAddress);
  EXPECT_TRUE(f3.robustImageAccess);
  EXPECT_TRUE(f3.inlineUniformBlock);
  EXPECT_TRUE(f3.descriptorBindingInlineUniformBlockUpdateAfterBind);
  EXPECT_TRUE(f3.pipelineCreationCacheControl);
  EXPECT_TRUE(f3.privateData);
  EXPECT_TRUE(f3.shaderDemoteToHelperInvocation);
  EXPECT_TRUE(f3.shaderTerminateInvocation);
  EXPECT_TRUE(f3.subgroupSizeControl);
  EXPECT_TRUE(f3.computeFullSubgroups);
  EXPECT_TRUE(f3.synchronization2);
  EXPECT_TRUE(f3.shaderZeroInitializeWorkgroupMemory);
  EXPECT_TRUE(f3.dynamicRendering);
  EXPECT_TRUE(f3.shaderIntegerDotProduct);
  EXPECT_TRUE(f3.maintenance4);
}

TEST_F(RequiredOf13, Properties) {
  VkPhysicalDeviceDepthStencilResolveProperties resolve{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_STENCIL_RESOLVE_PROPERTIES};
  VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES, &resolve};
  VkPhysicalDeviceVulkan13Properties p3{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES, &id};
  VkPhysicalDeviceVulkan12Properties p2{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, &p3};
  VkPhysicalDeviceVulkan11Properties p1{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, &p2};
  VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &p1};
  vkGetPhysicalDeviceProperties2(physical, &all);
  EXPECT_EQ(all.properties.apiVersion, VK_API_VERSION_1_3);
  EXPECT_EQ(std::memcmp(p1.deviceUUID, id.deviceUUID, VK_UUID_SIZE), 0);
  EXPECT_EQ(p1.deviceNodeMask, id.deviceNodeMask);
  EXPECT_GE(p1.subgroupSize, 1u);
  EXPECT_TRUE(p1.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT);
  EXPECT_TRUE(p1.subgroupSupportedOperations & VK_SUBGROUP_FEATURE_BASIC_BIT);
  EXPECT_GE(p1.maxMultiviewViewCount, 6u);
  EXPECT_GE(p1.maxPerSetDescriptors, 1024u);
  EXPECT_GE(p1.maxMemoryAllocationSize, 1u << 30);
  EXPECT_STREQ(p2.driverName, "Cutaway");
  EXPECT_TRUE(p2.supportedDepthResolveModes & VK_RESOLVE_MODE_SAMPLE_ZERO_BIT);
  EXPECT_TRUE(p2.supportedStencilResolveModes & VK_RESOLVE_MODE_SAMPLE_ZERO_BIT);
  EXPECT_EQ(p2.independentResolve, resolve.independentResolve);
  EXPECT_GE(p2.maxTimelineSemaphoreValueDifference, (uint64_t{1} << 31) - 1);
  EXPECT_TRUE(p2.framebufferIntegerColorSampleCounts & VK_SAMPLE_COUNT_1_BIT);
  EXPECT_LE(p3.minSubgroupSize, p1.subgroupSize);
  EXPECT_GE(p3.maxSubgroupSize, p1.subgroupSize);
  // "maxComputeWorkgroupSubgroups": enough for the largest workgroup.
  EXPECT_GE(p3.maxComputeWorkgroupSubgroups * p3.maxSubgroupSize,
            all.properties.limits.maxComputeWorkGroupInvocations);
  EXPECT_GE(p3.maxInlineUniformBlockSize, 256u);
  EXPECT_GE(p3.maxPerStageDescriptorInlineUniformBlocks, 4u);
  EXPECT_GE(p3.maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks, 4u);
  EXPECT_GE(p3.maxDescriptorSetInlineUniformBlocks, 4u);
  EXPECT_GE(p3.maxDescriptorSetUpdateAfterBindInlineUniformBlocks, 4u);
  EXPECT_GE(p3.maxInlineUniformTotalSize, 256u);
  EXPECT_GE(p3.maxBufferSize, 1u << 30);
  EXPECT_GE(p3.storageTexelBufferOffsetAlignmentBytes, 1u);
}

// Every command of the versions is there, by its core name; none of what stays behind an extension.
TEST_F(RequiredOf13, CommandsByTheirCoreNames) {
  for (const char* name :
       {"vkCmdDrawIndirectCount", "vkCreateRenderPass2", "vkResetQueryPool", "vkWaitSemaphores",
        "vkGetBufferDeviceAddress", "vkCreatePrivateDataSlot", "vkCmdPipelineBarrier2", "vkQueueSubmit2",
        "vkCmdCopyBuffer2", "vkCmdBeginRendering", "vkCmdSetCullMode", "vkCmdBindVertexBuffers2",
        "vkCmdSetPrimitiveRestartEnable", "vkGetDeviceBufferMemoryRequirements"})
    EXPECT_NE(vkGetDeviceProcAddr(device, name), nullptr) << name;
  EXPECT_EQ(vkGetDeviceProcAddr(device, "vkCmdPushDescriptorSetKHR"), nullptr);
  EXPECT_EQ(vkGetDeviceProcAddr(device, "vkCmdBeginRenderingKHR"), nullptr);
  uint32_t tools = 7;
  EXPECT_EQ(vkGetPhysicalDeviceToolProperties(physical, &tools, nullptr), VK_SUCCESS);
}

}  // namespace
