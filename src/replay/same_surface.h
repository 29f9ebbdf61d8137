#pragma once

#include <cstring>

#include "arch/surface.h"

namespace cutaway::replay {

// True if two surfaces have the same registers.
inline bool same_surface(const arch::Surface& a, const arch::Surface& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace cutaway::replay
