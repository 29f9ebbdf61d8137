#pragma once

#include "compiler/compiler.h"

namespace cutaway::compiler {

// How compile() gets there. Results are the same, but where SPIR-V leaves them undefined.
struct Pipeline {
  bool optimized = true;  // with the passes that only make programs better
  // Values go to scratch memory until no more lanes live at once, or as few as can be. 0:
  // until registers hold them.
  uint32_t live_lanes = 0;
};
isa::Program compile(const Request& request, const Pipeline& pipeline);

}  // namespace cutaway::compiler
