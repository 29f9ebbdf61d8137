#include "icd/stream/dynamic_bits.h"

#include "icd/api_error.h"

namespace cutaway::icd {

uint64_t dynamic_bits(VkDynamicState state) {
  switch (state) {
    case VK_DYNAMIC_STATE_VIEWPORT:
      return kDynamicViewport;
    case VK_DYNAMIC_STATE_SCISSOR:
      return kDynamicScissor;
    case VK_DYNAMIC_STATE_LINE_WIDTH:
      return kDynamicLineWidth;
    case VK_DYNAMIC_STATE_DEPTH_BIAS:
      return kDynamicDepthBias;
    case VK_DYNAMIC_STATE_BLEND_CONSTANTS:
      return kDynamicBlendConstants;
    case VK_DYNAMIC_STATE_DEPTH_BOUNDS:
      return kDynamicDepthBounds;
    case VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK:
      return kDynamicStencilReadMask;
    case VK_DYNAMIC_STATE_STENCIL_WRITE_MASK:
      return kDynamicStencilWriteMask;
    case VK_DYNAMIC_STATE_STENCIL_REFERENCE:
      return kDynamicStencilReference;
    case VK_DYNAMIC_STATE_LINE_STIPPLE_EXT:
      return kDynamicLineStipple;
    case VK_DYNAMIC_STATE_CULL_MODE:
      return kDynamicCullMode;
    case VK_DYNAMIC_STATE_FRONT_FACE:
      return kDynamicFrontFace;
    case VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY:
      return kDynamicTopology;
    case VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT:
      return kDynamicViewport | kDynamicViewportCount;
    case VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT:
      return kDynamicScissor | kDynamicScissorCount;
    case VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE:
      return kDynamicVertexStride;
    case VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE:
      return kDynamicDepthTest;
    case VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE:
      return kDynamicDepthWrite;
    case VK_DYNAMIC_STATE_DEPTH_COMPARE_OP:
      return kDynamicDepthCompare;
    case VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE:
      return kDynamicDepthBoundsTest;
    case VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE:
      return kDynamicStencilTest;
    case VK_DYNAMIC_STATE_STENCIL_OP:
      return kDynamicStencilOp;
    case VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT:
      return kDynamicColorWrite;
    case VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE:
      return kDynamicDiscard;
    case VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE:
      return kDynamicDepthBiasOn;
    case VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE:
      return kDynamicPrimitiveRestart;
    case VK_DYNAMIC_STATE_LOGIC_OP_EXT:
      return kDynamicLogicOp;
    case VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT:
      return kDynamicPatchVertices;
    case VK_DYNAMIC_STATE_VERTEX_INPUT_EXT:
      return kDynamicVertexInput | kDynamicVertexStride;
    case VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT:
      return kDynamicDomainOrigin;
    case VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT:
      return kDynamicDepthClamp;
    case VK_DYNAMIC_STATE_POLYGON_MODE_EXT:
      return kDynamicPolygonMode;
    case VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT:
      return kDynamicSamples;
    case VK_DYNAMIC_STATE_SAMPLE_MASK_EXT:
      return kDynamicSampleMask;
    case VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT:
      return kDynamicAlphaToCoverage;
    case VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT:
      return kDynamicAlphaToOne;
    case VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT:
      return kDynamicLogicOpOn;
    case VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT:
      return kDynamicBlendOn;
    case VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT:
      return kDynamicBlendEquation;
    case VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT:
      return kDynamicWriteMask;
    case VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT:
      return kDynamicDepthClip;
    case VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT:
      return kDynamicProvokingVertex;
    case VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT:
      return kDynamicLineMode;
    case VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT:
      return kDynamicLineStippleOn;
    case VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT:
      return kDynamicDepthRange;
    default:
      unsupported("dynamic state {}", static_cast<int>(state));
  }
}

}  // namespace cutaway::icd
