#pragma once

#include "func/shader/micro_op.h"

namespace cutaway::func {

// The function that computes an instruction on doubles (isa::is_double()). It is compiled once, for the base
// instruction set: groups of any width and every host use the same one.
AluFunction double_function(isa::Opcode op);

}  // namespace cutaway::func
