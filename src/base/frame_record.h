#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fragment_log.h"

// What was noted while a frame ran, as plain data: what the database of a run holds of it
// (docs/run-database.md). Cycles count from the frame's start, in the core's clock.
namespace cutaway {

struct CounterColumn {
  std::string path, name;  // "gpu.shader0", "instructions"
  std::string unit, meaning;
};

struct WireColumn {
  std::string from, to;  // ports: "gpu.clipper.primitives_out"
  std::string message;
  uint32_t latency = 0, bandwidth = 0, slots = 0;
};

// Kinds of programs, in the order of arch::Stage, as a database of a run calls them: a state's columns are
// "vertex_program" and so on.
constexpr std::array<const char*, 6> kProgramStages = {
    "vertex", "tessellation_control", "tessellation_evaluation", "geometry", "fragment", "compute"};

// A version of the state that draws and dispatches use.
struct StateRecord {
  uint32_t width = 0, height = 0, samples = 0;
  std::string topology;
  std::string targets;                                    // JSON: color targets and depth, with formats
  std::string textures;                                   // JSON: what its programs read
  std::string settings;                                   // JSON: tests, blending, culling
  uint32_t pass = 0;                                      // draws with the same targets in a row
  std::array<uint64_t, kProgramStages.size()> program{};  // addresses, by stage; 0: none
};

struct WorkRecord {
  std::string kind;    // draw, copy, control, present, rest
  std::string packet;  // "DRAW_INDEXED"
  uint64_t submission = 0;
  uint32_t draw = 0;  // of a draw: counts from 1 in its submission
  bool of_driver = false;
  uint32_t marker = 0;  // annotation of kind "label"; 0: none
  int32_t state = -1;   // of a draw: of FrameRecord::states
  uint32_t pass = 0;
  uint32_t vertices = 0, instances = 0;  // of a draw
  uint64_t began = 0, end = 0;
  uint64_t marginal_cycles = 0;  // from the end of the piece that ended before it to its own
  // Bytes of lines that it asked the caches of texture units for, each line once: in all caches together, and
  // in the one that was asked for most. Lines of each cache, summed: misses of caches that are empty before.
  uint64_t texture_footprint = 0, texture_cache_footprint = 0, texture_first_touches = 0;
};

// A counter's value that is not 0, in a row: of a piece of work, or of an interval.
struct Amount {
  uint32_t row = 0, counter = 0;
  uint64_t value = 0;
};

struct WireAmount {
  uint32_t row = 0, wire = 0;
  uint64_t messages = 0;
  double filling = 0;  // mean number of messages under way or waiting
};

// How often a unit was found to hold the machine up, in a row.
struct Holdup {
  uint32_t row = 0;
  uint32_t unit = 0;  // of FrameRecord::units; its size: nothing was under way
  uint64_t probes = 0;
};

// What happened to the fragments of a tile of 8x8 pixels in a pass; only of tiles to which something did.
struct TileRecord {
  uint32_t pass = 0, x = 0, y = 0;  // x, y: in tiles
  uint32_t generated = 0, killed_hz = 0, killed_z = 0, killed_stencil = 0, killed_shader = 0;  // fragments
  uint32_t shaded = 0, helpers = 0;                                                            // lanes
  uint32_t shader_cycles = 0;                         // issue cycles, shared out over quads
  uint32_t texture_requests = 0, texture_misses = 0;  // quads; lines
  uint32_t written = 0;                               // samples
  uint64_t last_write = 0;                            // cycle; 0: never
};

// What the thread groups of a draw or dispatch did at an instruction of its program of a stage
// (parts/instruction_counts.h); only of instructions where they did something.
struct InstructionRecord {
  uint32_t work = 0, instruction = 0;
  uint8_t stage = 0;                                 // of kProgramStages
  uint64_t issued = 0, lanes = 0, issue_cycles = 0;  // groups; lanes; cycles
  uint64_t waited_flow = 0, waited_result = 0, waited_issue = 0, waited_send = 0, waited_texture = 0,
           waited_drain = 0, waited_output = 0;  // cycles of groups
};

// A target of a pass, in the order of the passes.
struct TargetRecord {
  uint32_t pass = 0;
  int32_t target = -1;   // color target; -1: depth, of a pass without any color target
  uint32_t surface = 0;  // of the frame: the same number where passes draw to the same memory in the same way
  bool color = false;    // a log of fragments has colors of it
  uint32_t width = 0, height = 0, samples = 1;
  uint64_t address = 0;
  std::string format;
};

// What became of all fragments.
struct FragmentRecord {
  std::vector<FragmentPart> parts;
  std::vector<TargetRecord> targets;
  uint64_t events = 0;
  uint64_t end = 0;  // the cycle from which on nothing is logged; 0: it is whole
};

struct FrameRecord {
  std::vector<std::string> units;       // paths
  std::vector<CounterColumn> counters;  // accounts among them: "busy", "idle", "starved.PORT", "blocked.PORT"
  std::vector<WireColumn> wires;
  std::vector<StateRecord> states;
  std::vector<WorkRecord> work;
  std::vector<Amount> own;             // by work: what was counted for it; sums to all that was counted
  std::vector<Amount> meanwhile;       // by work: what was counted in its marginal cycles
  std::vector<uint64_t> interval_end;  // by interval: its last cycle
  std::vector<Amount> intervals;
  std::vector<WireAmount> wire_intervals;
  std::vector<TileRecord> tiles;
  std::vector<InstructionRecord> instructions;
  uint64_t texture_footprint = 0;                      // bytes, as that of work, of all work
  std::vector<Holdup> work_holdups, interval_holdups;  // work: in its marginal cycles
  std::optional<FragmentRecord> fragments;
};

}  // namespace cutaway
