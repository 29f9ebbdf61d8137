#pragma once

#include "func/shader/micro_op.h"

// LDS and STS: the scratch memory of a thread, words that no other thread sees. Helper lanes have one too:
// their registers must hold what their quad needs.
namespace cutaway::func {

// Component c of the destination from byte src0.x + 4 c, rounded down to a word; beyond the end 0.
void load_scratch(const MicroOp& op, const Registers& registers, uint32_t width, const uint32_t* mask);

// Component c of src1 to byte src0.x + 4 c; beyond the end nothing.
void store_scratch(const MicroOp& op, const Registers& registers, uint32_t width, const uint32_t* mask);

}  // namespace cutaway::func
