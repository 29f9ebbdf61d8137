#include "icd/device/version_features.h"

#include "icd/device/fill_structure.h"

namespace cutaway::icd {

VkPhysicalDeviceVulkan11Features features_of_1_1() {
  VkPhysicalDeviceVulkan11Features f{};
  f.multiview = VK_TRUE;
  f.storageBuffer16BitAccess = f.uniformAndStorageBuffer16BitAccess = f.storagePushConstant16 = VK_TRUE;
  f.variablePointersStorageBuffer = f.variablePointers = VK_TRUE;
  f.shaderDrawParameters = VK_TRUE;
  return f;
}

VkPhysicalDeviceVulkan12Features features_of_1_2() {
  VkPhysicalDeviceVulkan12Features f{};
  f.samplerMirrorClampToEdge = VK_TRUE;
  f.drawIndirectCount = VK_TRUE;
  // Of an array of descriptors each lane takes its own: all that it may choose from are accessed.
  f.shaderUniformTexelBufferArrayDynamicIndexing = f.shaderStorageTexelBufferArrayDynamicIndexing = VK_TRUE;
  f.shaderUniformBufferArrayNonUniformIndexing = f.shaderStorageBufferArrayNonUniformIndexing = VK_TRUE;
  f.shaderSampledImageArrayNonUniformIndexing = f.shaderStorageImageArrayNonUniformIndexing = VK_TRUE;
  f.shaderUniformTexelBufferArrayNonUniformIndexing = f.shaderStorageTexelBufferArrayNonUniformIndexing =
      VK_TRUE;
  f.shaderInputAttachmentArrayDynamicIndexing = f.shaderInputAttachmentArrayNonUniformIndexing = VK_TRUE;
  f.runtimeDescriptorArray = VK_TRUE;
  // Slots are filled when a submission is made. "descriptorIndexing" itself asks for more of them than there
  // are.
  f.descriptorBindingUniformBufferUpdateAfterBind = f.descriptorBindingStorageBufferUpdateAfterBind = VK_TRUE;
  f.descriptorBindingSampledImageUpdateAfterBind = f.descriptorBindingStorageImageUpdateAfterBind = VK_TRUE;
  f.descriptorBindingUniformTexelBufferUpdateAfterBind = VK_TRUE;
  f.descriptorBindingStorageTexelBufferUpdateAfterBind = VK_TRUE;
  f.descriptorBindingUpdateUnusedWhilePending = f.descriptorBindingPartiallyBound = VK_TRUE;
  f.descriptorBindingVariableDescriptorCount = VK_TRUE;
  f.scalarBlockLayout = VK_TRUE;
  f.imagelessFramebuffer = VK_TRUE;
  f.uniformBufferStandardLayout = VK_TRUE;  // as scalar layouts are
  f.shaderSubgroupExtendedTypes = VK_TRUE;
  f.storageBuffer8BitAccess = f.uniformAndStorageBuffer8BitAccess = f.storagePushConstant8 = VK_TRUE;
  f.shaderInt8 = f.shaderFloat16 = VK_TRUE;
  f.separateDepthStencilLayouts =
      VK_TRUE;  // images lie in memory in one way, whatever their layout is called
  f.hostQueryReset = VK_TRUE;
  f.timelineSemaphore = VK_TRUE;
  // Memory operations take effect in the order of the program, seen from everywhere.
  f.vulkanMemoryModel = f.vulkanMemoryModelDeviceScope = VK_TRUE;
  f.vulkanMemoryModelAvailabilityVisibilityChains = VK_TRUE;
  f.subgroupBroadcastDynamicId = VK_TRUE;
  f.bufferDeviceAddress = VK_TRUE;
  return f;
}

VkPhysicalDeviceVulkan13Features features_of_1_3() {
  VkPhysicalDeviceVulkan13Features f{};
  f.robustImageAccess = VK_TRUE;
  // Their bytes lie in GPU memory, which is written when they are.
  f.inlineUniformBlock = f.descriptorBindingInlineUniformBlockUpdateAfterBind = VK_TRUE;
  f.pipelineCreationCacheControl = VK_TRUE;
  f.privateData = VK_TRUE;
  f.shaderDemoteToHelperInvocation = VK_TRUE;
  f.shaderTerminateInvocation = VK_TRUE;
  f.subgroupSizeControl = f.computeFullSubgroups = VK_TRUE;
  f.synchronization2 = VK_TRUE;
  f.shaderZeroInitializeWorkgroupMemory = VK_TRUE;
  f.dynamicRendering = VK_TRUE;
  f.shaderIntegerDotProduct = VK_TRUE;
  f.maintenance4 = VK_TRUE;
  return f;
}

namespace {

// Structures of one feature: type, structure, function of the version, feature.
#define CUTAWAY_PROMOTED_FEATURES(X)                                                                    \
  X(SHADER_DRAW_PARAMETERS, ShaderDrawParameters, features_of_1_1, shaderDrawParameters)                \
  X(TIMELINE_SEMAPHORE, TimelineSemaphore, features_of_1_2, timelineSemaphore)                          \
  X(IMAGELESS_FRAMEBUFFER, ImagelessFramebuffer, features_of_1_2, imagelessFramebuffer)                 \
  X(SCALAR_BLOCK_LAYOUT, ScalarBlockLayout, features_of_1_2, scalarBlockLayout)                         \
  X(HOST_QUERY_RESET, HostQueryReset, features_of_1_2, hostQueryReset)                                  \
  X(SEPARATE_DEPTH_STENCIL_LAYOUTS, SeparateDepthStencilLayouts, features_of_1_2,                       \
    separateDepthStencilLayouts)                                                                        \
  X(UNIFORM_BUFFER_STANDARD_LAYOUT, UniformBufferStandardLayout, features_of_1_2,                       \
    uniformBufferStandardLayout)                                                                        \
  X(SHADER_SUBGROUP_EXTENDED_TYPES, ShaderSubgroupExtendedTypes, features_of_1_2,                       \
    shaderSubgroupExtendedTypes)                                                                        \
  X(IMAGE_ROBUSTNESS, ImageRobustness, features_of_1_3, robustImageAccess)                              \
  X(PIPELINE_CREATION_CACHE_CONTROL, PipelineCreationCacheControl, features_of_1_3,                     \
    pipelineCreationCacheControl)                                                                       \
  X(PRIVATE_DATA, PrivateData, features_of_1_3, privateData)                                            \
  X(SHADER_DEMOTE_TO_HELPER_INVOCATION, ShaderDemoteToHelperInvocation, features_of_1_3,                \
    shaderDemoteToHelperInvocation)                                                                     \
  X(SHADER_TERMINATE_INVOCATION, ShaderTerminateInvocation, features_of_1_3, shaderTerminateInvocation) \
  X(SYNCHRONIZATION_2, Synchronization2, features_of_1_3, synchronization2)                             \
  X(ZERO_INITIALIZE_WORKGROUP_MEMORY, ZeroInitializeWorkgroupMemory, features_of_1_3,                   \
    shaderZeroInitializeWorkgroupMemory)                                                                \
  X(DYNAMIC_RENDERING, DynamicRendering, features_of_1_3, dynamicRendering)                             \
  X(SHADER_INTEGER_DOT_PRODUCT, ShaderIntegerDotProduct, features_of_1_3, shaderIntegerDotProduct)      \
  X(MAINTENANCE_4, Maintenance4, features_of_1_3, maintenance4)

}  // namespace

size_t fill_promoted_features(VkBaseOutStructure* s) {
  switch (s->sType) {
#define X(TYPE, STRUCTURE, VERSION, FEATURE)                \
  case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##TYPE##_FEATURES: \
    return fill<VkPhysicalDevice##STRUCTURE##Features>(s, [](auto& f) { f.FEATURE = VERSION().FEATURE; });
    CUTAWAY_PROMOTED_FEATURES(X)
#undef X
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES:
      return fill<VkPhysicalDevice16BitStorageFeatures>(s, [](auto& f) {
        const auto of = features_of_1_1();
        f.storageBuffer16BitAccess = of.storageBuffer16BitAccess;
        f.uniformAndStorageBuffer16BitAccess = of.uniformAndStorageBuffer16BitAccess;
        f.storagePushConstant16 = of.storagePushConstant16;
        f.storageInputOutput16 = of.storageInputOutput16;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES:
      return fill<VkPhysicalDeviceDescriptorIndexingFeatures>(s, [](auto& f) {
        const auto of = features_of_1_2();
        f.shaderInputAttachmentArrayDynamicIndexing = of.shaderInputAttachmentArrayDynamicIndexing;
        f.shaderInputAttachmentArrayNonUniformIndexing = of.shaderInputAttachmentArrayNonUniformIndexing;
        f.runtimeDescriptorArray = of.runtimeDescriptorArray;
        f.descriptorBindingUniformBufferUpdateAfterBind = of.descriptorBindingUniformBufferUpdateAfterBind;
        f.descriptorBindingStorageBufferUpdateAfterBind = of.descriptorBindingStorageBufferUpdateAfterBind;
        f.descriptorBindingSampledImageUpdateAfterBind = of.descriptorBindingSampledImageUpdateAfterBind;
        f.descriptorBindingStorageImageUpdateAfterBind = of.descriptorBindingStorageImageUpdateAfterBind;
        f.descriptorBindingUniformTexelBufferUpdateAfterBind =
            of.descriptorBindingUniformTexelBufferUpdateAfterBind;
        f.descriptorBindingStorageTexelBufferUpdateAfterBind =
            of.descriptorBindingStorageTexelBufferUpdateAfterBind;
        f.descriptorBindingUpdateUnusedWhilePending = of.descriptorBindingUpdateUnusedWhilePending;
        f.descriptorBindingPartiallyBound = of.descriptorBindingPartiallyBound;
        f.descriptorBindingVariableDescriptorCount = of.descriptorBindingVariableDescriptorCount;
        f.shaderUniformTexelBufferArrayDynamicIndexing = of.shaderUniformTexelBufferArrayDynamicIndexing;
        f.shaderStorageTexelBufferArrayDynamicIndexing = of.shaderStorageTexelBufferArrayDynamicIndexing;
        f.shaderUniformBufferArrayNonUniformIndexing = of.shaderUniformBufferArrayNonUniformIndexing;
        f.shaderSampledImageArrayNonUniformIndexing = of.shaderSampledImageArrayNonUniformIndexing;
        f.shaderStorageBufferArrayNonUniformIndexing = of.shaderStorageBufferArrayNonUniformIndexing;
        f.shaderStorageImageArrayNonUniformIndexing = of.shaderStorageImageArrayNonUniformIndexing;
        f.shaderUniformTexelBufferArrayNonUniformIndexing =
            of.shaderUniformTexelBufferArrayNonUniformIndexing;
        f.shaderStorageTexelBufferArrayNonUniformIndexing =
            of.shaderStorageTexelBufferArrayNonUniformIndexing;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES:
      return fill<VkPhysicalDevice8BitStorageFeatures>(s, [](auto& f) {
        const auto of = features_of_1_2();
        f.storageBuffer8BitAccess = of.storageBuffer8BitAccess;
        f.uniformAndStorageBuffer8BitAccess = of.uniformAndStorageBuffer8BitAccess;
        f.storagePushConstant8 = of.storagePushConstant8;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES:
      return fill<VkPhysicalDeviceShaderFloat16Int8Features>(s, [](auto& f) {
        f.shaderFloat16 = features_of_1_2().shaderFloat16;
        f.shaderInt8 = features_of_1_2().shaderInt8;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES:
      return fill<VkPhysicalDeviceMultiviewFeatures>(s, [](auto& f) {
        const auto of = features_of_1_1();
        f.multiview = of.multiview;
        f.multiviewGeometryShader = of.multiviewGeometryShader;
        f.multiviewTessellationShader = of.multiviewTessellationShader;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES:
      return fill<VkPhysicalDeviceVariablePointersFeatures>(s, [](auto& f) {
        const auto of = features_of_1_1();
        f.variablePointersStorageBuffer = of.variablePointersStorageBuffer;
        f.variablePointers = of.variablePointers;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES:
      return fill<VkPhysicalDeviceProtectedMemoryFeatures>(
          s, [](auto& f) { f.protectedMemory = features_of_1_1().protectedMemory; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES:
      return fill<VkPhysicalDeviceSamplerYcbcrConversionFeatures>(
          s, [](auto& f) { f.samplerYcbcrConversion = features_of_1_1().samplerYcbcrConversion; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES:
      return fill<VkPhysicalDeviceVulkanMemoryModelFeatures>(s, [](auto& f) {
        const auto of = features_of_1_2();
        f.vulkanMemoryModel = of.vulkanMemoryModel;
        f.vulkanMemoryModelDeviceScope = of.vulkanMemoryModelDeviceScope;
        f.vulkanMemoryModelAvailabilityVisibilityChains = of.vulkanMemoryModelAvailabilityVisibilityChains;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES:
      return fill<VkPhysicalDeviceBufferDeviceAddressFeatures>(s, [](auto& f) {
        const auto of = features_of_1_2();
        f.bufferDeviceAddress = of.bufferDeviceAddress;
        f.bufferDeviceAddressCaptureReplay = of.bufferDeviceAddressCaptureReplay;
        f.bufferDeviceAddressMultiDevice = of.bufferDeviceAddressMultiDevice;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES:
      return fill<VkPhysicalDeviceSubgroupSizeControlFeatures>(s, [](auto& f) {
        f.subgroupSizeControl = features_of_1_3().subgroupSizeControl;
        f.computeFullSubgroups = features_of_1_3().computeFullSubgroups;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INLINE_UNIFORM_BLOCK_FEATURES:
      return fill<VkPhysicalDeviceInlineUniformBlockFeatures>(s, [](auto& f) {
        const auto of = features_of_1_3();
        f.inlineUniformBlock = of.inlineUniformBlock;
        f.descriptorBindingInlineUniformBlockUpdateAfterBind =
            of.descriptorBindingInlineUniformBlockUpdateAfterBind;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES:
      return fill<VkPhysicalDeviceVulkan11Features>(s, [](auto& f) { f = features_of_1_1(); });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES:
      return fill<VkPhysicalDeviceVulkan12Features>(s, [](auto& f) { f = features_of_1_2(); });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES:
      return fill<VkPhysicalDeviceVulkan13Features>(s, [](auto& f) { f = features_of_1_3(); });
    default:
      return 0;
  }
}

}  // namespace cutaway::icd
