#include "compiler/capabilities.h"

#include <algorithm>
#include <iterator>
#include <spirv/unified1/spirv.hpp>

#include "compiler/module.h"
#include "compiler/refusal.h"

namespace cutaway::compiler {
namespace {

// Capabilities that the compiler supports, or rejects at the instruction that uses them.
constexpr uint32_t kCapabilities[] = {
    spv::CapabilityMatrix,
    spv::CapabilityShader,
    spv::CapabilityGeometry,
    spv::CapabilityGeometryPointSize,
    spv::CapabilityGeometryStreams,
    spv::CapabilityTessellation,
    spv::CapabilityTessellationPointSize,
    spv::CapabilitySampled1D,
    spv::CapabilityImage1D,
    spv::CapabilitySampledBuffer,
    spv::CapabilityImageBuffer,
    spv::CapabilitySampledCubeArray,
    spv::CapabilityImageCubeArray,
    spv::CapabilityImageQuery,
    spv::CapabilityImageGatherExtended,
    spv::CapabilityDerivativeControl,
    spv::CapabilityClipDistance,
    spv::CapabilityCullDistance,
    spv::CapabilityInputAttachment,
    spv::CapabilityDrawParameters,
    spv::CapabilityMultiViewport,
    spv::CapabilityMultiView,
    spv::CapabilityTransformFeedback,
    spv::CapabilityShaderLayer,
    spv::CapabilityShaderViewportIndex,
    spv::CapabilityShaderViewportIndexLayerEXT,
    spv::CapabilitySampleRateShading,
    spv::CapabilityInterpolationFunction,
    spv::CapabilityStencilExportEXT,
    spv::CapabilityVulkanMemoryModel,
    spv::CapabilityVulkanMemoryModelDeviceScope,
    spv::CapabilityDemoteToHelperInvocation,
    spv::CapabilityStorageImageExtendedFormats,
    spv::CapabilityStorageImageReadWithoutFormat,
    spv::CapabilityStorageImageWriteWithoutFormat,
    spv::CapabilityUniformBufferArrayDynamicIndexing,
    spv::CapabilitySampledImageArrayDynamicIndexing,
    spv::CapabilityStorageBufferArrayDynamicIndexing,
    spv::CapabilityStorageImageArrayDynamicIndexing,
    spv::CapabilityShaderNonUniform,
    spv::CapabilityRuntimeDescriptorArray,
    spv::CapabilityInputAttachmentArrayDynamicIndexing,
    spv::CapabilityInputAttachmentArrayNonUniformIndexing,
    spv::CapabilityUniformTexelBufferArrayDynamicIndexing,
    spv::CapabilityStorageTexelBufferArrayDynamicIndexing,
    spv::CapabilityUniformBufferArrayNonUniformIndexing,
    spv::CapabilitySampledImageArrayNonUniformIndexing,
    spv::CapabilityStorageBufferArrayNonUniformIndexing,
    spv::CapabilityStorageImageArrayNonUniformIndexing,
    spv::CapabilityUniformTexelBufferArrayNonUniformIndexing,
    spv::CapabilityStorageTexelBufferArrayNonUniformIndexing,
    spv::CapabilityGroupNonUniform,
    spv::CapabilityGroupNonUniformVote,
    spv::CapabilitySubgroupVoteKHR,
    spv::CapabilityGroupNonUniformArithmetic,
    spv::CapabilityGroupNonUniformBallot,
    spv::CapabilityGroupNonUniformShuffle,
    spv::CapabilityGroupNonUniformShuffleRelative,
    spv::CapabilityGroupNonUniformClustered,
    spv::CapabilityGroupNonUniformQuad,
    spv::CapabilitySubgroupBallotKHR,
    spv::CapabilityDeviceGroup,
    spv::CapabilityPhysicalStorageBufferAddresses,
    spv::CapabilityVariablePointersStorageBuffer,
    spv::CapabilityVariablePointers,
    spv::CapabilityDotProduct,
    spv::CapabilityDotProductInputAll,
    spv::CapabilityDotProductInput4x8BitPacked,
    spv::CapabilityDotProductInput4x8Bit,
    spv::CapabilityInt8,
    spv::CapabilityInt16,
    spv::CapabilityInt64,
    spv::CapabilityFloat16,
    spv::CapabilityFloat64,
    spv::CapabilityStorageBuffer8BitAccess,
    spv::CapabilityUniformAndStorageBuffer8BitAccess,
    spv::CapabilityStoragePushConstant8,
    spv::CapabilityStorageBuffer16BitAccess,
    spv::CapabilityUniformAndStorageBuffer16BitAccess,
    spv::CapabilityStoragePushConstant16,
    spv::CapabilityShaderClockKHR,
    spv::CapabilityDenormPreserve,
    spv::CapabilityDenormFlushToZero,
    spv::CapabilitySignedZeroInfNanPreserve,
    spv::CapabilityRoundingModeRTE,
};

}  // namespace

void check_capability(uint32_t capability) {
  if (std::find(std::begin(kCapabilities), std::end(kCapabilities), capability) == std::end(kCapabilities))
    unsupported("capability {} is not supported", capability_name(capability));
}

bool is_meaningless_capability(uint32_t capability) {
  return capability == spv::CapabilityExpectAssumeKHR;  // OpAssumeTrueKHR, OpExpectKHR
}

}  // namespace cutaway::compiler
