#pragma once

#include <functional>
#include <string>

#include "capture/reader.h"
#include "replay/clocked_frame.h"
#include "replay/live_frame.h"

namespace cutaway::replay {

struct SimulatedFrame {
  run_record::FrameFigures figures;
  std::optional<arch::Picture> picture;
  std::optional<run_record::FrameRecord> record;  // if ClockOptions::record_interval asks for one
  std::string difference;  // verify: lines that describe the difference from the emulator's frame; empty:
                           // equal
  bool hangs_on_order = false;  // the difference proves nothing: FrameDifference
};

struct SimulationOptions {
  machine::Config config;
  ClockOptions clock;  // on_progress is ignored: workers report through on_progress below
  unsigned jobs = 1;   // frames simulated concurrently
  bool verify = false;
  uint64_t warmup = 0;                          // frames that the machine runs before each, not counted
  std::function<void(uint64_t frame)> on_seek;  // called when the emulator comes to a frame
  // For a running frame: core cycles so far, and its completed share, 0 to 1, warm-up included.
  std::function<void(uint64_t frame, uint64_t cycles, double share)> on_progress;
  std::function<void(SimulatedFrame&&)> on_frame;  // called in the order of the frames
  // For a frame that ClockOptions::observe requests. Called in its worker, before on_frame, so the caller
  // does not see its writes to memory.
  std::function<void(run_record::Timeline&&)> on_timeline;
  // Called several times a second, even without messages, while frames are simulated and the emulator is
  // idle.
  std::function<void()> on_tick;
  std::optional<LiveOptions> live;
};

// Simulates frames in parallel, each in its own process, from memory as the emulator leaves it, so figures do
// not depend on the number of processes. With `warmup`, each machine starts that many frames earlier.
// UserErrors: the reader's, check_supported()'s and the machine's, or fewer frames before `first` than
// `warmup`. InternalError if a worker crashed. ClockOptions::observe names a draw by its number in the frame,
// or none; it allows only one frame.
void simulate(const capture::Reader& reader, uint64_t first, uint64_t last, const SimulationOptions& options);

struct MachinesOptions {
  unsigned jobs = 1;    // frames simulated concurrently, of whatever machine
  uint64_t warmup = 0;  // frames that a machine runs before each, not counted
  // In any order. share: of the frame, 0 to 1.
  std::function<void(size_t machine, uint64_t frame, double share)> on_progress;
  std::function<void(size_t machine, SimulatedFrame&&)> on_frame;
  // A machine cannot run the frames. Called once; the others go on.
  std::function<void(size_t machine, const std::string& why)> on_refusal;
};

// Simulates the frames on several machines side by side, each frame on each machine in its own process. The
// emulator runs each frame once for all machines. Errors as above, but for those of a machine.
void simulate_machines(const capture::Reader& reader, uint64_t first, uint64_t last,
                       const std::vector<machine::Config>& machines, const MachinesOptions& options);

// The same for one frame, in this process, for its timeline alone. options.observe must be set.
run_record::Timeline observe(const capture::Reader& reader, uint64_t frame, const machine::Config& config,
                             const ClockOptions& options);

// The draws whose primitives cover a pixel, whatever happens to their fragments, in order. Options as in
// observe().
std::vector<run_record::Timeline::Draw> draws_over(const capture::Reader& reader, uint64_t frame,
                                                   const machine::Config& config, const ClockOptions& options,
                                                   int32_t x, int32_t y);

// Fills in the submission and number of the draw selected by its number in the frame. start: memory at the
// frame's start. UserError: the frame has no such draw.
void name_draw(const capture::Reader& reader, uint64_t frame, const arch::Memory& start,
               machine::ObserverOptions& observe);

}  // namespace cutaway::replay
