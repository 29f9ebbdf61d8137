#define CUTAWAY_ALU avx2
#include "func/rop/wide_blend_kernels.h"

namespace cutaway::func::avx2 {

const WideBlend& wide_blend() { return kWideBlend; }

}  // namespace cutaway::func::avx2
