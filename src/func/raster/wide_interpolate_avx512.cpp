#define CUTAWAY_ALU avx512
// Each follows the one before.
#include "func/raster/wide_interpolate_kernels.h"
//
#include "func/raster/wide_weights_kernels.h"

namespace cutaway::func::avx512 {

const WideInterpolation& wide_interpolation() { return kWideInterpolation; }

}  // namespace cutaway::func::avx512
