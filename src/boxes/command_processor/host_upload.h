#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "boxes/command_processor/command_processor_counters.h"
#include "engine/domain.h"

namespace cutaway::boxes {

// The bus over which the host's writes come into the GPU's memory, one submission's after the other's. A
// submission begins when all that the host has written since the last one is there.
class HostUpload {
 public:
  explicit HostUpload(unsigned mb_per_s) : mb_per_s_(mb_per_s) {}  // 0: takes no time

  void add(uint64_t bytes) { bytes_ += bytes; }
  // The cycle from which on all is there that was added for a submission that came at `now`. core_khz: the
  // clock of `now`.
  engine::Cycle arrival(engine::Cycle now, uint64_t core_khz, CommandProcessorCounters& counters) {
    const uint64_t bytes = std::exchange(bytes_, 0);
    if (!mb_per_s_) return 0;
    const uint64_t bytes_per_ms = uint64_t{mb_per_s_} * 1000;
    const uint64_t cycles = (bytes * core_khz + bytes_per_ms - 1) / bytes_per_ms;
    free_ = std::max(free_, now + 1) + cycles;
    counters.uploaded_bytes += bytes;
    counters.upload_cycles += cycles;
    return free_;
  }

 private:
  uint64_t mb_per_s_;
  uint64_t bytes_ = 0;      // since the last submission
  engine::Cycle free_ = 0;  // from this cycle on nothing is under way
};

}  // namespace cutaway::boxes
