#define CUTAWAY_ALU portable
#include "func/texture/wide_plan_kernels.h"
// Follows it.
#include "func/texture/wide_filter_kernels.h"
#include "func/texture/wide_tables.h"

namespace cutaway::func::portable {

const WideFunctions& wide_functions() { return kWideFunctions; }

}  // namespace cutaway::func::portable
