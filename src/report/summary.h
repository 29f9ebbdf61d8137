#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/figures.h"

namespace cutaway::report {

// What stands in a summary beside the frames.
struct RunInfo {
  std::string gpu;                                              // the machine's name: of a preset or a file
  std::string base;                                             // the preset that it is or begins with
  std::vector<std::pair<std::string, std::string>> parameters;  // that differ from the preset: path, value
  std::string capture, program;
  std::string program_hash;  // of the simulator that ran, by the bytes of its file
  // What it takes to make the machine again: the preset or the path of the file, and what was set.
  std::string gpu_argument;
  std::vector<std::string> sets;
  uint64_t warmup = 0;                   // frames before each
  bool verified = false;                 // compared with the emulator
  std::vector<std::string> differences;  // that were found
  double seconds = 0;                    // of the whole command
  unsigned jobs = 1;
};

// What draws came down to.
struct DrawTotals {
  uint64_t draws = 0;
  uint64_t vertices = 0;   // shaded
  uint64_t triangles = 0;  // assembled: triangles, lines and points
  struct {
    uint64_t generated = 0, killed_hz = 0, killed_early_z = 0, killed_shader = 0, killed_late_z = 0,
             written = 0;
  } fragments;
  uint64_t instructions = 0;  // issued, one per group
};

// What a frame comes down to, from its counters.
struct FrameTotals {
  DrawTotals program, driver;  // the program's draws; the driver's own: clears, blits, resolves
  uint64_t driver_cycles = 0;  // in which the oldest draw under way was the driver's own
  uint64_t bytes_read = 0, bytes_written = 0;
};
FrameTotals totals_of(const FrameFigures& frame);

// Sum of the counters of a role over all units. A role that no counter has is an InternalError.
uint64_t sum_of(const FrameFigures& frame, CounterRole role, CountOf of = CountOf::kAll);

// The text of summary.json: docs/command.md says what each member means.
std::string summary_json(const RunInfo& run, const std::vector<FrameFigures>& frames);

// Tables for a terminal: a line for each frame; a line for each unit with its four-way account over all
// frames and the neighbour that it waited for most.
std::string frame_table(const std::vector<FrameFigures>& frames);
std::string unit_table(const std::vector<FrameFigures>& frames);

}  // namespace cutaway::report
