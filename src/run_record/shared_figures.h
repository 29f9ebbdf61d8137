#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run_record/figures.h"

// Figures of a run of several programs on one GPU, as plain data: the contents of shared.json, and of the
// tables of a run's database that name the programs. Cycles are of the core's clock.
namespace cutaway::run_record {

struct SharedFigures {
  struct Frame {
    uint64_t number = 0;               // in the program's capture
    uint64_t begin = 0, end = 0;       // cycles of the run
    uint64_t alone = 0;                // cycles on a GPU of its own
    bool left_out = false;             // its picture never came to the screen, or into the program's window
    std::optional<uint64_t> shown_in;  // with a window: the first frame of the first program that shows it
  };
  struct Host {
    uint64_t computed = 0, alone = 0, submissions = 0, waits = 0, interrupts = 0, shown = 0, latency = 0;
  };
  struct Lost {
    uint64_t frame = 0, cycle = 0;
    std::string why;
  };
  // The parts of a program's time: its host computes while the GPU has none of its submissions, or is
  // interrupted; its submissions wait for other programs; it waits until its window has shown a picture; the
  // rest, in which the GPU works for it or waits for the display. They sum to 1.
  struct TimeShares {
    double host = 0, others = 0, window = 0, gpu = 0;
  };
  struct Program {
    std::string name, capture;  // of its file
    std::string window;         // the surface of the first program that shows its pictures; empty: the screen
    std::vector<Frame> frames;
    uint64_t waited = 0;             // cycles for which its submissions waited for other programs
    uint64_t waited_for_window = 0;  // cycles in which only its window held it up
    std::optional<Host> host;        // of a host in time
    std::optional<Lost> lost;        // it was ended and the GPU reset, in a frame that is not in `frames`
    std::optional<TimeShares> shares() const;  // none: no time has passed
    uint64_t left_out() const;                 // pictures
  };
  struct Switches {
    uint64_t switches = 0, flush_cycles = 0, invalidate_cycles = 0, bind_cycles = 0;
  };
  struct Preemptions {
    uint64_t preemptions = 0, drain_cycles = 0, restored_bytes = 0;
  };
  // Cycles in which the GPU has no submission, since hosts compute.
  struct HostCycles {
    uint64_t alone = 0, together = 0;
  };

  std::string gpu, schedule;
  double core_mhz = 0, slice_us = 0;
  uint64_t cycles = 0;          // until all submissions have ended
  FramePhases together, alone;  // these cycles, and those of all frames alone, by the kind of work
  Switches switches;
  Preemptions preemptions;
  std::vector<Program> programs;  // by context

  std::optional<HostCycles> host_cycles() const;  // none: hosts take no time
  // The pictures of a program that its window has shown, and the cycles from the begin of their frames to the
  // end of the first program's first frame with them, summed.
  struct InWindow {
    uint64_t shown = 0, latency = 0;
  };
  InWindow in_window(const Program& program) const;
};

}  // namespace cutaway::run_record
