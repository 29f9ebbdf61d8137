#pragma once

#include <cstdint>

namespace cutaway::func {

// Lanes of the widest vector of any path: kernels that take a number of lanes take a multiple of this.
constexpr uint32_t kWideStep = 16;
constexpr uint32_t whole_steps(uint32_t lanes) { return (lanes + kWideStep - 1) & ~(kWideStep - 1); }

}  // namespace cutaway::func
