#pragma once

#include <cstdint>

#include "boxes/command_processor/command_processor_counters.h"
#include "engine/domain.h"

namespace cutaway::boxes {

// Counts every cycle of a submission once, for what was under way in it, and beside that for scan-outs.
class CyclePhases {
 public:
  enum class Phase : uint8_t { kNone, kDraws, kCopies, kCaches, kDisplay, kCommands };

  explicit CyclePhases(CommandProcessorCounters& counters) : counters_(counters) {}

  // A submission begins in the cycle after `now`.
  void begin(engine::Cycle now, bool scans_out) {
    phase_ = Phase::kCommands;
    scans_out_ = scans_out;
    since_ = now;
  }
  // The cycles after `now` are in this phase.
  void change(engine::Cycle now, Phase phase, bool scans_out) {
    if (phase == phase_ && scans_out == scans_out_) return;
    count(now);
    phase_ = phase;
    scans_out_ = scans_out;
  }
  // Counts all cycles up to `now`.
  void count(engine::Cycle now) {
    const engine::Cycle cycles = now - since_;
    since_ = now;
    if (phase_ == Phase::kNone) return;
    if (scans_out_) counters_.scan_out_cycles += cycles;
    uint64_t* const of[] = {&counters_.draw_cycles, &counters_.copy_cycles, &counters_.cache_cycles,
                            &counters_.display_cycles, &counters_.command_cycles};
    *of[static_cast<size_t>(phase_) - 1] += cycles;
  }

 private:
  CommandProcessorCounters& counters_;
  Phase phase_ = Phase::kNone;  // the phase of the cycles after since_
  bool scans_out_ = false;      // in them
  engine::Cycle since_ = 0;
};

}  // namespace cutaway::boxes
