#define CUTAWAY_ALU portable
#include "func/rop/wide_blend_kernels.h"

namespace cutaway::func::portable {

const WideBlend& wide_blend() { return kWideBlend; }

}  // namespace cutaway::func::portable
