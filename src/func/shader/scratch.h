#pragma once

#include "func/shader/micro_op.h"

// LDS and STS: the scratch memory of a thread, words that no other thread sees. Helper lanes have scratch
// memory too, because their registers must hold the values that their quad needs.
namespace cutaway::func {

// Loads component c of the destination from byte src0.x + 4 c, rounded down to a word; beyond the end reads
// 0.
void load_scratch(const MicroOp& op, const Registers& registers, uint32_t width, const uint32_t* mask);

// Stores component c of src1 to byte src0.x + 4 c; stores beyond the end are dropped.
void store_scratch(const MicroOp& op, const Registers& registers, uint32_t width, const uint32_t* mask);

}  // namespace cutaway::func
