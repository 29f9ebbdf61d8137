#pragma once

#include <cstdint>

namespace cutaway::messages {

// The host has written a submission, and all that it reads of the host: the GPU may begin it.
struct Doorbell {
  uint64_t submission = 0;  // its id
};

}  // namespace cutaway::messages
