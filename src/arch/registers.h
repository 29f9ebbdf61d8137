#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "arch/surface.h"

// The register file: an array of 32-bit words with names. SET_REGISTERS writes words; a register's number is
// its offset in this structure divided by four. All words are zero when a submission starts.
namespace cutaway::arch {

constexpr uint32_t kVertexAttributes = 16;
constexpr uint32_t kVertexBindings = 16;
constexpr uint32_t kColorTargets = 8;
constexpr uint32_t kViewports = 16;
constexpr uint32_t kInterpolants = 32;     // vec4 each
constexpr uint32_t kShaderOutputs = 40;    // vec4 each; vertex output 0 is the clip-space position
constexpr uint32_t kConstants = 1024;      // vec4 constant registers per stage
constexpr uint32_t kResources = 64;        // Surface descriptors per stage
constexpr uint32_t kSamplers = 32;         // Sampler descriptors per stage
constexpr uint32_t kTemporaries = 128;     // vec4 temporaries that a program can name
constexpr uint32_t kInstructions = 65536;  // most instructions of a program
constexpr uint32_t kScratchBytes = 16384;  // most scratch memory of a thread
constexpr uint32_t kWorkgroupInvocations = 1024;
constexpr uint32_t kWorkgroupBytes = 32768;  // most shared memory of a workgroup
constexpr uint32_t kMaxPointSize = 256;      // pixels
constexpr uint32_t kMaxLineWidth = 64;       // pixels
constexpr uint32_t kFeedbackBuffers = 4;
constexpr uint32_t kFeedbackOutputs = 128;  // most components of a vertex that transform feedback captures
constexpr uint32_t kNoOutput = 0xff;        // number of an optional shader output that is not written
constexpr uint32_t kVertexInputs =
    kShaderOutputs;                            // vec4 that a program reads of each vertex of its primitive
constexpr uint32_t kStreams = 4;               // most streams that a geometry program emits vertices to
constexpr uint32_t kMaxEmittedVertices = 256;  // by one invocation of a geometry program
constexpr uint32_t kEmittedRegisters = 2048;   // most emitted vertices times outputs that the program writes
constexpr uint32_t kGeometryInvocations = 32;  // most invocations per primitive
constexpr uint32_t kPatchVertices = 32;        // most vertices of a patch
constexpr uint32_t kPatchBytes = 32768;        // most memory of a patch
constexpr uint32_t kMaxTessFactor = 64;

struct ShaderRegisters {
  Word64 program;          // address of its instructions, 16 bytes each
  uint32_t instructions;   // 0: the stage is off
  uint32_t temporaries;    // live vec4 registers per thread: limits the occupancy
  uint32_t flags;          // ShaderFlags
  uint32_t inputs;         // vec4 input registers in use (vertex: attributes, fragment: interpolants)
  uint32_t outputs;        // bit i: output register i is written (i < 32)
  uint32_t scratch_bytes;  // per thread: a multiple of 16, at most kScratchBytes
};

enum ShaderFlags : uint32_t {
  kShaderKills = 1 << 0,
  kShaderWritesDepth = 1 << 1,       // fragment output kOutputDepth .x
  kShaderWritesSampleMask = 1 << 2,  // fragment output kOutputDepth .y
  kShaderWritesStencil = 1 << 3,     // fragment output kOutputDepth .z
  kShaderReadsFragCoord = 1 << 4,
  kShaderReadsFrontFacing = 1 << 5,
  kShaderReadsPointCoord = 1 << 6,
  kShaderEarlyTests = 1 << 7,  // the program asks for early fragment tests
  kShaderWritesMemory = 1 << 8,
  kShaderDerivatives = 1 << 9,       // derivatives or implicit level of detail: helper lanes must run
  kShaderPerSample = 1 << 10,        // the program requests per-sample shading; the driver then sets
                                     // sample_shading
  kShaderDepthNotLess = 1 << 11,     // exports no depth below the interpolated one (arch/depth_promise.h)
  kShaderDepthNotGreater = 1 << 12,  // exports none above it
};

struct VertexAttribute {
  uint32_t format;   // Format; UNDEFINED: input register i reads (0, 0, 0, 1)
  uint32_t binding;  // 0..15
  uint32_t offset;   // bytes from the start of the element
};

struct VertexBinding {
  Word64 address;
  uint32_t bytes;      // readable from address; reads beyond give zeros (DX-3)
  uint32_t stride;     // bytes
  uint32_t step_mode;  // StepMode
  uint32_t divisor;    // instances per element; 0: every instance reads the first
};

struct Viewport {
  float scale[3], offset[3];  // window = ndc × scale + offset
};

struct Scissor {
  int32_t x, y;
  uint32_t width, height;
};

// The vertex output that the rasteriser reads for an interpolant.
struct Interpolant {
  uint32_t source;    // vertex output register
  uint32_t mode;      // Interpolation
  uint32_t location;  // SampleLocation
};

struct StencilFace {
  uint32_t fail, depth_fail, pass;  // StencilOp
  uint32_t compare;                 // Compare
  uint32_t reference, read_mask, write_mask;
};

struct ColorTarget {
  Surface surface;  // base_level and base_layer select the render target
  uint32_t blend;   // 1: on
  uint32_t color_source, color_destination, color_op;
  uint32_t alpha_source, alpha_destination, alpha_op;
  uint32_t write_mask;  // bit 0 R … bit 3 A; 0: the target is off
};

// A buffer for captured vertices of transform feedback, `stride` bytes apart.
struct FeedbackBuffer {
  Word64 address;   // a multiple of 4
  uint32_t bytes;   // writable from address
  uint32_t stride;  // bytes of a vertex, a multiple of 4
};

// One captured component of a vertex. Bits 0..7: vertex output register, 8..9: its component, 12..13: the
// buffer, 14..15: the stream of the vertex, 16..31: bytes from the start of the vertex, a multiple of 4. All
// components that go to a buffer are of one stream.
struct FeedbackOutput {
  uint32_t word;

