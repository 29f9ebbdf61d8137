#include "command_stream/legal_program.h"

#include <array>
#include <bit>
#include <fmt/format.h>

#include "arch/memory.h"
#include "command_stream/legal.h"
#include "isa/opcode.h"
#include "isa/operands.h"

namespace cutaway::command_stream {
namespace {

using arch::Registers;

// True if a stage has the input register: inputs and outputs differ by stage.
bool has_input(arch::Stage stage, uint32_t index) {
  switch (stage) {
    case arch::Stage::kFragment:
      return index < arch::kShaderInputs;
    case arch::Stage::kCompute:
      return index >= arch::kInputLocalId && index <= arch::kInputWorkgroups;
    case arch::Stage::kTessControl:
    case arch::Stage::kGeometry:
      return index == arch::kInputPrimitive;
    case arch::Stage::kTessEvaluation:
      return index == arch::kInputPrimitive || index == arch::kInputTessCoord;
    default:
      return index < arch::kVertexAttributes || index == arch::kInputVertexId || index == arch::kInputDraw;
  }
}

uint32_t output_count(arch::Stage stage) {
  if (stage == arch::Stage::kCompute) return 0;
  return stage == arch::Stage::kFragment ? arch::kFragmentOutputs : arch::kShaderOutputs;
}

std::string operand_error(arch::Stage stage, const isa::Instruction& instruction) {
  for (uint32_t n = 0; n < isa::source_count(instruction); n++) {
    const isa::Source& source = instruction.src[n];
    if (source.file == isa::File::kInput && !has_input(stage, source.index))
      return fmt::format("there is no input register i{}", source.index);
  }
  if (instruction.dst.file == isa::File::kOutput && instruction.dst.index >= output_count(stage))
    return fmt::format("there is no output register o{}", instruction.dst.index);
  return {};
}

const char* stage_name(arch::Stage stage) {
  constexpr const char* kNames[] = {
      "vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment", "compute"};
  static_assert(std::size(kNames) == arch::kStages);
  return kNames[static_cast<uint32_t>(stage)];
}

// Instructions on workgroup or patch memory, and on a primitive's vertices, exist only in certain stages.
bool has_memory_of(arch::Stage stage, isa::Opcode op) {
  if (isa::is_emission(op)) return stage == arch::Stage::kGeometry;
  if (op == isa::Opcode::kLdv) return stage == arch::Stage::kGeometry || stage == arch::Stage::kTessControl;
  if (!isa::is_workgroup(op)) return true;
  return stage == arch::Stage::kCompute || stage == arch::Stage::kTessControl ||
         (stage == arch::Stage::kTessEvaluation && op == isa::Opcode::kLdw);
}

// True if lanes form quads: those of a workgroup do, in numerical order; those of vertices do not.
bool has_quads(arch::Stage stage) {
  return stage == arch::Stage::kFragment || stage == arch::Stage::kCompute;
}

bool needs_fragments(isa::Opcode op) {
  switch (op) {
    case isa::Opcode::kDdx:
    case isa::Opcode::kDdy:
    case isa::Opcode::kDdxCoarse:
    case isa::Opcode::kDdyCoarse:
    case isa::Opcode::kTex:
    case isa::Opcode::kTxp:
    case isa::Opcode::kTxb:
    case isa::Opcode::kTxqlod:
    case isa::Opcode::kKill:
    case isa::Opcode::kPull:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string program_error(arch::Stage stage, std::span<const isa::Instruction> program) {
  for (size_t n = 0; n < program.size(); n++) {
    const isa::Instruction& instruction = program[n];
    if ((stage != arch::Stage::kFragment && needs_fragments(instruction.op)) ||
        (!has_quads(stage) && isa::is_of_quad(instruction.op)) || !has_memory_of(stage, instruction.op))
      return fmt::format("instruction {}: a {} program cannot have {}", n, stage_name(stage),
                         isa::info(instruction.op).mnemonic);
    if (isa::info(instruction.op).op_class == isa::OpClass::kTexture ||
        isa::info(instruction.op).op_class == isa::OpClass::kMemory)
      if (instruction.access.resource >= arch::kResources || instruction.access.sampler >= arch::kSamplers)
        return fmt::format("instruction {}: no such resource or sampler slot", n);
    if (auto error = operand_error(stage, instruction); !error.empty())
      return fmt::format("instruction {}: {}", n, error);
  }
  return {};
}

std::string programs_error(const Registers& registers, const LoadedPrograms& programs) {
  if (!programs[arch::Stage::kVertex]) return "no vertex program is loaded";
  if (is_on(registers, arch::Stage::kTessControl) &&
      (!programs[arch::Stage::kTessControl] || !programs[arch::Stage::kTessEvaluation]))
    return "no tessellation programs are loaded";
  const Program* geometry = programs[arch::Stage::kGeometry];
  if (!is_on(registers, arch::Stage::kGeometry)) return {};
  if (!geometry) return "no geometry program is loaded";
  const auto outputs = static_cast<uint32_t>(std::popcount(geometry->outputs));
  if (registers.geometry.max_vertices * outputs > arch::kEmittedRegisters)
    return fmt::format("a geometry program that emits {} vertices of {} outputs, but {} outputs are possible",
                       registers.geometry.max_vertices, outputs, arch::kEmittedRegisters);
  return {};
}

std::string load_program_error(const arch::LoadProgramPacket& packet, const Registers& registers) {
  if (packet.stage >= arch::kStages) return "no such stage";
  const arch::ShaderRegisters& shader = registers.shader[packet.stage];
  if (shader.instructions > arch::kInstructions) return "the program is too long";
  if (shader.temporaries > arch::kTemporaries) return "the program has too many temporaries";
  if (shader.scratch_bytes % 16 || shader.scratch_bytes > arch::kScratchBytes)
    return fmt::format("{} bytes of scratch memory are no multiple of 16 or more than {}",
                       shader.scratch_bytes, arch::kScratchBytes);
  if (shader.program % 16) return "the address is no multiple of 16";
  if (shader.program >= kAddressEnd || shader.instructions * 16ull > kAddressEnd - shader.program)
    return "the address is beyond memory";
  return {};
}

}  // namespace cutaway::command_stream
