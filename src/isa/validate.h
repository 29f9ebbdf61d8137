#pragma once

#include <string>

#include "isa/instruction.h"

namespace cutaway::isa {

// Checks that the machine has the instruction: registers within their files, exactly the sources that its
// operation needs, modifiers and masks that have an effect, a texture dimension that the operation can
// access. Returns false with one line in `error`, which starts with the mnemonic.
bool valid(const Instruction& instruction, std::string& error);

}  // namespace cutaway::isa
