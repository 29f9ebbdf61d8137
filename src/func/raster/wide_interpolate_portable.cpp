#define CUTAWAY_ALU portable
#include "func/raster/wide_interpolate_kernels.h"

namespace cutaway::func::portable {

const WideInterpolation& wide_interpolation() { return kWideInterpolation; }

}  // namespace cutaway::func::portable
