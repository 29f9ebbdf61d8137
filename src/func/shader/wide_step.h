#pragma once

#include <cstdint>

namespace cutaway::func {

// Lanes of the widest vector of any path: kernels that take a number of lanes take a multiple of this.
constexpr uint32_t kWideStep = 16;

}  // namespace cutaway::func
