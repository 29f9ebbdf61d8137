#include "draw/clocked.h"

#include <algorithm>

#include "base/error.h"
#include "draw/legal.h"
#include "draw/primitive_geometry.h"
#include "isa/operands.h"

namespace cutaway::draw {
namespace {

using arch::Opcode;
using arch::Stage;

bool has_adjacency(uint32_t topology) {
  return topology >= static_cast<uint32_t>(arch::Topology::kLineListAdjacency) &&
         topology <= static_cast<uint32_t>(arch::Topology::kTriangleStripAdjacency);
}

std::string lacks(const Abilities& abilities, std::string_view what) {
  return fmt::format("{} has no {}", abilities.gpu.empty() ? "this GPU" : abilities.gpu, what);
}

const char* name_of(Stage stage) {
  switch (stage) {
    case Stage::kVertex:
      return "vertex";
    case Stage::kTessControl:
      return "tessellation control";
    case Stage::kTessEvaluation:
      return "tessellation evaluation";
    case Stage::kGeometry:
      return "geometry";
    case Stage::kFragment:
      return "fragment";
    case Stage::kCompute:
      break;
  }
  return "compute";
}

std::string lacks_stores(const Abilities& abilities, Stage stage) {
  return lacks(abilities, fmt::format("{} programs that store to buffers or images", name_of(stage)));
}

bool stores(const arch::Registers& registers, Stage stage) {
  const arch::ShaderRegisters& shader = registers.shader[static_cast<uint32_t>(stage)];
  return shader.instructions && (shader.flags & arch::kShaderWritesMemory);
}

std::string lacks_feedback(const Abilities& abilities) {
  return abilities.feedback ? "" : lacks(abilities, "transform feedback");
}

std::string unclocked_draw(const Abilities& abilities, const arch::Registers& registers) {
  for (uint32_t i = 0; i < arch::kStages; i++) {
    const auto stage = static_cast<Stage>(i);
    if (stage != Stage::kCompute && stores(registers, stage) && !abilities.stores.has(stage))
      return lacks_stores(abilities, stage);
  }
  if (is_on(registers, Stage::kTessControl) && !abilities.stages.has(Stage::kTessControl))
    return lacks(abilities, "tessellation programs");
  const bool geometry = abilities.stages.has(Stage::kGeometry);
  if (is_on(registers, Stage::kGeometry) && !geometry) return lacks(abilities, "geometry programs");
  if (has_adjacency(registers.assembly.topology) && !geometry)
    return lacks(abilities, "primitives with adjacency");
  if (chooses_layer(registers) && !geometry) return lacks(abilities, "layers that a program chooses");
  return registers.feedback.on ? lacks_feedback(abilities) : "";
}

std::string unclocked_dispatch(const Abilities& abilities, const arch::Registers& registers) {
  if (!abilities.workgroup_invocations) return lacks(abilities, "compute programs");
  if (stores(registers, Stage::kCompute) && !abilities.stores.has(Stage::kCompute))
    return lacks_stores(abilities, Stage::kCompute);
  const auto& compute = registers.compute;
  uint64_t invocations = 1;
  for (const uint32_t size : compute.local_size)
    invocations = std::min<uint64_t>(invocations * size, arch::kWorkgroupInvocations + 1);
  // Larger ones are not legal.
  if (invocations > abilities.workgroup_invocations && invocations <= arch::kWorkgroupInvocations)
    return lacks(abilities, fmt::format("workgroups of {} invocations, but of up to {}", invocations,
                                        abilities.workgroup_invocations));
  if (compute.shared_bytes > abilities.workgroup_bytes && compute.shared_bytes <= arch::kWorkgroupBytes)
    return lacks(abilities, fmt::format("{} bytes of memory for a workgroup, but {}", compute.shared_bytes,
                                        abilities.workgroup_bytes));
  return "";
}

// What a program does with buffers and images, and what else not every chip can.
struct Uses {
  bool stores = false, atomics = false, image_loads = false, pulls = false, doubles = false;
};

std::string unclocked_program(const Abilities& abilities, Stage stage, const Uses& uses) {
  if (uses.pulls && !abilities.pull) return lacks(abilities, "pull-model interpolation");
  if (uses.doubles && !abilities.doubles) return lacks(abilities, "64-bit floats");
  if (!uses.stores && !uses.image_loads) return "";
  if (stage == Stage::kCompute && !abilities.workgroup_invocations) return "";  // its dispatch is refused
  if (!abilities.stores.has(stage))
    return uses.stores
               ? lacks_stores(abilities, stage)
               : lacks(abilities, fmt::format("{} programs that load from storage images", name_of(stage)));
  return uses.atomics && !abilities.atomics ? lacks(abilities, "atomics on buffers and images") : "";
}

}  // namespace

std::string unclocked(const Abilities& abilities, const Program& program) {
  return unclocked_program(abilities, program.stage,
                           {program.writes_memory, program.atomics, program.image_loads,
                            program.inputs_pulled != 0, program.doubles});
}

std::string unclocked(const Abilities& abilities, const arch::Registers& registers, Stage stage,
                      const arch::Memory& memory) {
  const arch::ShaderRegisters& shader = registers.shader[static_cast<uint32_t>(stage)];
  Uses uses;
  for (const isa::Instruction& instruction : program_in_memory(shader, memory)) {
    const bool writes = isa::writes_memory(instruction.op);
    uses.stores |= writes, uses.atomics |= writes && isa::is_atomic(instruction.op);
    uses.image_loads |= instruction.op == isa::Opcode::kLdi;
    uses.pulls |= isa::is_pull(instruction.op);
    uses.doubles |= isa::is_double(instruction.op);
  }
  return unclocked_program(abilities, stage, uses);
}

std::string unclocked(const Abilities& abilities, Opcode opcode, const arch::Registers& registers) {
  switch (opcode) {
    case Opcode::kDispatch:
    case Opcode::kDispatchIndirect:
      return unclocked_dispatch(abilities, registers);
    case Opcode::kLoadFeedback:
    case Opcode::kStoreFeedback:
      return lacks_feedback(abilities);
    case Opcode::kDrawByteCount:
      if (!abilities.feedback) return lacks_feedback(abilities);
      [[fallthrough]];
    case Opcode::kDraw:
    case Opcode::kDrawIndexed:
    case Opcode::kDrawIndirect:
    case Opcode::kDrawIndexedIndirect:
      return unclocked_draw(abilities, registers);
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
      return "";
  }
  return "";
}

}  // namespace cutaway::draw
