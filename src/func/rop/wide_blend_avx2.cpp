#define CUTAWAY_ALU avx2
#include "func/rop/wide_blend_kernels.h"

namespace cutaway::func::avx2 {

decltype(&func::blend_wide) blend_wide_function() { return blend_wide; }

}  // namespace cutaway::func::avx2
