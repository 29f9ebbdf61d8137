#include "func/raster/wide_interpolate.h"

namespace cutaway::func {

const WideInterpolation& wide_interpolation(AluPath path) {
  if (path == AluPath::kBest) path = best_path();
  return path == AluPath::kAvx2 ? avx2::wide_interpolation() : portable::wide_interpolation();
}

}  // namespace cutaway::func
