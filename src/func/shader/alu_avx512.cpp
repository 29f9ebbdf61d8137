#define CUTAWAY_ALU avx512
#include "func/shader/alu_kernels.h"
#include "func/shader/alu_tables.h"

namespace cutaway::func::avx512 {

const AluFunction* alu_table16() { return kTable<16>.function; }

}  // namespace cutaway::func::avx512
