#pragma once

#include <span>
#include <string>

#include "arch/packet.h"
#include "arch/registers.h"
#include "command_stream/stage_state.h"
#include "isa/instruction.h"

// The same checks as in legal.h, of programs.
namespace cutaway::command_stream {

// LOAD_PROGRAM: checks the stage and that stage's registers.
std::string load_program_error(const arch::LoadProgramPacket& packet, const arch::Registers& registers);

// Checks a decoded program: instructions that its stage does not have, input and output registers out of
// range.
std::string program_error(arch::Stage stage, std::span<const isa::Instruction> program);

// Checks the programs that a draw with these registers runs, after draw_error() has accepted the registers.
std::string programs_error(const arch::Registers& registers, const LoadedPrograms& programs);

}  // namespace cutaway::command_stream
