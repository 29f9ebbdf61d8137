#define CUTAWAY_ALU portable
#include "func/rop/wide_depth_kernels.h"

namespace cutaway::func::portable {

decltype(&func::depth_test_wide) depth_test_wide_function() { return depth_test_wide; }

}  // namespace cutaway::func::portable
