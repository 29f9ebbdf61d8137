#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/frames.h"
#include "capture/writer.h"

// The subcommands. Each takes what the command line said, throws UserError for what cannot be used, and
// returns the exit code.
namespace cutaway::app {

constexpr int kOk = 0, kFailed = 1, kUserError = 2, kInternalError = 3;

// On what a capture is simulated.
struct MachineArguments {
  std::string gpu = "attila";
  std::vector<std::string> sets;
  uint64_t seed = 0;
  bool skip_idle = true;
  bool verify = false;
  unsigned jobs = 0;                    // 0: as many as there are cores
  uint64_t warmup = 0;                  // frames
  bool stats = true;                    // run.sqlite beside summary.json, where there is a folder for results
  bool fragments = false;               // its log of fragments too
  uint64_t fragment_limit = 8'000'000;  // events of that, of a frame
  uint64_t interval = 10'000;           // core cycles between its rows of what goes on over time
};

// What of a frame is written cycle by cycle.
struct TimelineArguments {
  std::string file;
  std::optional<FrameRange> cycles;
  std::optional<uint32_t> draw;  // counts from 1 in the frame
};

// Whose life is told: one of these.
struct TraceArguments {
  std::optional<uint64_t> frame;  // none: the only one of the capture
  std::optional<std::pair<int32_t, int32_t>> fragment;
  std::optional<uint32_t> primitive;  // of the fragment; none: the first that covers it
  std::optional<uint64_t> vertex;     // index
  std::optional<uint64_t> request;    // counts from 1 in the draw
};

struct SweepArguments {
  std::string engine = "local";
  std::string table;         // only write the results so far into this file
  bool dry_run = false;      // only list the points
  std::string queue, point;  // sweep-point
};

struct ExperimentArguments {
  std::vector<std::string> names;  // of experiments, or paths; "list" alone lists them
  std::string capture;             // empty: the one that experiments/record_match.sh writes
};

struct FidelityArguments {
  std::vector<std::string> names;  // of figures, or how they begin; none: all
  std::string gpu;                 // preset; empty: all that have figures
};

struct ProbeArguments {
  std::vector<std::string> names;  // of experiments or how they begin; "list" alone lists them
  bool driver = false;             // drawn by the Vulkan driver of this computer
  bool pictures = false;           // of the order in which fragments end
};

// Of `explain`.
struct ExplainArguments {
  std::string run;
  std::optional<uint64_t> frame;
  std::optional<uint32_t> pass, work;
  std::optional<uint32_t> draw;  // counts from 1 over the frame
  std::optional<uint32_t> interval;
  std::optional<FrameRange> cycles;
  std::optional<std::pair<int32_t, int32_t>> pixel;  // whose history is told instead
  std::vector<std::string> tries;                    // "PATH=VALUE[;PATH=VALUE...]"
  std::string capture;                               // where it has moved to
  unsigned draws = 10;                               // listed of each frame
  bool json = false;
};

struct CommandArguments {
  std::string file;                  // the capture to read or to write
  std::vector<std::string> program;  // what stands after --
  std::string recording;             // instead of a program
  std::optional<FrameRange> frames;
  uint64_t key_interval = capture::kDefaultKeyInterval;  // capture, run
  std::string out;
  std::optional<int> live;             // run, simulate: the port of a live view; 0: a free one
  std::optional<std::string> for_gpu;  // capture: what the program may use is what this machine has
  bool quiet = false;
  bool halves = false;      // captures: CUTAWAY_HALVES, whatever the machine
  bool primitives = false;  // emulate: pictures of who drew what
  uint32_t threads = 0;     // emulate; 0: one for each available CPU
  MachineArguments machine;
  std::string preset;          // gpus
  bool reference = false;      // gpus: the page of all parameters and counters
  bool ports = false;          // gpus: the tables of docs/pipeline.md
  std::string svg;             // gpus, trace: the file to draw into
  TimelineArguments timeline;  // simulate; trace: its draw
  TraceArguments trace;
  ExplainArguments explain;
  std::optional<uint64_t> program_id;  // disasm
  bool whole_source = false;           // disasm: the SPIR-V too
  std::vector<std::string> runs;       // report: folders of results
  SweepArguments sweep;
  ExperimentArguments experiment;
  ProbeArguments probe;
  FidelityArguments fidelity;
};

int run(const CommandArguments& arguments);
int capture(const CommandArguments& arguments);
int emulate(const CommandArguments& arguments);
int simulate(const CommandArguments& arguments);
int info(const CommandArguments& arguments);
int explain(const CommandArguments& arguments);
int gpus(const CommandArguments& arguments);
int trace(const CommandArguments& arguments);
int sweep(const CommandArguments& arguments);
int experiment(const CommandArguments& arguments);
int probe(const CommandArguments& arguments);
int fidelity(const CommandArguments& arguments);
int sweep_point(const CommandArguments& arguments);
int disassemble(const CommandArguments& arguments);
int write_report(const CommandArguments& arguments);

}  // namespace cutaway::app
