#include "draw/clocked.h"

#include "draw/legal.h"

namespace cutaway::draw {
namespace {

using arch::Opcode;

constexpr const char* kCompute = "compute programs are";
constexpr const char* kFeedback = "transform feedback is";
constexpr const char* kGeometry = "geometry programs are";
constexpr const char* kTessellation = "tessellation programs are";
constexpr const char* kLayers = "layers that a program chooses are";
constexpr const char* kAdjacency = "primitives with adjacency are";

bool has_adjacency(uint32_t topology) {
  return topology >= static_cast<uint32_t>(arch::Topology::kLineListAdjacency) &&
         topology <= static_cast<uint32_t>(arch::Topology::kTriangleStripAdjacency);
}

const char* unclocked_draw(const arch::Registers& registers) {
  for (const arch::ShaderRegisters& shader : registers.shader) {
    if (&shader == &registers.shader[static_cast<uint32_t>(arch::Stage::kCompute)]) continue;
    if (shader.instructions && (shader.flags & arch::kShaderWritesMemory)) return kStoresUnclocked;
  }
  if (is_on(registers, arch::Stage::kTessControl) || is_on(registers, arch::Stage::kTessEvaluation))
    return kTessellation;
  if (is_on(registers, arch::Stage::kGeometry)) return kGeometry;
  if (has_adjacency(registers.assembly.topology)) return kAdjacency;
  // Registers that nothing has set yet hold zeros.
  if (registers.vertex_out.layer != 0 && registers.vertex_out.layer != arch::kNoOutput) return kLayers;
  return registers.feedback.on ? kFeedback : nullptr;
}

}  // namespace

const char* unclocked(Opcode opcode, const arch::Registers& registers) {
  switch (opcode) {
    case Opcode::kDispatch:
    case Opcode::kDispatchIndirect:
      return kCompute;
    case Opcode::kDrawByteCount:
    case Opcode::kLoadFeedback:
    case Opcode::kStoreFeedback:
      return kFeedback;
    case Opcode::kDraw:
    case Opcode::kDrawIndexed:
    case Opcode::kDrawIndirect:
    case Opcode::kDrawIndexedIndirect:
      return unclocked_draw(registers);
    case Opcode::kNop:
    case Opcode::kSetRegisters:
    case Opcode::kLoadConstants:
    case Opcode::kLoadResources:
    case Opcode::kLoadSamplers:
    case Opcode::kLoadProgram:
    case Opcode::kCopyBuffer:
    case Opcode::kFillBuffer:
    case Opcode::kCopySurface:
    case Opcode::kCopyQueries:
    case Opcode::kClear:
    case Opcode::kFlush:
    case Opcode::kInvalidate:
    case Opcode::kWaitIdle:
    case Opcode::kWriteQuery:
    case Opcode::kWriteValue:
    case Opcode::kWaitValue:
    case Opcode::kPredicate:
    case Opcode::kCall:
    case Opcode::kMarker:
    case Opcode::kPresent:
      return nullptr;
  }
  return nullptr;
}

}  // namespace cutaway::draw