  static constexpr FeedbackOutput make(uint32_t source, uint32_t component, uint32_t buffer, uint32_t offset,
                                       uint32_t stream = 0) {
    return {source | component << 8 | buffer << 12 | stream << 14 | offset << 16};
  }
  constexpr uint32_t source() const { return word & 0xff; }
  constexpr uint32_t component() const { return word >> 8 & 3; }
  constexpr uint32_t buffer() const { return word >> 12 & 3; }
  constexpr uint32_t stream() const { return word >> 14 & 3; }
  constexpr uint32_t offset() const { return word >> 16; }
};

struct ComputeRegisters {
  uint32_t local_size[3];  // invocations of a workgroup in x, y, z
  uint32_t shared_bytes;   // memory of a workgroup
};

// Maps a program's input registers per vertex of its primitive (LDV) to outputs of the previous stage:
// register i is output source[i]; kNoOutput reads zeros, as do registers from `count` on.
struct VertexInputs {
  uint32_t count;
  uint32_t source[kVertexInputs];
};

struct GeometryRegisters {
  uint32_t output_topology;  // Topology: a list of points, a strip of lines or of triangles
  uint32_t max_vertices;     // vertices per invocation; later ones are dropped
  uint32_t invocations;      // per primitive; 0 reads as 1
  VertexInputs inputs;
};

// A patch's memory begins with its factors (kPatchOuter, kPatchInner); the programs use the rest.
struct TessellationRegisters {
  uint32_t patch_vertices;   // vertices of each assembled patch
  uint32_t output_vertices;  // invocations of the control program per patch
  uint32_t patch_bytes;      // memory of a patch: a multiple of 16
  uint32_t domain;           // TessDomain
  uint32_t spacing;          // TessSpacing
  uint32_t clockwise;        // 1: triangles turn clockwise, if u points right and v points down
  uint32_t point_mode;       // 1: a point for each point of the domain
  VertexInputs inputs;       // of the control program
};
constexpr uint32_t kPatchOuter = 0, kPatchInner = 16;  // bytes: four and two floats
constexpr uint32_t kPatchFactorBytes = 32;

struct Registers {
  struct {
    uint32_t topology;           // Topology
    uint32_t primitive_restart;  // 1: an index of all ones restarts
    uint32_t index_type;         // IndexType
    uint32_t index_bytes;        // readable from index_address; reads beyond give index 0
    Word64 index_address;
    uint32_t provoking_vertex;   // ProvokingVertex
    uint32_t vertex_base_in_id;  // 1: the vertex and instance ids that a program reads include the first
                                 // vertex or vertex offset and the first instance (Vulkan)
    VertexAttribute attribute[kVertexAttributes];
    VertexBinding binding[kVertexBindings];
  } assembly;

  ShaderRegisters shader[kStages];  // by Stage

  struct {
    uint32_t point_size, layer, viewport_index;  // output registers (.x), or kNoOutput
    uint32_t clip_distances, cull_distances;     // counts
    uint32_t clip_distance;  // first of up to two output registers with clip, then cull distances
    uint32_t interpolants;
    Interpolant interpolant[kInterpolants];
  } vertex_out;

