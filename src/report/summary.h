#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/bottleneck.h"
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
  bool undecided = false;                // all of them hang on the order of threads
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

// The outcome of verify: "equal", "different", or "undecided" where all differences hang on order.
std::string_view verdict_of(const RunInfo& run);

// Figures of the host, over all frames.
struct HostTotals {
  double seconds = 0;  // simulating
  uint64_t frames = 0, cycles = 0, executed_ticks = 0, possible_ticks = 0, peak_memory_bytes = 0;
  void add(const run_record::FrameFigures& frame);
  double cycles_per_second() const { return seconds > 0 ? static_cast<double>(cycles) / seconds : 0; }
};

// Writes summary.json, whose members docs/command.md defines, frame by frame: nothing of a frame stays in
// memory.
class SummaryWriter {
 public:
  using Write = std::function<void(std::string_view text)>;
  // run: all but verify, differences and seconds is known.
  SummaryWriter(const RunInfo& run, Write write);
  void add(const run_record::FrameFigures& frame);
  void finish(const RunInfo& run);

 private:
  Write write_;
  HostTotals host_;
};

// Tables for a terminal: one line per frame; one line per unit with its four-way account over all frames and
// the neighbour that it waited for longest. Of a frame only its line stays in memory.
class RunTables {
 public:
  void add(const run_record::FrameFigures& frame);
  std::string frames() const;
  std::string units() const;

 private:
  std::string lines_;
  UnitWeights weights_;
};

}  // namespace cutaway::report
