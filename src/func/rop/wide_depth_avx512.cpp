#define CUTAWAY_ALU avx512
#include "func/rop/wide_depth_kernels.h"

namespace cutaway::func::avx512 {

const WideDepth& wide_depth() { return kWideDepth; }

}  // namespace cutaway::func::avx512
