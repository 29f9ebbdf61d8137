#define CUTAWAY_ALU portable
#include "func/rop/wide_blend_kernels.h"

namespace cutaway::func::portable {

decltype(&func::blend_wide) blend_wide_function() { return blend_wide; }

}  // namespace cutaway::func::portable
