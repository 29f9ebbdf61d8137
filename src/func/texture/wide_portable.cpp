#define CUTAWAY_ALU portable
#include "func/texture/wide_kernels.h"
#include "func/texture/wide_tables.h"

namespace cutaway::func::portable {

const WideFunctions& wide_functions() { return kWideFunctions; }

}  // namespace cutaway::func::portable
