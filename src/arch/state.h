#pragma once

#include <cstdint>

// The enumerations in registers, descriptors and packets. They have Vulkan's numbers if Vulkan has the same
// enumeration, so that a driver copies them.
namespace cutaway::arch {

enum class Stage : uint32_t { kVertex, kTessControl, kTessEvaluation, kGeometry, kFragment, kCompute };
constexpr uint32_t kStages = 6;

enum class Topology : uint32_t {
  kPointList,
  kLineList,
  kLineStrip,
  kTriangleList,
  kTriangleStrip,
  kTriangleFan,
  kLineListAdjacency,
  kLineStripAdjacency,
  kTriangleListAdjacency,
  kTriangleStripAdjacency,
  kPatchList,
};

// The domain that a tessellator divides, and the spacing (Vulkan "Tessellation"; DX-11).
enum class TessDomain : uint32_t { kTriangles, kQuads, kIsolines };
enum class TessSpacing : uint32_t { kEqual, kFractionalEven, kFractionalOdd, kPowerOfTwo };

enum class IndexType : uint32_t { kUint16, kUint32, kUint8 };
enum class StepMode : uint32_t { kVertex, kInstance };
enum class PolygonMode : uint32_t { kFill, kLine, kPoint };
enum class LineMode : uint32_t { kDefault, kRectangular, kBresenham, kRectangularSmooth };
enum class ProvokingVertex : uint32_t { kFirst, kLast };
enum CullBits : uint32_t { kCullNone = 0, kCullFront = 1, kCullBack = 2 };
// Clips to 0 <= z <= w; with kClipFromMinusOne to -w <= z <= w.
enum DepthClipBits : uint32_t { kClipDepth = 1, kClipFromMinusOne = 2 };
enum class FrontFace : uint32_t { kCounterClockwise, kClockwise };

enum class Compare : uint32_t {
  kNever,
  kLess,
  kEqual,
  kLessOrEqual,
  kGreater,
  kNotEqual,
  kGreaterOrEqual,
  kAlways
};

enum class StencilOp : uint32_t {
  kKeep,
  kZero,
  kReplace,
  kIncrementClamp,
  kDecrementClamp,
  kInvert,
  kIncrementWrap,
  kDecrementWrap,
};

enum class BlendFactor : uint32_t {
  kZero,
  kOne,
  kSrcColor,
  kOneMinusSrcColor,
  kDstColor,
  kOneMinusDstColor,
  kSrcAlpha,
  kOneMinusSrcAlpha,
  kDstAlpha,
  kOneMinusDstAlpha,
  kConstantColor,
  kOneMinusConstantColor,
  kConstantAlpha,
  kOneMinusConstantAlpha,
  kSrcAlphaSaturate,
  kSrc1Color,
  kOneMinusSrc1Color,
  kSrc1Alpha,
  kOneMinusSrc1Alpha,
};

enum class BlendOp : uint32_t { kAdd, kSubtract, kReverseSubtract, kMin, kMax };

enum class LogicOp : uint32_t {
  kClear,
  kAnd,
  kAndReverse,
  kCopy,
  kAndInverted,
  kNoOp,
  kXor,
  kOr,
  kNor,
  kEquivalent,
  kInvert,
  kOrReverse,
  kCopyInverted,
  kOrInverted,
  kNand,
  kSet,
};

enum class Filter : uint32_t { kNearest, kLinear };
enum class MipMode : uint32_t { kNearest, kLinear, kBase };  // kBase: the view's first level only
enum class Wrap : uint32_t { kRepeat, kMirroredRepeat, kClampToEdge, kClampToBorder, kMirrorClampToEdge };

enum class SurfaceType : uint32_t { kNone, k1D, k2D, k3D, kCube, kTexelBuffer, kRawBuffer };
enum class Tiling : uint32_t { kLinear, kTiled };

// Method of evaluating an interpolant.
enum class Interpolation : uint32_t { kPerspective, kFlat, kLinear };
enum class SampleLocation : uint32_t { kCenter, kCentroid, kSample };

// Position of the depth and stencil test in the pipeline (Vulkan "Early Fragment Tests").
enum class DepthMode : uint32_t {
  kEarly,  // tested and written before shading
  kLate,   // tested and written after shading
  // Tested and written after shading: for shaders that discard. Before shading, a unit may reject fragments
  // that the later test would reject whatever earlier quads still write; see command_stream/legal.h.
  kEarlyTestLateWrite
};

// Caches that a flush or an invalidate packet names; see docs/hardware.md "Caches".
enum CacheBits : uint32_t {
  kCacheColor = 1 << 0,     // flush: writes dirty color lines to memory; invalidate: discards clean ones
  kCacheDepth = 1 << 1,     // the same for depth and stencil
  kCacheTexture = 1 << 2,   // texture and buffer-load caches (invalidate only)
  kCacheVertex = 1 << 3,    // vertex and index fetch caches (invalidate only)
  kCacheConstant = 1 << 4,  // the constant loader's prefetch (invalidate only)
  // Data that programs store to buffers and images, and data that they load from there.
  kCacheStorage = 1 << 5,
  kCacheAll = 63,
};

enum class CopyAspect : uint32_t { kAll, kDepth, kStencil };

// Running counters, zero at the start of each submission: a draw's contribution is the difference of two
// queries.
enum class QueryKind : uint32_t {
  kSamplesPassed,        // fragments that passed all tests and were not discarded, 64 bits
  kTimestamp,            // GPU ticks, 64 bits; not architectural: verify masks it
  kStatistics,           // 11 × 64 bits in Vulkan's order of pipeline statistics
  kPrimitives,           // transform feedback of stream 0: written, needed
  kPrimitivesOfStream1,  // the same for the other streams
  kPrimitivesOfStream2,
  kPrimitivesOfStream3,
  // Primitives made by the last stage before the rasteriser, with geometry for a given stream: 64 bits.
  kGeneratedOfStream0,
  kGeneratedOfStream1,
  kGeneratedOfStream2,
  kGeneratedOfStream3,
};

// Destination of the counters that WRITE_QUERY writes.
enum class QueryPoint : uint32_t {
  kValues,  // consecutive 64-bit values
  kBegin,   // QuerySlot::begin of consecutive slots
  kEnd,     // QuerySlot::end of consecutive slots, and 1 to `available`
};

constexpr uint32_t kStatistics = 11;  // pipeline statistics that Vulkan 1.1 names

// Number of counters of a kind; 0: there is no such kind.
constexpr uint32_t query_values(uint32_t kind) {
  constexpr uint32_t kValues[] = {1, 1, kStatistics, 2, 2, 2, 2, 1, 1, 1, 1};
  return kind < sizeof kValues / sizeof kValues[0] ? kValues[kind] : 0;
}

// Pipeline statistics that every GPU of this contract counts alike, one bit each: vertices and primitives of
// input assembly, geometry program invocations and primitives, patches, compute invocations. The others
// depend on how a chip reuses and groups its work, so verify masks them.
constexpr uint32_t kArchitecturalStatistics = 1 << 0 | 1 << 1 | 1 << 3 | 1 << 4 | 1 << 8 | 1 << 10;

}  // namespace cutaway::arch
