#pragma once

#include <cstdint>

#include "arch/gpu.h"

namespace cutaway::boxes {

// The place of a packet, for a fault that shows later.
struct PacketPlace {
  uint64_t number = 0;  // in its submission, from 1; 0: before the first
  arch::Address address = 0;
  const char* name = "";
  uint64_t submission = 0;
};

}  // namespace cutaway::boxes
