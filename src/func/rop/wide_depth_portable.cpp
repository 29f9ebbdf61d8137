#define CUTAWAY_ALU portable
#include "func/rop/wide_depth_kernels.h"

namespace cutaway::func::portable {

const WideDepth& wide_depth() { return kWideDepth; }

}  // namespace cutaway::func::portable
