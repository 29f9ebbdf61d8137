#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "arch/registers.h"
#include "isa/instruction.h"

namespace cutaway::isa {

// The data that the driver loads into a run of constant registers before a draw.
struct ConstantRange {
  enum class Kind : uint8_t {
    kLiteral,        // Program::literals[offset / 16 …]
    kPushConstant,   // bytes of the push constant block
    kUniformBuffer,  // bytes of the buffer bound at (set, binding, element)
    kView,           // x: the number of the view being drawn (Vulkan "ViewIndex")
  };
  Kind kind = Kind::kLiteral;
  uint32_t set = 0, binding = 0, element = 0;
  uint32_t offset = 0;  // bytes, a multiple of 16
  uint32_t first = 0;   // constant register
  uint32_t count = 0;   // vec4
};

// The descriptor behind a resource or sampler slot.
struct SlotBinding {
  uint32_t set = 0, binding = 0, element = 0;

  // The set number of a raw buffer from address 0 on, as long as its descriptor allows: the target of
  // pointers that hold addresses.
  static constexpr uint32_t kAllMemory = ~0u;
};

// Locations of values that have none of their own: clip and cull distances, two locations each, when another
// program reads them; position and point size of each vertex of a primitive; layer and viewport of a
// fragment. User locations are below.
constexpr uint32_t kVaryingLocations = 56;
constexpr uint32_t kViewportLocation = 56, kLayerLocation = 57, kPointSizeLocation = 58, kClipLocation = 59,
                   kCullLocation = 61, kPositionLocation = 63;

// A vertex output or fragment input. Its location links the stages.
struct Varying {
  uint32_t location = 0;
  uint32_t reg = 0;  // vertex: output register, fragment: input register, geometry: register of LDV
  uint8_t mask = 0;  // components written or read
  arch::Interpolation mode = arch::Interpolation::kPerspective;
  arch::SampleLocation at = arch::SampleLocation::kCenter;
};

// Modes of a stage that processes primitives.
struct PrimitiveModes {
  uint32_t input_vertices = 0;   // geometry: vertices of each input primitive
  uint32_t output_topology = 0;  // geometry: arch::Topology
  uint32_t max_vertices = 0;  // geometry: most vertices of an invocation; tessellation control: vertices of
                              // the output patch
  uint32_t invocations = 1;   // geometry: per primitive
  // Tessellation modes, declared by the control or the evaluation program; kUnsaid: not declared by this one.
  static constexpr uint32_t kUnsaid = ~0u;
  uint32_t domain = kUnsaid;      // arch::TessDomain
  uint32_t spacing = kUnsaid;     // arch::TessSpacing
  uint32_t clockwise = kUnsaid;   // 1: triangles turn clockwise
  uint32_t point_mode = kUnsaid;  // 1: a point for each point of the domain
};

// Layout of a control program's outputs in the memory of a patch: 16 bytes for each location.
struct PatchLayout {
  static constexpr uint16_t kNowhere = arch::kPatchBytes;              // offset of unwritten outputs: reads
                                                                       // zeros
  static constexpr uint32_t kOuterLocation = 62, kInnerLocation = 63;  // locations of the patch's factors
  uint32_t bytes = 0;                                                  // 0: no patch memory
  uint32_t first_vertex = 0, vertex_bytes = 0;                         // of the output vertices
  std::array<uint16_t, 64> vertex{};  // by location: bytes from the start of the vertex
  std::array<uint16_t, 64> patch{};   // by location: bytes from the start of the patch
};

// A compiled shader: instructions and everything that a driver must know to bind and link it.
struct Program {
  arch::Stage stage = arch::Stage::kVertex;
  std::vector<Instruction> code;
  uint32_t temporaries = 0;
  uint32_t scratch_bytes = 0;                      // per thread
  std::array<uint32_t, 3> local_size = {1, 1, 1};  // compute: invocations of a workgroup
  uint32_t shared_bytes = 0;                       // compute: memory of a workgroup
  uint32_t flags = 0;                              // arch::ShaderFlags
  std::vector<std::array<uint32_t, 4>> literals;
  std::vector<ConstantRange> constants;
  std::vector<SlotBinding> resources;  // by resource slot
  std::vector<SlotBinding> samplers;   // by sampler slot
  std::vector<Varying> inputs;         // vertex: attributes (location = attribute), fragment: varyings
  std::vector<Varying> outputs;        // vertex: varyings, fragment: colors (location = target)
  uint32_t point_size = arch::kNoOutput, layer = arch::kNoOutput, viewport_index = arch::kNoOutput;
  uint32_t primitive_id = arch::kNoOutput;  // geometry: the output that holds the primitive id
  uint32_t clip_distance = arch::kNoOutput;
  uint32_t clip_distances = 0, cull_distances = 0;
  std::vector<arch::FeedbackOutput> feedback;                      // outputs that transform feedback captures
  std::array<uint32_t, arch::kFeedbackBuffers> feedback_stride{};  // bytes of a captured vertex in each
                                                                   // buffer
  bool second_source = false;                                      // has a fragment output with index 1
  PrimitiveModes modes;
  PatchLayout patch;                // tessellation control
  std::vector<uint32_t> source_of;  // by instruction: number of the SPIR-V instruction, for disassembly
};

}  // namespace cutaway::isa
