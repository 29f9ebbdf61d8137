#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "arch/gpu.h"
#include "arch/picture_rows.h"
#include "capture/reader.h"
#include "machine/machine.h"
#include "machine/observer.h"
#include "replay/packet_walk.h"
#include "run_record/figures.h"
#include "run_record/frame_record.h"

namespace cutaway::replay {

struct ClockOptions {
  uint64_t seed = 0;  // shuffles the order of boxes; 0: none
  bool skip_idle = true;
  machine::Faults faults;
  std::vector<messages::QueryValue> query_values;  // EmulatedFrame::query_values of the frame
  // Total work of all frames that the machine runs, warm-up included, counted by the emulator: for
  // on_progress.
  struct Amount {
    uint64_t primitives = 0, fragments = 0;
  } amount;
  // Called regularly with the core cycles so far and the completed share of `amount`, 0 to 1.
  std::function<void(uint64_t cycles, double share)> on_progress;
  bool look_on = false;          // on_progress is called often, so that the machine can be observed while it
                                 // runs
  uint64_t record_interval = 0;  // core cycles between rows of ClockedFrame::record; 0: no record
  uint64_t log_fragments = 0;    // capacity of its fragment log, in events; 0: no log
  std::optional<machine::ObserverOptions> observe;  // produces ClockedFrame::timeline
  // The picture being displayed when the first frame begins: its scan-out overlaps that frame. None: no
  // scan-out.
  std::optional<arch::Surface> displayed;
};

struct ClockedFrame {
  run_record::FrameFigures figures;
  // The screen with the frame's picture. Filled by FrameClock::scan_out; none: the frame presents nothing.
  std::optional<arch::Picture> picture;
  std::optional<run_record::FrameRecord> record;
  std::optional<run_record::Timeline> timeline;  // of the frame, if requested
};

// Runs consecutive frames on one machine, which starts cold, with memory as it is at the first frame's start.
// A frame ends with its last submission; its picture's scan-out overlaps the next frame.
class FrameClock {
 public:
  FrameClock(const machine::Config& config, const arch::Memory& start, const ClockOptions& options);

  machine::Machine& machine() { return *machine_; }
  const arch::Memory& memory() const { return machine_->memory(0); }
  // Runs the next frame. Its figures count from the end of the previous frame, except statistics_hash, which
  // covers everything since the machine was made. UserError: the machine stopped at something that it does
  // not support; the observed window is not within the frame. DeadlockError. is_warmup: the frame is not
  // observed.
  ClockedFrame run(const capture::Reader& reader, uint64_t frame, bool is_warmup = false);
  // After the last frame, `frame`: completes the scan-out of its picture and records its duration.
  void scan_out(ClockedFrame& frame);
  // The rows of each picture that came to the screen so far, from ClockOptions::displayed on.
  const std::vector<arch::PictureRows>& own_rows() const { return own_rows_; }

  // Starts a timeline of the following cycles. Callable from on_progress, with ClockOptions::look_on and
  // without observe.
  void begin_observing();
  bool observes() const { return live_observer_.has_value(); }
  uint64_t observed_cycles() const;  // core cycles so far
  // None if nothing was observed. frame: the frame that runs, or has just run.
  std::optional<run_record::Timeline> end_observing(uint64_t frame);

 private:
  void describe(run_record::Timeline& timeline) const;
  double share(const ClockOptions::Amount& amount) const;

  std::optional<machine::ObserverOptions> observe_;
  std::string gpu_;
  double core_mhz_;

  std::optional<arch::Picture> picture_;
  std::vector<arch::PictureRows> own_rows_;
  bool presented_ = false, scanned_out_ = false;         // presented_: by the previous frame; scanned_out_:
                                                         // that picture
  std::vector<const uint64_t*> primitives_, fragments_;  // counters of primitives and fragments
  run_record::FrameFigures before_;                      // totals at the start of the next frame
  std::unique_ptr<machine::Machine> machine_;
  std::optional<machine::Observer> live_observer_;
  uint64_t observed_from_ = 0;  // in core cycles
  // The last core cycle of a frame, once all submissions have ended: progress does not count a scan-out
  // without other work.
  uint64_t last_cycle_ = ~uint64_t{0};
};

// Rejects frames with packets that the machine does not execute, before its first cycle. UserError with
// frame, submission, draw and packet. start: memory at the start of `first`.
void check_supported(const capture::Reader& reader, uint64_t first, uint64_t last, const arch::Memory& start,
                     const command_stream::Abilities& abilities);

}  // namespace cutaway::replay
