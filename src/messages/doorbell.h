#pragma once

#include <cstdint>

#include "arch/memory.h"

namespace cutaway::messages {

// The host has written a submission, and all that it reads of the host: the GPU may begin it.
struct Doorbell {
  uint64_t submission = 0;  // its id
  arch::ContextId context = 0;
};

// All work of the context's submissions up to this one has ended, and is in memory.
struct Fence {
  uint64_t submission = 0;
  arch::ContextId context = 0;
};

}  // namespace cutaway::messages
