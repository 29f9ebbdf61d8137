#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "arch/gpu.h"
#include "base/figures.h"
#include "base/frame_record.h"
#include "capture/reader.h"
#include "machine/machine.h"
#include "machine/observer.h"
#include "replay/packet_walk.h"

namespace cutaway::replay {

struct ClockOptions {
  uint64_t seed = 0;  // shuffles the order of boxes; 0: none
  bool skip_idle = true;
  machine::Faults faults;
  std::vector<parts::QueryValue> query_values;  // EmulatedFrame::query_values of the frame
  // What the frames that the machine runs come to, warm-up among them, by the emulator: for on_progress.
  struct Amount {
    uint64_t primitives = 0, fragments = 0;
  } amount;
  // Now and then: core cycles so far, and the share of `amount` that is done, 0 to 1.
  std::function<void(uint64_t cycles, double share)> on_progress;
  bool look_on = false;          // the machine can be looked at while it runs: on_progress comes often
  uint64_t record_interval = 0;  // core cycles between rows of ClockedFrame::record; 0: none is made
  uint64_t log_fragments = 0;    // events of its log of fragments; 0: it has none
  std::optional<machine::ObserverOptions> observe;  // makes ClockedFrame::timeline
  // What the display shows when the first frame begins: it is scanned out beside that frame. None: nothing
  // is.
  std::optional<arch::Surface> displayed;
};

struct ClockedFrame {
  FrameFigures figures;
  std::optional<arch::Picture> picture;  // FrameClock::scan_out; none: the frame presents nothing
  std::optional<FrameRecord> record;
  std::optional<Timeline> timeline;  // of the frame, if it was asked for
};

// Frames in a row on one machine, fresh and cold at first, from memory as it is at the first one's start. A
// frame ends when its last submission has; its picture is scanned out beside the next one.
class FrameClock {
 public:
  FrameClock(const machine::Config& config, const arch::Memory& start, const ClockOptions& options);

  machine::Machine& machine() { return *machine_; }
  const arch::Memory& memory() const { return machine_->memory(0); }
  // The next frame. Its figures count from the end of the one before, but for statistics_hash, which
  // is of all since the machine was made. UserError: the machine stopped at something that it does
  // not support; the window that is observed is not within the frame. DeadlockError.
  // is_warmup: it is not observed.
  ClockedFrame run(const capture::Reader& reader, uint64_t frame, bool is_warmup = false);
  // After the last frame, `frame`: scans its picture out to the end, and notes how long that took alone.
  void scan_out(ClockedFrame& frame);

  // With ClockOptions::look_on and without observe, for whoever on_progress calls: a timeline of what
  // follows.
  void begin_observing();
  bool observes() const { return live_observer_.has_value(); }
  uint64_t observed_cycles() const;  // so far
  // None where nothing has been seen. frame: that runs, or has just run.
  std::optional<Timeline> end_observing(uint64_t frame);

 private:
  FrameFigures totals() const;
  void describe(Timeline& timeline) const;
  double share(const ClockOptions::Amount& amount) const;

  std::optional<machine::ObserverOptions> observe_;
  std::string gpu_;
  double core_mhz_;

  std::optional<arch::Picture> picture_;
  bool presented_ = false, scanned_out_ = false;         // by the frame before; it
  std::vector<const uint64_t*> primitives_, fragments_;  // counters of them
  FrameFigures before_;                                  // totals when the next frame starts
  std::unique_ptr<machine::Machine> machine_;
  std::optional<machine::Observer> live_observer_;
  uint64_t observed_from_ = 0;  // core cycle
  // The last core cycle of a frame, once all have ended: progress does not count a scan-out alone.
  uint64_t last_cycle_ = ~uint64_t{0};
};

// Refuses frames that hold packets which the machine does not execute, before its first cycle. UserError with
// frame, submission, draw and packet. start: memory at the start of `first`.
void check_supported(const capture::Reader& reader, uint64_t first, uint64_t last, const arch::Memory& start,
                     const draw::Abilities& abilities);

}  // namespace cutaway::replay
