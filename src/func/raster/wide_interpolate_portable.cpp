#define CUTAWAY_ALU portable
// Each follows the one before.
#include "func/raster/wide_interpolate_kernels.h"
//
#include "func/raster/wide_weights_kernels.h"

namespace cutaway::func::portable {

const WideInterpolation& wide_interpolation() { return kWideInterpolation; }

}  // namespace cutaway::func::portable
