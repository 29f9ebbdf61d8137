#define CUTAWAY_ALU avx512
// Each follows the one before.
#include "func/texture/wide_lod_kernels.h"
//
#include "func/texture/wide_cube_kernels.h"
//
#include "func/texture/wide_plan_kernels.h"
//
#include "func/texture/wide_footprint_kernels.h"
//
#include "func/texture/wide_fetch_kernels.h"
//
#include "func/texture/wide_filter_kernels.h"
//
#include "func/texture/wide_bilinear_kernels.h"
//
#include "func/texture/wide_copy_kernels.h"
//
#include "func/texture/wide_window_kernels.h"
//
#include "func/texture/wide_tables.h"

namespace cutaway::func::avx512 {

const WideFunctions& wide_functions() { return kWideFunctions; }

}  // namespace cutaway::func::avx512
