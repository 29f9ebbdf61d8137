#include "icd/device/version_features.h"

#include "icd/device/offer.h"

namespace cutaway::icd {

VkPhysicalDeviceVulkan11Features features_of_1_1() {
  VkPhysicalDeviceVulkan11Features f{};
  f.multiview = VK_TRUE;  // a draw for each view, whatever its stages are
  f.multiviewGeometryShader = offer().geometry;
  f.multiviewTessellationShader = offer().tessellation;
  f.storageBuffer16BitAccess = f.uniformAndStorageBuffer16BitAccess = f.storagePushConstant16 = VK_TRUE;
  f.variablePointersStorageBuffer = f.variablePointers = VK_TRUE;
  f.shaderDrawParameters = VK_TRUE;
  return f;
}

VkPhysicalDeviceVulkan12Features features_of_1_2() {
  VkPhysicalDeviceVulkan12Features f{};
  f.samplerMirrorClampToEdge = VK_TRUE;
  f.drawIndirectCount = VK_TRUE;
  // Each lane takes its own descriptor of an array: all that it may choose from are accessed.
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
  f.shaderOutputViewportIndex = f.shaderOutputLayer = offer().geometry;  // chips without have no layers
  f.subgroupBroadcastDynamicId = VK_TRUE;
  f.bufferDeviceAddress = f.bufferDeviceAddressCaptureReplay = VK_TRUE;
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

}  // namespace cutaway::icd
