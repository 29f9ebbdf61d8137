#pragma once

#include <functional>
#include <string>

#include "capture/reader.h"
#include "replay/clocked_frame.h"

namespace cutaway::replay {

struct SimulatedFrame {
  FrameFigures figures;
  std::optional<arch::Picture> picture;
  std::optional<FrameRecord> record;  // if ClockOptions::record_interval asks for one
  std::string difference;  // verify: what differs from the emulator's frame, in lines; empty: nothing
};

struct SimulationOptions {
  machine::Config config;
  ClockOptions clock;  // on_progress is not used: workers report through on_progress below
  unsigned jobs = 1;   // frames simulated at a time
  bool verify = false;
  uint64_t warmup = 0;                          // frames that the machine runs before each, not counted
  std::function<void(uint64_t frame)> on_seek;  // the emulator comes to a frame
  std::function<void(uint64_t frame, uint64_t cycles)> on_progress;
  std::function<void(SimulatedFrame&&)> on_frame;  // in the order of the frames
};

// Simulates frames side by side, each in a process of its own, from memory as the emulator leaves it: the
// figures do not depend on how many run at a time. With `warmup` each machine starts that many frames
// earlier, from memory as the emulator leaves it there. UserErrors of the reader, check_supported() and the
// machine, fewer frames before `first` than warm-up asks for; InternalError for a worker that crashed.
void simulate(const capture::Reader& reader, uint64_t first, uint64_t last, const SimulationOptions& options);

}  // namespace cutaway::replay
