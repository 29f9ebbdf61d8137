#pragma once

#include <span>
#include <string>

#include "arch/packet.h"
#include "arch/registers.h"
#include "draw/stage_state.h"
#include "isa/instruction.h"

// What a command processor must find in order before it starts something. Packets, registers, descriptors and
// programs are not trusted; whatever passes here can be executed without reading or writing out of bounds of
// any table. Empty text: legal; else what is wrong.
namespace cutaway::draw {

// A surface to draw to: at most 8 samples, its whole extent below 2^arch::kAddressBits, base level and
// layer within it.
std::string target_error(const arch::Surface& surface);

// CLEAR: the surface, its aspect, and that the rectangle is whole tiles of the level.
std::string clear_error(const arch::ClearPacket& packet);

// The registers that a draw uses. The programs' own registers are those that LOAD_PROGRAM saw.
std::string draw_error(const arch::Registers& registers);

// Whether draws run a stage.
inline bool is_on(const arch::Registers& registers, arch::Stage stage) {
  return registers.shader[static_cast<uint32_t>(stage)].instructions != 0;
}

// The programs that a draw with these registers runs, once draw_error() has accepted them.
std::string programs_error(const arch::Registers& registers, const LoadedPrograms& programs);

// The registers that a dispatch uses.
std::string dispatch_error(const arch::Registers& registers);

// A decoded program: instructions that its stage does not have, input and output registers out of range.
std::string program_error(arch::Stage stage, std::span<const isa::Instruction> program);

// LOAD_CONSTANTS, LOAD_RESOURCES, LOAD_SAMPLERS: the stage, the range of the table, the alignment.
std::string load_error(arch::Opcode opcode, const arch::LoadPacket& packet);

// Bytes of a slot that such a packet loads.
constexpr uint32_t load_slot_bytes(arch::Opcode opcode) {
  if (opcode == arch::Opcode::kLoadConstants) return 16;
  return opcode == arch::Opcode::kLoadResources ? sizeof(arch::Surface) : sizeof(arch::Sampler);
}

// LOAD_PROGRAM: the stage and that stage's registers.
std::string load_program_error(const arch::LoadProgramPacket& packet, const arch::Registers& registers);

// In DepthMode::kEarlyTestLateWrite: whether what the early test rejects, the late one rejects too, whatever
// quads before it are still to write. If not, a unit must leave the early test out.
bool early_reject_is_safe(const arch::Registers& registers);

}  // namespace cutaway::draw
