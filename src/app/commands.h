#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/frames.h"
#include "capture/writer.h"

// The subcommands. Each takes the parsed command line, throws UserError for unusable input, and returns the
// exit code.
namespace cutaway::app {

constexpr int kOk = 0, kFailed = 1, kUserError = 2, kInternalError = 3, kUndecided = 4;

// The machine on which a capture is simulated.
struct MachineArguments {
  std::string gpu = "attila";
  std::vector<std::string> sets;
  uint64_t seed = 0;
  bool skip_idle = true;
  bool verify = false;
  unsigned jobs = 0;                    // 0: one per core
  uint64_t warmup = 0;                  // frames
  bool stats = true;                    // write run.sqlite beside summary.json, if there is a folder for
                                        // results
  bool fragments = false;               // include its fragment log
  uint64_t fragment_limit = 8'000'000;  // its limit in events per frame
  uint64_t interval = 10'000;           // core cycles between its rows over time
};

// The part of a frame to write cycle by cycle.
struct TimelineArguments {
  std::string file;
  std::optional<FrameRange> cycles;
  std::optional<uint32_t> draw;  // number in the frame, from 1
};

// Programs that share the GPU with that of the capture.
struct SharedArguments {
  std::vector<std::string> with;     // captures
  std::vector<std::string> windows;  // for each of the first of them: the surface that shows its pictures
  std::optional<FrameRange> frames;  // of each of them
  std::optional<double> slice_us, watchdog_us;
  bool preempts = false;
};

// The subject of `trace`: one of these.
struct TraceArguments {
  std::optional<uint64_t> frame;  // none: the capture's only frame
  std::optional<std::pair<int32_t, int32_t>> fragment;
  std::optional<uint32_t> primitive;  // of the fragment; none: the first that covers it
  std::optional<uint64_t> vertex;     // its index
  std::optional<uint64_t> request;    // number in the draw, from 1
  std::optional<FrameRange> cycles;   // of the frame, to look at; none: all of the draw
};

struct SweepArguments {
  std::string engine = "local";
  std::string table;                // only write the results so far to this file
  bool dry_run = false;             // only list the points
  std::string queue;                // sweep-points, with:
  std::vector<std::string> points;  // hashes
};

struct SampleArguments {
  double error = 0.01;  // share of the total of cycles
  uint64_t check = 0;   // frames held back
  uint64_t warmup = 1;  // frames
  uint64_t seed = 1;    // of the frames drawn
};

struct ExperimentArguments {
  std::vector<std::string> names;  // of experiments, or paths; "list" alone lists them
  std::string capture;             // empty: the one written by experiments/record_match.sh
};

struct FidelityArguments {
  std::vector<std::string> names;  // of figures, or prefixes; empty: all
  std::string gpu;                 // preset; empty: all with figures
};

struct ProbeArguments {
  std::vector<std::string> names;  // of experiments, or prefixes; "list" alone lists them
  bool driver = false;             // draw with this computer's Vulkan driver
  bool pictures = false;           // of the order in which fragments end
};

// Arguments of `explain`.
// The value of `explain --try` that tries what binds.
inline constexpr const char* kAutomaticTries = "auto";

struct ExplainArguments {
  std::string run;
  std::optional<uint64_t> frame;
  std::optional<uint32_t> program;  // of several that shared the GPU, from 1
  std::optional<uint32_t> pass, work;
  std::optional<uint32_t> draw;  // number in the frame, from 1
  std::optional<uint32_t> interval;
  std::optional<FrameRange> cycles;
  std::optional<std::pair<int32_t, int32_t>> pixel;  // show this pixel's history instead
  std::vector<std::string> tries;                    // "PATH=VALUE[;PATH=VALUE...]", or kAutomaticTries
  std::string capture;                               // its new path, if it has moved
  unsigned draws = 10;                               // number to list per frame
  bool json = false;
};

struct ReportArguments {
  std::string capture;     // its new path, if it has moved
  uint32_t pictures = 64;  // megabytes of a page, at most; 0: none
};

struct CommandArguments {
  std::string file;                  // the capture to read or write
  std::vector<std::string> program;  // arguments after --
  std::string recording;             // replaces a program
  std::optional<FrameRange> frames;
  uint64_t key_interval = capture::kDefaultKeyInterval;  // capture, run
  std::string out;
  std::optional<int> live;             // run, simulate: port of a live view; 0: any free port
  std::optional<std::string> for_gpu;  // capture: limits the features offered to the program to this
                                       // machine's
  bool bare = false;                   // no argument and no option was given
  bool quiet = false;
  bool system_textures = false;  // captures: textures lie in system memory, if the chip has a bus
  bool host_times = false;       // captures: hold the host's times
  bool gl_thread = false;        // captures: OpenGL runs on a thread of Mesa's
  bool halves = false;           // captures: CUTAWAY_HALVES, whatever the machine
  bool primitives = false;       // emulate: write pictures that show each pixel's primitive
  uint32_t threads = 0;          // emulate; 0: one per available CPU
  MachineArguments machine;
  std::string preset;          // gpus
  std::string unit;            // gpus: only this one; empty: all
  bool reference = false;      // gpus: the page of all parameters and counters
  bool ports = false;          // gpus: the tables of docs/pipeline.md
  std::string svg;             // gpus, trace: the file to draw into
  TimelineArguments timeline;  // simulate; trace: its draw
  SharedArguments shared;      // simulate
  TraceArguments trace;
  ExplainArguments explain;
  std::optional<uint64_t> program_id;  // disasm
  bool whole_source = false;           // disasm: print the SPIR-V too
  std::vector<std::string> runs;       // report: folders of results
  ReportArguments report;
  SweepArguments sweep;
  SampleArguments sample;
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
int sample(const CommandArguments& arguments);
int experiment(const CommandArguments& arguments);
int probe(const CommandArguments& arguments);
int fidelity(const CommandArguments& arguments);
int sweep_points(const CommandArguments& arguments);
int disassemble(const CommandArguments& arguments);
int write_report(const CommandArguments& arguments);

}  // namespace cutaway::app
