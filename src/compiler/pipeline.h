#pragma once

#include "compiler/compiler.h"

namespace cutaway::compiler {

// Options of compile(). Results are equal, except where SPIR-V leaves them undefined.
struct Pipeline {
  bool optimized = true;        // runs the passes that only improve programs
  uint32_t gathered_loads = 0;  // gathers so many loads at most; 0 and 1: none
  // Spills values to scratch memory until at most this many lanes are live at once, or as few as possible. 0:
  // until registers suffice.
  uint32_t live_lanes = 0;
};
isa::Program compile(const Request& request, const Pipeline& pipeline);

}  // namespace cutaway::compiler
