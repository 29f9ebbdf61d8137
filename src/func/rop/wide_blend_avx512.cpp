#define CUTAWAY_ALU avx512
#include "func/rop/wide_blend_kernels.h"

namespace cutaway::func::avx512 {

const WideBlend& wide_blend() { return kWideBlend; }

}  // namespace cutaway::func::avx512
