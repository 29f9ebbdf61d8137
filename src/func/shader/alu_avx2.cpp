#define CUTAWAY_ALU avx2
#include "func/shader/alu_kernels.h"
#include "func/shader/alu_tables.h"

namespace cutaway::func::avx2 {

const AluFunction* alu_table4() { return kTable<4>.function; }
const AluFunction* alu_table8() { return kTable<8>.function; }

}  // namespace cutaway::func::avx2
