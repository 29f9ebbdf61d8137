#pragma once

#include <string>
#include <utility>
#include <vector>

#include "run_record/figures.h"

namespace cutaway::report {

// Contents of a summary besides the frames.
struct RunInfo {
  std::string gpu;                                              // the machine's name: a preset's or a file's
  std::string base;                                             // the preset itself, or the file's base
  std::vector<std::pair<std::string, std::string>> parameters;  // differences from the preset: path, value
  std::string capture, program;
  std::string program_hash;  // hash of the simulator's executable
  // Data to recreate the machine: the preset or the path of the file, and the settings.
  std::string gpu_argument;
  std::vector<std::string> sets;
  uint64_t warmup = 0;                   // frames before each frame
  bool verified = false;                 // compared with the emulator
  std::vector<std::string> differences;  // differences found
  double seconds = 0;                    // duration of the whole command
  unsigned jobs = 1;
};

// Totals over draws.
struct DrawTotals {
  uint64_t draws = 0;
  uint64_t vertices = 0;   // shaded
  uint64_t triangles = 0;  // assembled: triangles, lines and points
  struct {
    uint64_t generated = 0, killed_hz = 0, killed_early_z = 0, killed_shader = 0, killed_late_z = 0,
             written = 0;
  } fragments;
  uint64_t instructions = 0;  // issued, one per thread group
};

// Totals of a frame, from its counters.
struct FrameTotals {
  DrawTotals program, driver;  // the program's draws; the driver's own: clears, blits, resolves
  uint64_t driver_cycles = 0;  // cycles in which the oldest draw in flight was the driver's own
  uint64_t bytes_read = 0, bytes_written = 0;
};
FrameTotals totals_of(const run_record::FrameFigures& frame);

// Sum of the counters of a role over all units. InternalError if no counter has the role.
uint64_t sum_of(const run_record::FrameFigures& frame, CounterRole role, CountOf of = CountOf::kAll);

// The text of summary.json; docs/command.md defines its members.
std::string summary_json(const RunInfo& run, const std::vector<run_record::FrameFigures>& frames);

// Tables for a terminal: one line per frame; one line per unit with its four-way account over all frames and
// the neighbour that it waited for longest.
std::string frame_table(const std::vector<run_record::FrameFigures>& frames);
std::string unit_table(const std::vector<run_record::FrameFigures>& frames);

}  // namespace cutaway::report
