#pragma once

#include "compiler/compiler.h"

namespace cutaway::compiler {

// compile(), with or without the passes that only make programs better. Both give the same results, but where
// SPIR-V leaves them undefined.
isa::Program compile(const Request& request, bool optimized);

}  // namespace cutaway::compiler
