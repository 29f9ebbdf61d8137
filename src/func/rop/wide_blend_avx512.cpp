#define CUTAWAY_ALU avx512
#include "func/rop/wide_blend_kernels.h"

namespace cutaway::func::avx512 {

decltype(&func::blend_wide) blend_wide_function() { return blend_wide; }

}  // namespace cutaway::func::avx512
