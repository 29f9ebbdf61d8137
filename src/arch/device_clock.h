#pragma once

#include <cstdint>

namespace cutaway::arch {

// A GPU whose clock the host can read.
class DeviceClock {
 public:
  virtual ~DeviceClock() = default;
  // The timestamp that a submission which began now would write first. Call while none is under way.
  virtual uint64_t ticks() const = 0;
};

}  // namespace cutaway::arch
