#include "func/raster/wide_interpolate.h"

namespace cutaway::func {

const WideInterpolation& wide_interpolation(AluPath path) {
  return of_path(path, portable::wide_interpolation, avx2::wide_interpolation, avx512::wide_interpolation)();
}

}  // namespace cutaway::func
