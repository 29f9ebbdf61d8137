#define CUTAWAY_ALU avx2
#include "func/raster/wide_interpolate_kernels.h"

namespace cutaway::func::avx2 {

const WideInterpolation& wide_interpolation() { return kWideInterpolation; }

}  // namespace cutaway::func::avx2
