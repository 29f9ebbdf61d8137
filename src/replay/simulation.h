#pragma once

#include <functional>
#include <string>

#include "capture/reader.h"
#include "replay/clocked_frame.h"
#include "replay/live_frame.h"

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
  // Of a frame under way: core cycles so far, and the share of it that is done, 0 to 1; warm-up counts.
  std::function<void(uint64_t frame, uint64_t cycles, double share)> on_progress;
  std::function<void(SimulatedFrame&&)> on_frame;  // in the order of the frames
  // Of a frame that ClockOptions::observe asks for. Called in its worker, before on_frame: what it writes
  // into memory the caller does not see.
  std::function<void(Timeline&&)> on_timeline;
  // Some times a second, also where nothing is told, while frames are simulated and the emulator is not at
  // work.
  std::function<void()> on_tick;
  std::optional<LiveOptions> live;
};

// Simulates frames side by side, each in a process of its own, from memory as the emulator leaves it: the
// figures do not depend on how many run at a time. With `warmup` each machine starts that many frames
// earlier, from memory as the emulator leaves it there. UserErrors of the reader, check_supported() and the
// machine, fewer frames before `first` than warm-up asks for; InternalError for a worker that crashed.
// ClockOptions::observe names a draw by its number in the frame, or none; of one frame only.
void simulate(const capture::Reader& reader, uint64_t first, uint64_t last, const SimulationOptions& options);

// The same for one frame, in this process, for what is observed of it alone. options.observe is set.
Timeline observe(const capture::Reader& reader, uint64_t frame, const machine::Config& config,
                 const ClockOptions& options);

// The draws whose primitives cover a pixel, whatever becomes of their fragments, in order: as observe().
std::vector<Timeline::Draw> draws_over(const capture::Reader& reader, uint64_t frame,
                                       const machine::Config& config, const ClockOptions& options, int32_t x,
                                       int32_t y);

// Fills in how the draw of a number is called in its submission. start: memory at the frame's start.
// UserError: the frame has no such draw.
void name_draw(const capture::Reader& reader, uint64_t frame, const arch::Memory& start,
               machine::ObserverOptions& observe);

}  // namespace cutaway::replay
