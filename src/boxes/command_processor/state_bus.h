#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/domain.h"

namespace cutaway::boxes {

// The bus over which the command processor sends changed state to all units at once: registers, constants,
// descriptors and programs. A draw leaves when all that it needs has arrived.
class StateBus {
 public:
  // bytes_per_cycle: 1 or more.
  explicit StateBus(unsigned bytes_per_cycle) : bytes_per_cycle_(bytes_per_cycle) {}

  // Sends `bytes` behind those that are under way, in cycles of their own.
  void send(engine::Cycle now, uint64_t bytes) {
    free_ = std::max(free_, now) + (bytes + bytes_per_cycle_ - 1) / bytes_per_cycle_;
  }
  // The units have all that was sent from this cycle on.
  engine::Cycle free() const { return free_; }

 private:
  uint64_t bytes_per_cycle_;
  engine::Cycle free_ = 0;
};

}  // namespace cutaway::boxes
