#pragma once

#include <span>
#include <string>

#include "arch/program_limits.h"
#include "isa/instruction.h"

namespace cutaway::isa {

// A program's needs that chips limit (arch::ProgramLimits).
struct ProgramNeeds {
  uint32_t instructions = 0;
  uint32_t temporaries = 0;        // vec4
  uint32_t textures = 0;           // slots that texture instructions read
  uint32_t varyings = 0;           // vec4, fragment: interpolants that it reads or pulls
  uint32_t indexed_constants = 0;  // vec4: largest window of an LDC
};
ProgramNeeds needs_of(arch::Stage stage, std::span<const Instruction> code, uint32_t temporaries);

// Returns the first limit that the program exceeds, to continue "the chip has no ...": "vertex programs of 34
// temporaries, but of up to 32 (programs.vertex_temporaries)". Empty: it exceeds none.
std::string exceeded(const arch::ProgramLimits& limits, arch::Stage stage, const ProgramNeeds& needs);

}  // namespace cutaway::isa
