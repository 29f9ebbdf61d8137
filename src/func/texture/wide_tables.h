#pragma once

#include "func/texture/wide_sample.h"

// The same kernels (wide_plan_kernels.h, wide_filter_kernels.h), compiled for each path.
namespace cutaway::func {

namespace portable {
const WideFunctions& wide_functions();
}
namespace avx2 {
const WideFunctions& wide_functions();
}
namespace avx512 {
const WideFunctions& wide_functions();
}

}  // namespace cutaway::func
