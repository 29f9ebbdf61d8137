#define CUTAWAY_ALU portable
#include "func/shader/alu_kernels.h"
#include "func/shader/alu_tables.h"

namespace cutaway::func::portable {

const AluFunction* alu_table() { return kTable<4>.function; }

}  // namespace cutaway::func::portable