  struct {
    uint32_t depth_clamp;
    uint32_t depth_clip;  // DepthClipBits
    uint32_t cull_mode;   // CullBits
    uint32_t front_face;  // FrontFace
    uint32_t polygon_mode;
    uint32_t rasterizer_discard;
    uint32_t depth_bias;  // 1: on
    float depth_bias_constant, depth_bias_slope, depth_bias_clamp;
    float line_width;
    uint32_t line_mode, line_stipple;  // stipple: bits 0..15 pattern, 16..31 factor; factor 0: off
    uint32_t samples;                  // 1, 2, 4, 8; 0 reads as 1
    uint32_t sample_mask;              // of the pipeline; bit per sample
    uint32_t alpha_to_coverage, alpha_to_one, sample_shading;
    uint32_t width, height, layers;  // of the framebuffer: nothing is drawn outside it
    uint32_t viewports;
    float depth_range_min[kViewports], depth_range_max[kViewports];  // for depth clamp
    Viewport viewport[kViewports];
    Scissor scissor[kViewports];
  } raster;

  struct {
    Surface surface;          // UNDEFINED format: no depth or stencil attachment
    uint32_t mode;            // DepthMode
    uint32_t hierarchical_z;  // 1: tiles may be rejected by the hierarchical Z buffer
    uint32_t depth_test, depth_write, depth_compare;
    uint32_t bounds_test;
    float bounds_min, bounds_max;
    uint32_t stencil_test;
    StencilFace front, back;
  } depth;

  struct {
    ColorTarget target[kColorTargets];
    float blend_constant[4];
    uint32_t logic_op_enable, logic_op;
    uint32_t dual_source;  // 1: fragment output 1 is the second source of target 0
  } color;

  struct {
    uint32_t samples_passed;  // 1: count samples that pass
    uint32_t statistics;      // 1: count pipeline statistics
  } query;

  struct {
    uint32_t on;       // 1: vertices of primitives are captured
    uint32_t outputs;  // number of captured components
    FeedbackBuffer buffer[kFeedbackBuffers];
    FeedbackOutput output[kFeedbackOutputs];
  } feedback;
  ComputeRegisters compute;
  GeometryRegisters geometry;
  uint32_t primitive_id_output;  // 1 + the output of the last stage before the rasteriser whose x is the
                                 // primitive id of fragment programs; 0: the id is the input primitive's
  TessellationRegisters tessellation;
};
static_assert(std::is_trivially_copyable_v<Registers> && sizeof(Registers) % 4 == 0 &&
              alignof(Registers) == 4);

constexpr uint32_t kRegisterWords = sizeof(Registers) / 4;

// Shader input registers beyond attributes and interpolants.
constexpr uint32_t kInputVertexId =
    32;  // vertex stage: x vertex id, y instance id, z first vertex, w first instance
constexpr uint32_t kInputDraw = 33;       // vertex stage: x number of the draw in its indirect packet
constexpr uint32_t kInputFragCoord = 32;  // fragment stage: x, y, z, 1/w (Vulkan "FragCoord")
constexpr uint32_t kInputFragment = 33;   // fragment stage: x all ones if front facing, y sample id, z sample
                                          // mask, w primitive id; unsigned integers
constexpr uint32_t kInputPointCoord = 34;  // fragment stage: x, y
constexpr uint32_t kInputLocalId = 32;     // compute stage: x, y, z LocalInvocationId, w LocalInvocationIndex
constexpr uint32_t kInputWorkgroupId = 33;  // compute stage: x, y, z
constexpr uint32_t kInputWorkgroups = 34;   // compute stage: x, y, z NumWorkgroups
constexpr uint32_t kInputPrimitive = 32;    // tessellation, geometry stages: x primitive id, y invocation id,
                                            // z vertices of the input patch
constexpr uint32_t kInputTessCoord = 33;    // tessellation evaluation stage: x, y, z
constexpr uint32_t kShaderInputs = 35;

// Fragment output registers: 0 to 7 are colors.
constexpr uint32_t kOutputDepth = 8;  // x depth, y sample mask (unsigned), z stencil reference (unsigned)
constexpr uint32_t kFragmentOutputs = 9;

}  // namespace cutaway::arch

// Number of the first register of a field, for example CUTAWAY_REGISTER(raster.scissor).
#define CUTAWAY_REGISTER(field) static_cast<uint32_t>(offsetof(::cutaway::arch::Registers, field) / 4)
