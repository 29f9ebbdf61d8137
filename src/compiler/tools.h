#pragma once

#include "compiler/admission.h"

namespace cutaway::compiler {

// Reads the operands of all instructions, which later steps take for granted, and numbers the ids anew if
// most are unused, so that tables need not be as long as the id bound. Throws InvalidShader with the
// instruction that cannot be read.
void read_operands(Admitted& module);

}  // namespace cutaway::compiler
