#define CUTAWAY_ALU avx2
#include "func/texture/wide_plan_kernels.h"
// Follows it.
#include "func/texture/wide_filter_kernels.h"
#include "func/texture/wide_tables.h"

namespace cutaway::func::avx2 {

const WideFunctions& wide_functions() { return kWideFunctions; }

}  // namespace cutaway::func::avx2
