#include "icd/device/fill_structure.h"
#include "icd/device/offer.h"
#include "icd/device/physical_device.h"
#include "icd/device/version_features.h"

// The features of the physical device: version 1.0's, and those of later versions and extensions.
namespace cutaway::icd {
namespace {

// The other features are of extensions that the driver does not have.
void fill_dynamic_state3(VkPhysicalDeviceExtendedDynamicState3FeaturesEXT& f) {
  f.extendedDynamicState3TessellationDomainOrigin = offer().tessellation;
  f.extendedDynamicState3DepthClampEnable = f.extendedDynamicState3DepthClipEnable = VK_TRUE;
  f.extendedDynamicState3DepthClipNegativeOneToOne = VK_TRUE;
  f.extendedDynamicState3PolygonMode = f.extendedDynamicState3ProvokingVertexMode = VK_TRUE;
  f.extendedDynamicState3LineRasterizationMode = f.extendedDynamicState3LineStippleEnable = VK_TRUE;
  f.extendedDynamicState3RasterizationSamples = f.extendedDynamicState3SampleMask = VK_TRUE;
  f.extendedDynamicState3AlphaToCoverageEnable = f.extendedDynamicState3AlphaToOneEnable = VK_TRUE;
  f.extendedDynamicState3LogicOpEnable = f.extendedDynamicState3ColorBlendEnable = VK_TRUE;
  f.extendedDynamicState3ColorBlendEquation = f.extendedDynamicState3ColorWriteMask = VK_TRUE;
}

// One structure of features. Gives the number of its features; 0: one that is unknown, which is left alone.
size_t fill_features(VkBaseOutStructure* s) {
  switch (s->sType) {
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT:
      return fill<VkPhysicalDeviceDepthClipEnableFeaturesEXT>(s,
                                                              [](auto& f) { f.depthClipEnable = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROVOKING_VERTEX_FEATURES_EXT:
      return fill<VkPhysicalDeviceProvokingVertexFeaturesEXT>(
          s, [](auto& f) { f.provokingVertexLast = f.transformFeedbackPreservesProvokingVertex = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT:
      return fill<VkPhysicalDeviceTransformFeedbackFeaturesEXT>(s, [](auto& f) {
        f.transformFeedback = VK_TRUE;
        f.geometryStreams = offer().geometry;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVES_GENERATED_QUERY_FEATURES_EXT:
      return fill<VkPhysicalDevicePrimitivesGeneratedQueryFeaturesEXT>(s, [](auto& f) {
        f.primitivesGeneratedQuery = f.primitivesGeneratedQueryWithRasterizerDiscard = VK_TRUE;
        f.primitivesGeneratedQueryWithNonZeroStreams = offer().geometry;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT:
      return fill<VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT>(s, [](auto& f) {
        f.vertexAttributeInstanceRateDivisor = f.vertexAttributeInstanceRateZeroDivisor = VK_TRUE;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT:
      return fill<VkPhysicalDeviceConditionalRenderingFeaturesEXT>(
          s, [](auto& f) { f.conditionalRendering = f.inheritedConditionalRendering = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_CONTROL_FEATURES_EXT:
      return fill<VkPhysicalDeviceDepthClipControlFeaturesEXT>(s,
                                                               [](auto& f) { f.depthClipControl = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT:
      return fill<VkPhysicalDeviceLineRasterizationFeaturesEXT>(s, [](auto& f) {
        f.rectangularLines = f.bresenhamLines = f.smoothLines = VK_TRUE;
        f.stippledRectangularLines = f.stippledBresenhamLines = f.stippledSmoothLines = VK_TRUE;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT:
      return fill<VkPhysicalDeviceCustomBorderColorFeaturesEXT>(
          s, [](auto& f) { f.customBorderColors = f.customBorderColorWithoutFormat = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BORDER_COLOR_SWIZZLE_FEATURES_EXT:
      // A border texel goes through the view's swizzle like any other.
      return fill<VkPhysicalDeviceBorderColorSwizzleFeaturesEXT>(
          s, [](auto& f) { f.borderColorSwizzle = f.borderColorSwizzleFromImage = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_NON_SEAMLESS_CUBE_MAP_FEATURES_EXT:
      return fill<VkPhysicalDeviceNonSeamlessCubeMapFeaturesEXT>(
          s, [](auto& f) { f.nonSeamlessCubeMap = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTI_DRAW_FEATURES_EXT:
      return fill<VkPhysicalDeviceMultiDrawFeaturesEXT>(s, [](auto& f) { f.multiDraw = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT:
      return fill<VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT>(s, [](auto& f) {
        f.primitiveTopologyListRestart = VK_TRUE;
        f.primitiveTopologyPatchListRestart = offer().tessellation;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_4444_FORMATS_FEATURES_EXT:
      return fill<VkPhysicalDevice4444FormatsFeaturesEXT>(
          s, [](auto& f) { f.formatA4R4G4B4 = f.formatA4B4G4R4 = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COLOR_WRITE_ENABLE_FEATURES_EXT:
      return fill<VkPhysicalDeviceColorWriteEnableFeaturesEXT>(s,
                                                               [](auto& f) { f.colorWriteEnable = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TEXEL_BUFFER_ALIGNMENT_FEATURES_EXT:
      return fill<VkPhysicalDeviceTexelBufferAlignmentFeaturesEXT>(
          s, [](auto& f) { f.texelBufferAlignment = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_2D_VIEW_OF_3D_FEATURES_EXT:
      return fill<VkPhysicalDeviceImage2DViewOf3DFeaturesEXT>(s,
                                                              [](auto& f) { f.image2DViewOf3D = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ATTACHMENT_FEEDBACK_LOOP_LAYOUT_FEATURES_EXT:
      return fill<VkPhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT>(
          s, [](auto& f) { f.attachmentFeedbackLoopLayout = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT:
      return fill<VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT>(
          s, [](auto& f) { f.graphicsPipelineLibrary = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR:
      // Invocations count their own instructions: no clock is shared by all of the device.
      return fill<VkPhysicalDeviceShaderClockFeaturesKHR>(s,
                                                          [](auto& f) { f.shaderSubgroupClock = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INDEX_TYPE_UINT8_FEATURES_EXT:
      return fill<VkPhysicalDeviceIndexTypeUint8FeaturesEXT>(s, [](auto& f) { f.indexTypeUint8 = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT:
      return fill<VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT>(
          s, [](auto& f) { f.vertexInputDynamicState = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT:
      return fill<VkPhysicalDeviceRobustness2FeaturesEXT>(
          s, [](auto& f) { f.robustBufferAccess2 = f.robustImageAccess2 = f.nullDescriptor = VK_TRUE; });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT:
      return fill<VkPhysicalDeviceExtendedDynamicState2FeaturesEXT>(s, [](auto& f) {
        f.extendedDynamicState2 = f.extendedDynamicState2LogicOp = VK_TRUE;
        f.extendedDynamicState2PatchControlPoints = offer().tessellation;
      });
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT:
      return fill<VkPhysicalDeviceExtendedDynamicState3FeaturesEXT>(s, fill_dynamic_state3);
    case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_FEATURES_EXT:
      return fill<VkPhysicalDeviceExtendedDynamicStateFeaturesEXT>(
          s, [](auto& f) { f.extendedDynamicState = VK_TRUE; });
    default:
      return fill_promoted_features(s);
  }
}

}  // namespace

VkPhysicalDeviceFeatures PhysicalDevice::features() {
  VkPhysicalDeviceFeatures f{};
  f.vertexPipelineStoresAndAtomics = offer().vertex_stores;
  f.fragmentStoresAndAtomics = offer().fragment_stores;
  f.shaderUniformBufferArrayDynamicIndexing = VK_TRUE;
  f.shaderStorageBufferArrayDynamicIndexing = VK_TRUE;
  f.shaderSampledImageArrayDynamicIndexing = f.shaderStorageImageArrayDynamicIndexing = VK_TRUE;
  f.shaderStorageImageExtendedFormats = VK_TRUE;
  f.shaderStorageImageReadWithoutFormat = VK_TRUE;
  f.shaderStorageImageWriteWithoutFormat = VK_TRUE;
  f.robustBufferAccess = VK_TRUE;  // "Required": reads outside a buffer give zeros, see arch::VertexBinding
  f.shaderInt16 = f.shaderInt64 = VK_TRUE;
  f.shaderFloat64 = offer().doubles;
  f.fullDrawIndexUint32 = VK_TRUE;
  f.independentBlend = VK_TRUE;
  f.logicOp = VK_TRUE;
  f.dualSrcBlend = VK_TRUE;
  f.occlusionQueryPrecise = f.pipelineStatisticsQuery = VK_TRUE;
  f.imageCubeArray = VK_TRUE;
  f.samplerAnisotropy = VK_TRUE;
  f.shaderImageGatherExtended = VK_TRUE;
  f.textureCompressionBC = VK_TRUE;
  f.depthClamp = VK_TRUE;
  f.depthBiasClamp = VK_TRUE;
  f.fillModeNonSolid = VK_TRUE;
  f.depthBounds = VK_TRUE;
  f.wideLines = VK_TRUE;
  f.largePoints = VK_TRUE;
  f.multiViewport = VK_TRUE;
  f.alphaToOne = VK_TRUE;
  f.sampleRateShading = VK_TRUE;
  f.shaderClipDistance = VK_TRUE;
  f.multiDrawIndirect = VK_TRUE;
  f.drawIndirectFirstInstance = VK_TRUE;
  f.inheritedQueries = VK_TRUE;
  f.shaderCullDistance = VK_TRUE;
  f.geometryShader = offer().geometry;
  f.tessellationShader = offer().tessellation;
  f.sparseBinding = f.sparseResidencyBuffer = offer().sparse;
  f.sparseResidencyImage2D = f.sparseResidencyImage3D = offer().sparse;
  f.shaderTessellationAndGeometryPointSize = offer().geometry || offer().tessellation;
  return f;
}

void PhysicalDevice::extend_features(void* chain) {
  for (auto* s = static_cast<VkBaseOutStructure*>(chain); s; s = s->pNext) fill_features(s);
}

}  // namespace cutaway::icd
