#include <cstring>

#include "icd/device/limits.h"
#include "icd/device/physical_device.h"

// The structures of extensions and versions that tell of the physical device: properties and features.
namespace cutaway::icd {
namespace {

// Becomes any member of a structure.
struct AnyMember {
  template <class Member>
  operator Member() const;
};

// Members of a structure, those of arrays one by one.
template <class Struct, class... Members>
constexpr size_t member_count() {
  if constexpr (requires { Struct{Members{}..., AnyMember{}}; })
    return member_count<Struct, Members..., AnyMember>();
  else return sizeof...(Members);
}

// Members behind sType and pNext of the structure that fill() met last.
thread_local size_t filled_members = 0;

template <class Struct, class Body>
void fill(VkBaseOutStructure* target, Body&& body) {
  auto& s = *reinterpret_cast<Struct*>(target);
  VkBaseOutStructure* const next = target->pNext;
  const VkStructureType type = target->sType;
  s = {};
  body(s);
  filled_members = member_count<Struct>() - 2;
  target->sType = type;
  target->pNext = next;
}

}  // namespace

void PhysicalDevice::extend_properties(void* chain) {
  for (auto* s = static_cast<VkBaseOutStructure*>(chain); s; s = s->pNext) {
    switch (s->sType) {
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES:
        fill<VkPhysicalDeviceIDProperties>(s, [](auto& p) {
          std::memcpy(p.deviceUUID, "cutaway-device-1", VK_UUID_SIZE);
          std::memcpy(p.driverUUID, "cutaway-driver-1", VK_UUID_SIZE);
          p.deviceNodeMask = 1;
        });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES:
        fill<VkPhysicalDeviceMaintenance3Properties>(s, [](auto& p) {
          p.maxPerSetDescriptors = kMaxPerSetDescriptors;
          p.maxMemoryAllocationSize = kMaxAllocationBytes;
        });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_PROPERTIES:
        fill<VkPhysicalDeviceMultiviewProperties>(s, [](auto& p) {
          p.maxMultiviewViewCount = kMaxMultiviewViews;
          p.maxMultiviewInstanceIndex = (1u << 27) - 1;
        });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_POINT_CLIPPING_PROPERTIES:
        fill<VkPhysicalDevicePointClippingProperties>(
            s, [](auto& p) { p.pointClippingBehavior = VK_POINT_CLIPPING_BEHAVIOR_ALL_CLIP_PLANES; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_PROPERTIES:
        fill<VkPhysicalDeviceProtectedMemoryProperties>(s, [](auto&) {});
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES:
        fill<VkPhysicalDeviceSubgroupProperties>(s, [](auto& p) {
          p.subgroupSize = 1;
          p.supportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
          p.supportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT;
        });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PUSH_DESCRIPTOR_PROPERTIES_KHR:
        fill<VkPhysicalDevicePushDescriptorPropertiesKHR>(
            s, [](auto& p) { p.maxPushDescriptors = kMaxPushDescriptors; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_PROPERTIES_EXT:
        fill<VkPhysicalDeviceMultiDrawPropertiesEXT>(s,
                                                     [](auto& p) { p.maxMultiDrawCount = kMaxMultiDraws; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_PROPERTIES_EXT:
        fill<VkPhysicalDeviceRobustness2PropertiesEXT>(s, [](auto& p) {
          p.robustStorageBufferAccessSizeAlignment = 1;
          p.robustUniformBufferAccessSizeAlignment = kVec4Bytes;
        });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_PROPERTIES:
        fill<VkPhysicalDeviceTimelineSemaphoreProperties>(
            s, [](auto& p) { p.maxTimelineSemaphoreValueDifference = kMaxTimelineDifference; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_PROPERTIES_EXT:
        fill<VkPhysicalDeviceProvokingVertexPropertiesEXT>(s, [](auto& p) {
          p.provokingVertexModePerPipeline = VK_TRUE;
          p.transformFeedbackPreservesTriangleFanProvokingVertex = VK_TRUE;
        });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_PROPERTIES_EXT:
        fill<VkPhysicalDeviceTransformFeedbackPropertiesEXT>(s, [](auto& p) {
          p.maxTransformFeedbackStreams = 1;
          p.maxTransformFeedbackBuffers = arch::kFeedbackBuffers;
          p.maxTransformFeedbackBufferSize = UINT32_MAX & ~3u;
          p.maxTransformFeedbackStreamDataSize = 4 * arch::kFeedbackOutputs;
          p.maxTransformFeedbackBufferDataSize = 4 * arch::kFeedbackOutputs;
          p.maxTransformFeedbackBufferDataStride = 2048;
          p.transformFeedbackQueries = p.transformFeedbackDraw = VK_TRUE;
        });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT:
        fill<VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT>(
            s, [](auto& p) { p.maxVertexAttribDivisor = UINT32_MAX; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_PROPERTIES_EXT:
        fill<VkPhysicalDeviceLineRasterizationPropertiesEXT>(
            s, [](auto& p) { p.lineSubPixelPrecisionBits = kSubPixelBits; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_PROPERTIES_EXT:
        fill<VkPhysicalDeviceCustomBorderColorPropertiesEXT>(
            s, [](auto& p) { p.maxCustomBorderColorSamplers = kMaxSamplers; });
        break;
      default:
        break;
    }
  }
}

void PhysicalDevice::extend_features(void* chain) {
  const auto none = [](auto&) {};
  for (auto* s = static_cast<VkBaseOutStructure*>(chain); s; s = s->pNext) {
    switch (s->sType) {
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_16BIT_STORAGE_FEATURES:
        fill<VkPhysicalDevice16BitStorageFeatures>(s, none);
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES:
        fill<VkPhysicalDeviceMultiviewFeatures>(s, [](auto& f) { f.multiview = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VARIABLE_POINTERS_FEATURES:
        fill<VkPhysicalDeviceVariablePointersFeatures>(s, none);
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES:
        fill<VkPhysicalDeviceProtectedMemoryFeatures>(s, none);
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES:
        fill<VkPhysicalDeviceSamplerYcbcrConversionFeatures>(s, none);
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES:
        fill<VkPhysicalDeviceShaderDrawParametersFeatures>(s,
                                                           [](auto& f) { f.shaderDrawParameters = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES:
        fill<VkPhysicalDeviceTimelineSemaphoreFeatures>(s, [](auto& f) { f.timelineSemaphore = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGELESS_FRAMEBUFFER_FEATURES:
        fill<VkPhysicalDeviceImagelessFramebufferFeatures>(s,
                                                           [](auto& f) { f.imagelessFramebuffer = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES:
        fill<VkPhysicalDeviceScalarBlockLayoutFeatures>(s, [](auto& f) { f.scalarBlockLayout = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT:
        fill<VkPhysicalDeviceDepthClipEnableFeaturesEXT>(s, [](auto& f) { f.depthClipEnable = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT:
        fill<VkPhysicalDeviceProvokingVertexFeaturesEXT>(s, [](auto& f) {
          f.provokingVertexLast = f.transformFeedbackPreservesProvokingVertex = VK_TRUE;
        });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT:
        fill<VkPhysicalDeviceTransformFeedbackFeaturesEXT>(s, [](auto& f) { f.transformFeedback = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT:
        fill<VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT>(s, [](auto& f) {
          f.primitivesGeneratedQuery = f.primitivesGeneratedQueryWithRasterizerDiscard = VK_TRUE;
        });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT:
        fill<VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT>(s, [](auto& f) {
          f.vertexAttributeInstanceRateDivisor = f.vertexAttributeInstanceRateZeroDivisor = VK_TRUE;
        });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT:
        fill<VkPhysicalDeviceConditionalRenderingFeaturesEXT>(
            s, [](auto& f) { f.conditionalRendering = f.inheritedConditionalRendering = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_QUERY_RESET_FEATURES:
        fill<VkPhysicalDeviceHostQueryResetFeatures>(s, [](auto& f) { f.hostQueryReset = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT:
        fill<VkPhysicalDeviceDepthClipControlFeaturesEXT>(s, [](auto& f) { f.depthClipControl = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT:
        fill<VkPhysicalDeviceLineRasterizationFeaturesEXT>(s, [](auto& f) {
          f.rectangularLines = f.bresenhamLines = f.smoothLines = VK_TRUE;
          f.stippledRectangularLines = f.stippledBresenhamLines = f.stippledSmoothLines = VK_TRUE;
        });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT:
        fill<VkPhysicalDeviceCustomBorderColorFeaturesEXT>(
            s, [](auto& f) { f.customBorderColors = f.customBorderColorWithoutFormat = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT:
        // A border texel goes through the view's swizzle like any other.
        fill<VkPhysicalDeviceBorderColorSwizzleFeaturesEXT>(
            s, [](auto& f) { f.borderColorSwizzle = f.borderColorSwizzleFromImage = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT:
        fill<VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT>(s,
                                                            [](auto& f) { f.nonSeamlessCubeMap = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT:
        fill<VkPhysicalDeviceMultiDrawFeaturesEXT>(s, [](auto& f) { f.multiDraw = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_4444_FORMATS_FEATURES_EXT:
        fill<VkPhysicalDevice4444FormatsFeaturesEXT>(
            s, [](auto& f) { f.formatA4R4G4B4 = f.formatA4B4G4R4 = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT:
        fill<VkPhysicalDeviceColorWriteEnableFeaturesEXT>(s, [](auto& f) { f.colorWriteEnable = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SEPARATE_DEPTH_STENCIL_LAYOUTS_FEATURES:
        // Images lie in memory in one way, whatever their layout is called.
        fill<VkPhysicalDeviceSeparateDepthStencilLayoutsFeatures>(
            s, [](auto& f) { f.separateDepthStencilLayouts = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT:
        fill<VkPhysicalDeviceRobustness2FeaturesEXT>(
            s, [](auto& f) { f.robustBufferAccess2 = f.robustImageAccess2 = f.nullDescriptor = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES:
        fill<VkPhysicalDeviceImageRobustnessFeatures>(s, [](auto& f) { f.robustImageAccess = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT:
        // There are no patches, whose control points could be set.
        fill<VkPhysicalDeviceExtendedDynamicState2FeaturesEXT>(
            s, [](auto& f) { f.extendedDynamicState2 = f.extendedDynamicState2LogicOp = VK_TRUE; });
        break;
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT:
        fill<VkPhysicalDeviceExtendedDynamicStateFeaturesEXT>(
            s, [](auto& f) { f.extendedDynamicState = VK_TRUE; });
        break;
      default:
        break;
    }
  }
}

// A structure of features is its head and nothing but VkBool32.
bool PhysicalDevice::denies(const void* chain) {
  constexpr size_t kHead = sizeof(VkBaseOutStructure), kWords = 128;
  for (auto* s = static_cast<const VkBaseInStructure*>(chain); s; s = s->pNext) {
    union {
      VkBaseOutStructure head;
      VkBool32 words[kWords];
    } have{};
    have.head.sType = s->sType;
    filled_members = 0;
    extend_features(&have.head);
    const size_t end = kHead + filled_members * sizeof(VkBool32);
    CUTAWAY_CHECK(end <= sizeof have.words);
    for (size_t at = kHead; at < end; at += sizeof(VkBool32)) {
      VkBool32 wanted = VK_FALSE, there = VK_FALSE;
      std::memcpy(&wanted, reinterpret_cast<const std::byte*>(s) + at, sizeof wanted);
      std::memcpy(&there, reinterpret_cast<const std::byte*>(&have) + at, sizeof there);
      if (wanted == VK_TRUE && there != VK_TRUE) return true;
    }
  }
  return false;
}

}  // namespace cutaway::icd
