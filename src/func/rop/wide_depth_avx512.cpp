#define CUTAWAY_ALU avx512
#include "func/rop/wide_depth_kernels.h"

namespace cutaway::func::avx512 {

decltype(&func::depth_test_wide) depth_test_wide_function() { return depth_test_wide; }

}  // namespace cutaway::func::avx512
