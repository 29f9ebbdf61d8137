#define CUTAWAY_ALU avx2
#include "func/rop/wide_depth_kernels.h"

namespace cutaway::func::avx2 {

const WideDepth& wide_depth() { return kWideDepth; }

}  // namespace cutaway::func::avx2
