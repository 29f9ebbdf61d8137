#pragma once

#include <string>

#include "isa/instruction.h"

namespace cutaway::isa {

// Whether an instruction is one that the machine has: registers within their files, the sources that its
// operation needs and no others, modifiers and masks that mean something, a texture dimension that the
// operation can access. False with one line in `error`, which starts with the mnemonic.
bool valid(const Instruction& instruction, std::string& error);

}  // namespace cutaway::isa
