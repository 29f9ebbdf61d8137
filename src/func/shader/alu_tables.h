#pragma once

#include "func/shader/micro_op.h"

// The same arithmetic (alu_kernels.h), compiled for each path. Functions by opcode.
namespace cutaway::func {

namespace portable {
const AluFunction* alu_table();
}

namespace avx2 {
const AluFunction* alu_table4();  // groups of 4 lanes
const AluFunction* alu_table8();  // groups of a multiple of 8
}  // namespace avx2

namespace avx512 {
const AluFunction* alu_table16();  // groups of a multiple of 16
}  // namespace avx512

}  // namespace cutaway::func
