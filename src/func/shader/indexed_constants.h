#pragma once

#include <cstdint>

#include "func/shader/micro_op.h"

namespace cutaway::func {

// Executes LDC in the lanes whose word in `mask` is all ones (null: all): each lane reads the constant
// register at its own index, or zeros outside the instruction's window.
void load_constant(const MicroOp& op, const Registers& registers, uint32_t width, const uint32_t* mask);

}  // namespace cutaway::func
