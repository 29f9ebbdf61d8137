#pragma once

#include "icd/vulkan.h"

namespace cutaway::icd {

// State that a pipeline leaves dynamic.
enum DynamicBits : uint64_t {
  kDynamicViewport = 1 << 0,
  kDynamicScissor = 1 << 1,
  kDynamicLineWidth = 1 << 2,
  kDynamicDepthBias = 1 << 3,
  kDynamicBlendConstants = 1 << 4,
  kDynamicDepthBounds = 1 << 5,
  kDynamicStencilReadMask = 1 << 6,
  kDynamicStencilWriteMask = 1 << 7,
  kDynamicStencilReference = 1 << 8,
  kDynamicLineStipple = 1 << 9,
  kDynamicCullMode = 1 << 10,
  kDynamicFrontFace = 1 << 11,
  kDynamicTopology = 1 << 12,
  kDynamicViewportCount = 1 << 13,
  kDynamicScissorCount = 1 << 14,
  kDynamicVertexStride = 1 << 15,
  kDynamicDepthTest = 1 << 16,
  kDynamicDepthWrite = 1 << 17,
  kDynamicDepthCompare = 1 << 18,
  kDynamicDepthBoundsTest = 1 << 19,
  kDynamicStencilTest = 1 << 20,
  kDynamicStencilOp = 1 << 21,
  kDynamicColorWrite = 1 << 22,
  kDynamicDiscard = 1 << 23,  // before the rasterizer
  kDynamicDepthBiasOn = 1 << 24,
  kDynamicPrimitiveRestart = 1 << 25,
  kDynamicLogicOp = 1 << 26,
  kDynamicPatchVertices = 1 << 27,
  kDynamicVertexInput = 1 << 28,
  kDynamicDomainOrigin = 1 << 29,
  kDynamicDepthClamp = 1 << 30,
  kDynamicPolygonMode = uint64_t{1} << 31,
  kDynamicSamples = uint64_t{1} << 32,
  kDynamicSampleMask = uint64_t{1} << 33,
  kDynamicAlphaToCoverage = uint64_t{1} << 34,
  kDynamicAlphaToOne = uint64_t{1} << 35,
  kDynamicLogicOpOn = uint64_t{1} << 36,
  kDynamicBlendOn = uint64_t{1} << 37,
  kDynamicBlendEquation = uint64_t{1} << 38,
  kDynamicWriteMask = uint64_t{1} << 39,
  kDynamicDepthClip = uint64_t{1} << 40,
  kDynamicProvokingVertex = uint64_t{1} << 41,
  kDynamicLineMode = uint64_t{1} << 42,
  kDynamicLineStippleOn = uint64_t{1} << 43,
  kDynamicDepthRange = uint64_t{1} << 44,  // negativeOneToOne
};

// The DynamicBits of a state. ApiError: the driver does not support it.
uint64_t dynamic_bits(VkDynamicState state);

// All that a target's blending follows from.
constexpr uint64_t kDynamicBlending = kDynamicBlendOn | kDynamicBlendEquation | kDynamicWriteMask;
// All that ExtendedState holds.
constexpr uint64_t kDynamicExtended =
    kDynamicDomainOrigin | kDynamicDepthClamp | kDynamicPolygonMode | kDynamicSamples | kDynamicSampleMask |
    kDynamicAlphaToCoverage | kDynamicAlphaToOne | kDynamicLogicOpOn | kDynamicLogicOp | kDynamicBlending |
    kDynamicDepthClip | kDynamicProvokingVertex | kDynamicLineMode | kDynamicLineStippleOn |
    kDynamicLineStipple | kDynamicDepthRange;
// State that programs are compiled for.
constexpr uint64_t kDynamicCompiled =
    kDynamicTopology | kDynamicPolygonMode | kDynamicSamples | kDynamicAlphaToCoverage | kDynamicWriteMask;

}  // namespace cutaway::icd
