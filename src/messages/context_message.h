#pragma once

#include "arch/memory.h"

namespace cutaway::messages {

// Memory clients address the part of memory of this context from now on. Sent by the command processor while
// none of their requests is under way; comes back to it from the last unit that it concerns.
struct BindContext {
  arch::Address base = 0;  // arch::context_base()
};

}  // namespace cutaway::messages
