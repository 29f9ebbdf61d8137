#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "capture/reader.h"
#include "machine/machine.h"
#include "replay/shared_machine.h"
#include "run_record/figures.h"

namespace cutaway::replay {

// Frames of a program that shares a GPU with others.
struct SharedProgram {
  const capture::Reader& reader;
  std::string file;  // for messages
  uint64_t first = 0, last = 0;
  // The surface of the first program that shows this program's pictures, by its name; empty: the screen does.
  std::string window = {};
};

struct SharedOptions {
  machine::Config config;  // command_processor.contexts: at least the number of programs
  bool verify = false;
  uint64_t seed = 0;  // shuffles the order of boxes; 0: none
  bool skip_idle = true;
  // A submission that takes longer is ended with its program, and the GPU is reset. 0: none is.
  double watchdog_us = 0;
  // Receives the step in progress, "alone" or another, and its core cycles so far.
  std::function<void(const std::string& what, uint64_t cycles)> on_progress;
  uint64_t record_interval = 0;  // core cycles between rows of the records; 0: no records
  // Receives the figures and the records of each part of the run: a reset of the GPU ends one. Called before
  // the programs run alone.
  SharedMachine::OnPart on_part;
  std::optional<machine::ObserverOptions> observe;  // of the run until the first reset
  std::function<void(run_record::Timeline&&)> on_timeline;
};

struct FrameTogether {
  uint64_t number = 0;
  uint64_t begin = 0, end = 0;           // core cycles of the shared run
  uint64_t alone = 0;                    // cycles on a GPU of its own, behind the same frames
  std::optional<arch::Picture> picture;  // the screen with it
  arch::PictureRows own_rows;            // of the screen that are the picture's
  bool left_out = false;                 // its picture never came to the screen, or into the program's window
  std::optional<uint64_t> shown_in;  // of a program with a window: the first program's first frame with it
};

struct SharedRun {
  struct Program {
    std::vector<FrameTogether> frames;
    uint64_t waited = 0;             // core cycles for which its submissions waited for other programs
    uint64_t waited_for_window = 0;  // core cycles in which only its window held it up
    std::optional<machine::HostCounters> host;  // of a host in time
    std::string difference;  // verify: a line on how it differs from the emulator; empty: not at all
    bool in_window = false;  // its pictures are in a window
    // The program was ended and the GPU reset, in a frame that is not in `frames`.
    struct Lost {
      uint64_t frame = 0, cycle = 0;
      std::string why;
      bool by_watchdog = false;  // else by a fault
    };
    std::optional<Lost> lost;
  };
  std::vector<Program> programs;  // in the order of their contexts
  uint64_t cycles = 0;            // core cycles until all submissions have ended
  // These cycles, and those of all frames alone, by the kind of work under way.
  run_record::FramePhases together, alone;
  machine::ContextSwitchCounters switches;
  machine::PreemptionCounters preemptions;
};

// Runs programs side by side on one machine, each in a context of its own, until each has run its frames; and
// each of them alone. The machine starts cold. A program whose submission is at fault, or takes longer than
// the watchdog allows, is lost; the others go on. UserErrors: the reader's and check_supported()'s.
SharedRun run_shared(const std::vector<SharedProgram>& programs, const SharedOptions& options);

}  // namespace cutaway::replay
